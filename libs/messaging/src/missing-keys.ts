import type { Database } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import { sql } from 'kysely';

interface MissingKey {
  key_id: string;
  /** For example `mailboxes.sealed_password`. */
  column: string;
}

/** The keys that sealed values of the service need and that are not configured. Columns with sealed values begin with `sealed_`. */
export async function findMissingKeys(db: Database, secrets: Secrets): Promise<MissingKey[]> {
  return db.asSystem('ids of the encryption keys in use', async (tx) => {
    const columns = await sql<{ table: string; name: string }>`
      select c.relname as "table", a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like 'sealed\\_%' and not a.attisdropped
      order by 1, 2`.execute(tx);
    const used = await Promise.all(
      columns.rows.map(async ({ table, name }) => {
        const { rows } = await sql<{ key_id: string }>`
          select distinct split_part(${sql.ref(name)}, '.', 1) as key_id from ${sql.table(table)} where ${sql.ref(name)} <> ''`.execute(tx);
        return rows.map(({ key_id }) => ({ key_id, column: `${table}.${name}` }));
      }),
    );
    return used.flat().filter(({ key_id }) => !secrets.hasKey(key_id));
  });
}
