import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const services = ['analytics', 'identity', 'integrations', 'notifications', 'tickets'];

interface Query {
  service: string;
  name: string;
  code: string;
}

/** The functions whose statements see rows of several organizations. All other statements see those of one, by row-level security. */
const acrossOrganizations: Query[] = services.flatMap((service) => {
  const folder = join(root, 'services', service, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.spec)\.ts$/.test(path));
  return files.flatMap((path) => {
    const code = readFileSync(join(folder, path), 'utf8');
    const found = [
      ...code.matchAll(/^(?:(?:export )?(?:async )?(?:function|const) |  (?:async )?(?=\w+\(.*\{$))(\w+AcrossOrganizations\w*)/gm),
    ];
    // Up to the next declaration, or to the end of the method.
    return found.map(({ 1: name, index }) => ({ service, name: name!, code: code.slice(index).split(/\n\n(?=\S)|\n  }\n/)[0]! }));
  });
});

/** Accounts and what belongs to them are in no organization, and an account is a member of one. */
const ofAccounts = ['users', 'members', 'mfa', 'refresh_tokens'];

/** Where a join's condition ends in SQL. */
const afterJoin = /\b(?:(?:left |cross |inner )?join|where|group by|order by|limit|for update|returning|union)\b|`/;

/** The joins and lists of tables of a function that do not compare the organizations of both sides, and its subqueries with `in`. */
function joinsOfOrganizations({ code }: Pick<Query, 'code'>): string[] {
  const byBuilder = [...code.matchAll(/\.\w*Join\(\s*(?:'(\w+)[^)]*\)|[^'\s])/g)].filter(
    ([text, table]) => table === undefined || (!ofAccounts.includes(table) && !text.includes('organization_id')),
  );
  const inSql = [...code.matchAll(/\bjoin (?:lateral )?/g)]
    .map(({ 0: join, index }) => join + code.slice(index + join.length).split(join.includes('lateral') ? '`' : afterJoin)[0]!)
    .filter((text) => !text.includes('organization_id'));
  const lists = [
    ...code.matchAll(/\bfrom \w+(?: as)?(?: \w+)?\s*,\s*(?!lateral|unnest|jsonb_)\w+[^`]*/g),
    ...code.matchAll(/\bin \(select[^`]*/g),
  ];
  return [...byBuilder.map(([text]) => text), ...inSql, ...lists.map(([text]) => text)];
}

/** The rows `| service | reads | …` of the page, with all names in backquotes of the second cell. */
const documented = [...readFileSync(join(root, 'docs/scale.md'), 'utf8').matchAll(/^\| (\w+) +\|(.*AcrossOrganizations[^|]*)\|/gm)].flatMap(
  ([, service, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${service} ${name}`),
);

it('every function that reads rows of several organizations is listed in docs/scale.md with its replacement', () => {
  expect(documented.sort()).toEqual(acrossOrganizations.map(({ service, name }) => `${service} ${name}`).sort());
});

it('no such read joins rows of two organizations', () => {
  const found = acrossOrganizations.flatMap((query) =>
    joinsOfOrganizations(query).map((text) => `${query.service} ${query.name}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  "tx.selectFrom('emails').innerJoin('deliveries', 'deliveries.email_id', 'emails.id')",
  "tx.selectFrom('emails').innerJoin(deliveriesOf(tx), 'deliveries.email_id', 'emails.id')",
  'sql`select from emails e join deliveries d on d.email_id = e.id where e.id = 1`',
  'sql`select from emails e join deliveries d on d.email_id = e.id where e.organization_id = any(${ids})`',
  'sql`select from emails e join deliveries d on d.email_id = e.id order by e.organization_id`',
  'sql`select from emails e, deliveries d where d.email_id = e.id`',
  'sql`select from emails where id in (select email_id from deliveries)`',
])('finds the join in %s', (code) => {
  expect(joinsOfOrganizations({ code })).toHaveLength(1);
});
