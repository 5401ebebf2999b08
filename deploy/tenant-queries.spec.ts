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
    const found = [...code.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+AcrossOrganizations\w*)/gm)];
    // Up to the next declaration.
    return found.map(({ 1: name, index }) => ({ service, name: name!, code: code.slice(index).split(/\n\n(?=\S)/)[0]! }));
  });
});

/** Accounts and what belongs to them are in no organization, and an account is a member of one. */
const ofAccounts = ['users', 'members', 'mfa', 'refresh_tokens'];

/** The joins of a function that do not compare the organizations of both sides. */
function joinsOfOrganizations({ code }: Query): string[] {
  const byBuilder = [...code.matchAll(/\.\w*Join\(\s*'(\w+)[^)]*\)/g)].filter(
    ([text, table]) => !ofAccounts.includes(table!) && !text.includes('organization_id'),
  );
  const inSql = [...code.matchAll(/\bjoin (?:lateral )?[\s\S]*?(?=\b(?:left |cross |inner )?join\b|\bwhere\b[^)]*$|`|$)/g)].filter(
    ([text]) => !text.includes('organization_id'),
  );
  return [...byBuilder, ...inSql].map(([text]) => text);
}

/** The rows `| service | reads | …` of the page, with all names in backquotes of the second cell. */
const documented = [...readFileSync(join(root, 'docs/scale.md'), 'utf8').matchAll(/^\| (\w+) +\|(.*AcrossOrganizations[^|]*)\|/gm)].flatMap(
  ([, service, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${service} ${name}`),
);

it('every read across organizations is listed in docs/scale.md with its replacement', () => {
  expect(documented.sort()).toEqual(acrossOrganizations.map(({ service, name }) => `${service} ${name}`).sort());
});

it('no statement joins rows of two organizations', () => {
  const found = acrossOrganizations.flatMap((query) =>
    joinsOfOrganizations(query).map((text) => `${query.service} ${query.name}: ${text}`),
  );
  expect(found).toEqual([]);
  const joins = (code: string) => joinsOfOrganizations({ service: '', name: '', code });
  expect(joins("tx.selectFrom('emails').innerJoin('deliveries', 'deliveries.email_id', 'emails.id')")).toHaveLength(1);
  expect(joins('sql`select from emails e join deliveries d on d.email_id = e.id where e.id = 1`')).toHaveLength(1);
});
