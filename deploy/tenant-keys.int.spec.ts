import type { ServiceName } from '@tandem/contracts';
import { freshDatabase } from '@tandem/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Unique indexes (primary keys included) and foreign keys of tenant tables that do not contain `organization_id`. */
const keysWithoutOrganization = `
  with tenant as (select attrelid, attnum from pg_attribute a join pg_class c on c.oid = attrelid
    where attname = 'organization_id' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not attisdropped)
  select indrelid::regclass || ': ' || string_agg(attname, ', ' order by attname) as key
    from pg_index join tenant on attrelid = indrelid join pg_attribute a on a.attrelid = indrelid and a.attnum = any(indkey)
    where indisunique and not tenant.attnum = any(indkey) group by indexrelid, indrelid
  union all
  select conrelid::regclass || ' → ' || confrelid::regclass from pg_constraint join tenant on attrelid = conrelid
    where contype = 'f' and not attnum = any(conkey) order by 1`;

const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const satisfies readonly ServiceName[];

/** The rows `| database | key |` of the page; its other table with databases lists functions. */
const documented = [
  ...readFileSync(join(__dirname, '../docs/scale.md'), 'utf8').matchAll(/^\| (\w+) +\| `((?!\w+AcrossOrganizations)[^`]+)`/gm),
].map(([, service, key]) => `${service} ${key}`);

it('keys of tenant tables contain the organization, except those listed in docs/scale.md', async () => {
  const found: string[] = [];
  for (const service of services) {
    const { ownerUrl } = await freshDatabase(service);
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ key: string }>(keysWithoutOrganization);
      found.push(...rows.map(({ key }) => `${service} ${key}`));
    } finally {
      await client.end();
    }
  }
  expect(documented.sort()).toEqual(found.sort());
});
