import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { explain, type StatementFigures } from '../explain.ts';
import type { Goal, Report } from '../report.ts';
import { commonWord, organizations, rareWord, sizeOf, type Size } from '../seed.ts';
import { ask, expect, signIn } from '../session.ts';
import { capture } from '../statements.ts';
import { quantile } from '../statistics.ts';

const size: Size = { organizations: 20, first: 200_000, each: 10_000, commented: 2_000, people: 5 };
const requests = 40;
const warmUps = 10;

/** A word, and how long PostgreSQL may take for its first page in the largest and in another organization, in milliseconds. */
const searches = [
  { name: 'common word', text: commonWord, limits: [1, 1] },
  { name: 'rare word', text: rareWord, limits: [20, 2] },
  { name: 'no result', text: 'qqxyzzy', limits: [0.3, 0.2] },
] as const;

interface Measured {
  search: (typeof searches)[number];
  /** Index of the limit: 0 is the largest organization. */
  place: 0 | 1;
  /** The statement of the page, and the one that counts the matches; a page that is not full is not counted. */
  page: StatementFigures;
  count: StatementFigures | undefined;
  /** Milliseconds of each request, one at a time. */
  answered: number[];
}

/** Searches for one word in an organization with 200,000 tickets and in one with 10,000. */
export async function searchSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  try {
    const measured: Measured[] = [];
    for (const place of [0, 1] as const)
      for (const search of searches) measured.push(await step(`${search.name}, ${ticketsOf(place)}`, () => measure(system, search, place)));
    return report(measured);
  } finally {
    await system.stop();
  }
}

const ticketsOf = (place: 0 | 1) => `${[size.first, size.each][place]!.toLocaleString('en')} tickets`;

async function measure(system: BenchSystem, search: Measured['search'], place: 0 | 1): Promise<Measured> {
  const { id, people } = organizations[place]!;
  const { headers } = await signIn(system.gatewayOrigin, people[0]!);
  const read = async () => {
    const answer = await ask<unknown[]>(`${system.gatewayOrigin}/api/v1/tickets?limit=25&search=${search.text}`, { headers });
    expect('status', answer.status, 200);
    expect(`${search.name}: has rows`, answer.data.length > 0, search.name !== 'no result');
  };
  const answered: number[] = [];
  for (let n = 0; n < warmUps + requests; n++) {
    const begun = performance.now();
    await read();
    if (n >= warmUps) answered.push(performance.now() - begun);
  }
  const [captured] = await capture(system, id, [read]);
  const statements = captured!.works.flat().filter(({ sql }) => sql.includes('find_tickets_by_text'));
  const counts = statements.filter(({ sql }) => /^\s*select count/i.test(sql));
  const inPostgres = (chosen: typeof statements) => explain(system.env('TICKETS_DATABASE_URL'), id, chosen);
  const pages = statements.filter((each) => !counts.includes(each));
  expect('statements of the page', pages.length, 1);
  return { search, place, page: await inPostgres(pages), count: counts.length > 0 ? await inPostgres(counts) : undefined, answered };
}

function report(measured: Measured[]): Report {
  const goals = measured.map(({ search, place, page }): Goal => {
    const work = `search, ${search.name}, ${ticketsOf(place)}: page in PostgreSQL`;
    return { id: 'G5', work, measured: page.ms, limit: search.limits[place], unit: 'ms' };
  });
  const cells = (figures: StatementFigures | undefined) => (figures ? [figures.ms.toFixed(2), String(figures.buffers)] : ['–', '–']);
  return {
    tables: [
      {
        title: `Searches for one word in ${sizeOf(size).toLocaleString('en')} tickets, ms; the statements are prepared`,
        columns: ['', 'page', 'buffers', 'goal', 'count', 'buffers', 'request: p50', 'p95'],
        rows: measured.map(({ search, place, page, count, answered }) => [
          `${search.name}, ${ticketsOf(place)}`,
          ...cells(page),
          String(search.limits[place]),
          ...cells(count),
          quantile(answered, 0.5).toFixed(1),
          quantile(answered, 0.95).toFixed(1),
        ]),
      },
    ],
    figures: measured.map(({ search, ...figures }) => ({ name: search.name, ...figures })),
    goals,
  };
}
