import { cpus } from 'node:os';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { load, type Call, type LoadResult } from '../load.ts';
import { foreignShare, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { inDatabase, organizations, type Size } from '../seed.ts';
import { ask, expect, signIn } from '../session.ts';

const articles = 5_000;
const days = 366;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const size: Size = { organizations: 2, first: 100, each: 100, commented: 0, people: 2 };
const goalMs = 50;

/** Words like `gebokami`, in which a low number is a frequent word. */
const vocabulary = 5_000;
const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'zu'];
function word(n: number): string {
  let [rest, text] = [n * 7_919 + 3_375, ''];
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) text += syllables[rest % syllables.length]!;
  return text;
}
const words = Array.from({ length: vocabulary }, (_, n) => word(n));

interface HelpCase {
  name: string;
  calls: Call[];
  /** Whether the goal applies: at most 50 ms at p99 with one connection. */
  hasGoal?: boolean;
}

/** Measures searches, pages and figures of help pages: two organizations with 5,000 articles each and a year of uses. */
export async function helpSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  try {
    await step(`2 × ${articles.toLocaleString('en')} articles, ${days} days of uses`, () => seedArticles(system));
    const measured = [];
    for (const each of await casesOf(system)) {
      await check(system, each);
      const options = { origin: system.gatewayOrigin, calls: each.calls, seconds, directory: system.directory, signal };
      await load({ ...options, connections: 1, seconds: 1 });
      const before = readCpu(system.product);
      const results = await step(each.name, async () => [
        await load({ ...options, connections: 1 }),
        await load({ ...options, connections: 16 }),
      ]);
      const foreign = foreignShare(before, readCpu(system.product), cpus().length);
      measured.push({ ...each, calls: each.calls.length, results: results as [LoadResult, LoadResult], foreign });
    }
    return {
      tables: [
        {
          title: `Help pages: ${articles.toLocaleString('en')} articles in each of two organizations. Goal: ${goalMs} ms at p99 with one connection`,
          columns: ['work', 'p50 ms, 1 connection', 'p99', 'goal', 'p50 ms, 16 connections', 'p99', '/s', 'foreign CPU'],
          rows: measured.map(({ name, hasGoal, results: [one, many], foreign }) => [
            name,
            one.p50Ms.toFixed(1),
            one.p99Ms.toFixed(1),
            hasGoal ? (one.p99Ms <= goalMs ? `✓ ${goalMs}` : `✗ ${goalMs}`) : '–',
            many.p50Ms.toFixed(1),
            many.p99Ms.toFixed(1),
            (many.requests / many.seconds).toFixed(0),
            `${(100 * foreign).toFixed(0)} %`,
          ]),
        },
      ],
      figures: { articles, days, seconds, measured },
    };
  } finally {
    await system.stop();
  }
}

async function casesOf(system: BenchSystem): Promise<HelpCase[]> {
  const { subdomain, people } = organizations[0]!;
  const host = { Host: `${subdomain}.localhost:${system.env('PORT')}` };
  const { headers } = await signIn(system.gatewayOrigin, people[0]!);
  const read = (path: string): Call => ({ method: 'GET', path: `/api/v1/public${path}`, headers: host });
  const search = (q: string, rest = '') => read(`/help/search?language=en&q=${encodeURIComponent(q)}${rest}`);
  const typed = `${words[40]} ${words[900]} ${words[12]}`;
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const to = new Date().toISOString().slice(0, 10);
  const report = (since: string): Call => ({ method: 'GET', path: `/api/v1/help-report?from=${since}&to=${to}`, headers });
  const recent = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10);
  return [
    {
      name: 'search, prefix by prefix',
      calls: Array.from({ length: typed.length - 1 }, (_, n) => search(typed.slice(0, n + 2))),
      hasGoal: true,
    },
    { name: 'search, common words', calls: [0, 1, 2, 3].map((n) => search(`${words[n]} ${words[n + 4]}`)), hasGoal: true },
    { name: 'search, rare words', calls: [1, 2, 3, 4].map((n) => search(words[vocabulary - n]!)), hasGoal: true },
    { name: 'search, no result', calls: [search('qqxyzzy'), search('xkcdwwt qqqrrs')], hasGoal: true },
    {
      name: 'suggestions',
      calls: [5, 60, 700].map((n) => search(`${words[n]} ${words[2 * n]} ${words[4 * n]} ${words[1]}`, '&for=suggestions')),
      hasGoal: true,
    },
    { name: 'article', calls: Array.from({ length: 50 }, (_, n) => read(`/articles/${1 + n * 97}`)) },
    { name: 'home', calls: [read('/help?language=en')] },
    { name: 'report, 90 days', calls: [report(recent)] },
    { name: `report, ${days} days`, calls: [report(from)] },
  ];
}

/** Checks the response, because the timing of a wrong one would be meaningless. */
async function check(system: BenchSystem, { name, calls }: HelpCase): Promise<void> {
  const { path, headers = {} } = calls.at(-1)!;
  const { status, data } = await ask<unknown>(system.gatewayOrigin + path, { headers });
  expect(`${name}: status`, status, 200);
  if (Array.isArray(data) && name !== 'suggestions') expect(`${name}: has results`, data.length > 0, name !== 'search, no result');
  if (name.startsWith('report')) expect(`${name}: articles`, (data as { articles: unknown[] }).articles.length, 50);
  if (name === 'home') expect(`${name}: popular articles`, (data as { popular: unknown[] }).popular.length, 6);
}

const articleId = (n: string) => `('00000000-0000-7000-a000-' || lpad((o * 100000 + ${n})::text, 12, '0'))::uuid`;
const organizationId = `('00000000-0000-7000-8000-' || lpad(o::text, 12, '0'))::uuid`;
const each = `generate_series(1, 2) o, generate_series(1, ${articles}) n`;

/** Words of the vocabulary, the frequent ones more often. */
const text = (count: number) => Array.from({ length: count }, () => words[Math.floor(vocabulary * Math.random() ** 3)]!).join(' ');

async function seedArticles(system: BenchSystem): Promise<void> {
  await inDatabase(system.databaseUrl('tandem_tickets'), async (client) => {
    await client.query(`
      insert into article_categories (organization_id, id, number, name, position, updated_at)
        select ${organizationId}, ${articleId('n')}, ${articles} + n, 'Category ' || n, n, now()
        from generate_series(1, 2) o, generate_series(1, 40) n;
      insert into articles (organization_id, id, number, title, body, language, category_id, visibility, created_at, updated_at, version)
        select ${organizationId}, ${articleId('n')}, n, '-', '-', 'en', ${articleId('1 + n % 40')}, 'public', now(), now(), 1 from ${each};
      analyze articles;`);
    for (let first = 1; first <= articles; first += 500) {
      const numbers = Array.from({ length: 500 }, (_, n) => first + n);
      await client.query(
        `insert into article_versions (organization_id, article_id, number, title, body, language, published_at)
          select ${organizationId}, ${articleId('n')}, 1, title, body, 'en', now()
          from generate_series(1, 2) o, unnest($1::integer[], $2::text[], $3::text[]) as t (n, title, body)`,
        [numbers, numbers.map(() => text(5)), numbers.map((n) => text(200 + (n % 650)))],
      );
    }
    await client.query(`
      update articles a set published_version = 1, first_published_at = now(), title = v.title, body = v.body
        from article_versions v where v.organization_id = a.organization_id and v.article_id = a.id;
      set session_replication_role = replica;
      insert into article_uses (organization_id, article_id, day, views, suggestions_opened, solved)
        select ${organizationId}, ${articleId('n')}, current_date - d, (${days} - d) * (1 + n % 90), ${days} - d, (${days} - d) / 5
        from ${each}, generate_series(0, ${days} - 1) d;
      insert into article_ratings (organization_id, article_id, reader, helpful, version, rated_at, day)
        select ${organizationId}, ${articleId('n')}, 'reader-' || r, r % 4 > 0, 1, now() - make_interval(days => (n + r * 37) % ${days}),
          current_date - (n + r * 37) % ${days}
        from ${each}, generate_series(1, 10) r;
      insert into help_searches (organization_id, day, query, times, without_result)
        select ${organizationId}, current_date - n, 'query ' || q, 5, case when q % 3 = 0 then 5 else 0 end
        from generate_series(1, 2) o, generate_series(0, ${days} - 1) n, generate_series(1, 100) q;
      insert into help_days (organization_id, day, views, suggestions_opened, solved, helpful, not_helpful, searches, searches_without_result)
        select ${organizationId}, current_date - n, 225000, 5000, 1000, 100, 30, 500, 165
        from generate_series(1, 2) o, generate_series(0, ${days} - 1) n;`);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  });
}
