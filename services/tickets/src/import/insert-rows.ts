import { sql } from 'kysely';
import type { TicketsSchema, TicketsTx } from '../schema';

/** SQL types by column. */
type Columns = Readonly<Record<string, string>>;

/**
 * Inserts many rows with one parameter: a statement with a parameter per value would be compiled and planned for each number of rows.
 * Members that are missing are null. Returns the number of rows; with `isRepeatable`, rows whose key exists are left out.
 */
export async function insertRows(
  tx: TicketsTx,
  table: keyof TicketsSchema,
  columns: Columns,
  rows: readonly object[],
  { isRepeatable = false }: { isRepeatable?: boolean } = {},
): Promise<number> {
  if (rows.length === 0) return 0;
  const names = Object.keys(columns);
  const list = sql.join(names.map((name) => sql.ref(name)));
  const types = sql.raw(names.map((name) => `"${name}" ${columns[name]}`).join(', '));
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${list}) select ${list} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${types})
    ${isRepeatable ? sql`on conflict do nothing` : sql``}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
