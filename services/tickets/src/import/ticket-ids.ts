import { sql } from 'kysely';
import type { Database } from '@tandem/db';
import type { TicketsSchema, TicketsTx } from '../schema';
import { ticketIds } from './import';
import type { StoredImport } from './import.store';

const pageSize = 2_000;

interface Identity {
  key: string;
  created_at: string;
  subject: string;
  email: string;
  url: string | null;
}

/**
 * Sets the id of every staged ticket, before any of them is created, because tickets refer to others. It is the id that an earlier import gave it.
 * Ids of deleted tickets are avoided: for a day, all services delete what they still receive about these. Can be repeated.
 */
export async function assignTicketIds(db: Database<TicketsSchema>, row: StoredImport): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    after = await db.forTenant(row, (tx) => assignPage(tx, row, from));
  }
}

/** Returns the last key; undefined at the end. */
async function assignPage(tx: TicketsTx, row: StoredImport, after: string): Promise<string | undefined> {
  const { rows } = await sql<Identity>`
    select key, data->>'created_at' as created_at, data->>'subject' as subject, data->'customer'->>'email' as email, data->>'url' as url
    from import_records where import_id = ${row.id} and kind = 'ticket' and state is null and key > ${after}
    order by key limit ${pageSize}`.execute(tx);
  if (rows.length === 0) return undefined;
  const candidates = rows.map((identity) => ({ key: identity.key, ids: ticketIds(row, identity) }));
  const all = candidates.flatMap(({ ids }) => ids);
  const { rows: known } = await sql<{ id: string; exists: boolean }>`
    select id, true as exists from tickets where id = any(${all}::uuid[])
    union all select ticket_id, false from ticket_deletions where organization_id = ${row.organization_id} and ticket_id = any(${all}::uuid[])`.execute(tx); // prettier-ignore
  const existing = new Set(known.filter(({ exists }) => exists).map(({ id }) => id));
  const deleted = new Set(known.filter(({ exists }) => !exists).map(({ id }) => id));
  const chosen = candidates.map(({ key, ids }) => ({
    key,
    id: ids.find((id) => existing.has(id)) ?? ids.find((id) => !deleted.has(id)) ?? ids.at(-1),
  }));
  await sql`update import_records r set record_id = c.id from json_to_recordset(${JSON.stringify(chosen)}::json) as c(key text, id uuid)
    where r.import_id = ${row.id} and r.kind = 'ticket' and r.key = c.key`.execute(tx);
  return rows.at(-1)!.key;
}
