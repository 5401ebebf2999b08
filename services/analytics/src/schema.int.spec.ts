import { Database, unprotectedTables } from '@tandem/db';
import { freshDatabase } from '@tandem/testing';
import { sql } from 'kysely';
import type { AnalyticsSchema } from './schema';

it('leaves no table outside tenancy, and agrees with the migrated database column by column', async () => {
  const database = await freshDatabase('analytics');
  expect(await unprotectedTables(database.ownerUrl)).toEqual([]);
  // The type makes this list complete: a missing or extra column does not compile.
  const columns: { [Table in keyof AnalyticsSchema]: Record<keyof AnalyticsSchema[Table], true> } = {
    ticket_facts: {
      organization_id: true,
      ticket_id: true,
      status: true,
      priority: true,
      assigned_to: true,
      created_at: true,
      resolved_at: true,
      sequence: true,
    },
    ticket_counts: { organization_id: true, total: true, open: true, resolved: true, unassigned: true },
  };
  const db = new Database<AnalyticsSchema>({ url: database.url });
  const found = await db.asSystem('test', (tx) =>
    sql<{ table: string; columns: string[] }>`select table_name as "table", array_agg(column_name::text order by column_name) as columns
      from information_schema.columns where table_schema = 'public' group by table_name`.execute(tx),
  );
  const real = Object.fromEntries(found.rows.map((row) => [row.table, row.columns]));
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
  await db.close();
  await database.drop();
});
