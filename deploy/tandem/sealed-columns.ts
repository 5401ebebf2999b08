import type pg from 'pg';
import { quoted } from './installation';

export interface SealedColumn {
  table: string;
  column: string;
}

export interface KeyCount extends SealedColumn {
  key_id: string;
  rows: number;
}

/** All columns with sealed values. Their names begin with `sealed_`. */
export async function findSealedColumns(client: pg.Client): Promise<SealedColumn[]> {
  const { rows } = await client.query<SealedColumn>(`
    select table_name::text as "table", column_name::text as "column" from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed\\_%' order by 1, 2`);
  return rows;
}

/** The number of sealed values per column and key. A sealed value begins with the id of its key. */
export async function countKeyIds(client: pg.Client): Promise<KeyCount[]> {
  const counts: KeyCount[] = [];
  for (const { table, column } of await findSealedColumns(client)) {
    const { rows } = await client.query<{ key_id: string; rows: string }>(
      `select split_part(${quoted(column)}, '.', 1) as key_id, count(*) as rows from ${quoted(table)} where ${quoted(column)} <> '' group by 1`,
    );
    counts.push(...rows.map(({ key_id, rows: n }) => ({ table, column, key_id, rows: Number(n) })));
  }
  return counts;
}
