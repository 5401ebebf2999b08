import type pg from 'pg';
import { quoted } from '../installation';

export interface TableColumns {
  name: string;
  /** Without generated ones, whose values the database computes. */
  columns: string[];
}

/** All tables with data, in the order of their names. The list of applied migrations is not data. */
export async function findTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname <> 'schema_migrations'
    group by c.relname order by c.relname`);
  return rows;
}

export const columnList = ({ columns }: TableColumns): string => columns.map(quoted).join(', ');

/** The last value of each sequence in use. */
export async function findSequences(client: pg.Client): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null`,
  );
  return rows;
}
