import { anyOf } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

export interface DeletedTickets {
  /** Those that existed. */
  ticket_ids: string[];
  comments: number;
  files: number;
  surveys: number;
  drafts: number;
  received_emails: number;
}

/** The files of descriptions and comments. */
export async function findFilesOfTickets(
  tx: TicketsTx,
  organization_id: string,
  ticket_ids: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('attachments')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', anyOf('uuid', ticket_ids))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteFileRows(tx: TicketsTx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('attachments').where('id', '=', anyOf('uuid', ids)).execute();
}

/**
 * Deletes tickets and all rows that refer to them, and returns what was deleted. Other tickets that were merged into them become tickets of
 * their own, and articles that were drafted from them stay. Foreign keys delete most rows; emails have none, because they exist before the
 * ticket.
 */
export async function deleteTicketsWithRows(
  tx: TicketsTx,
  organization_id: string,
  ids: readonly string[],
): Promise<Omit<DeletedTickets, 'files'>> {
  const { rows: tickets } = await sql<{
    id: string;
  }>`select id from tickets where id = ${anyOf('uuid', ids)} order by id for update`.execute(tx);
  const ticket_ids = tickets.map(({ id }) => id);
  const own = anyOf('uuid', ticket_ids);
  const { rows } = await sql<Omit<DeletedTickets, 'files' | 'ticket_ids'>>`
    with separated as (
      update tickets set merged_into_id = null, version = version + 1, changed_in = pg_current_xact_id()::text::bigint
      where merged_into_id = ${own} and not id = ${own}
    ), emails as (
      delete from inbound_mails where ticket_id = ${own} returning id
    )
    select (select count(*) from comments where ticket_id = ${own})::int as comments,
      (select count(*) from surveys where ticket_id = ${own})::int as surveys, (select count(*) from drafts where ticket_id = ${own})::int as drafts, (select count(*) from emails)::int as received_emails`.execute(
    tx,
  );
  await sql`update tickets set assigned_to = null, merged_into_id = null where id = ${own} and (assigned_to is not null or merged_into_id is not null)`.execute(
    tx,
  );
  await sql`delete from tickets where id = ${own}`.execute(tx);
  await addUnusedNumbers(tx, organization_id, ticket_ids.length);
  return { ticket_ids, ...rows[0]! };
}

/**
 * Adds the count to the numbers that no ticket has; a negative one when tickets have taken some of them. Without it, the totals of lists are
 * wrong. Last in a transaction, because people who create tickets wait for the counter.
 */
export async function addUnusedNumbers(tx: TicketsTx, organization_id: string, count: number): Promise<void> {
  if (count === 0) return;
  await sql`update ticket_counters set unused_numbers = unused_numbers + ${count} where organization_id = ${organization_id}`.execute(tx);
}

/**
 * Deletes the stored responses to requests that name one of these tickets. A repeated request finds no ticket. Each response is read once,
 * not once per ticket.
 */
export async function deleteResponsesAbout(tx: TicketsTx, organization_id: string, ticket_ids: readonly string[]): Promise<void> {
  await sql`
    delete from idempotency_keys k where organization_id = ${organization_id}::uuid and status = 'done' and exists (
      select from regexp_matches(encode(response_body, 'escape'), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') m
      where m[1]::uuid = any(${ticket_ids}::uuid[]))`.execute(tx);
}
