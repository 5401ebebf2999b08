import type { InboundMail, Organization, Ticket } from '@tandem/contracts';
import { sql, type Insertable } from 'kysely';
import type { InboundMailRow, MailOriginalRow, TicketsTx } from '../schema';
import { confirmationLimits, hourMs, retentionDays, canonicalMailbox, duplicateDays, type SenderHistory } from './mail';
import { piecesOf } from './pieces';

// Reads filter by organization in addition to row-level security, for the reason in attachment.store.ts: the system may read these tables.

/** Records when an organization had this subdomain. The latest organization to have a label owns it, regardless of event order. */
export async function saveMailLabel(tx: TicketsTx, { id, subdomain }: Pick<Organization, 'id' | 'subdomain'>, at: string): Promise<void> {
  if (subdomain === null) return;
  await tx
    .insertInto('mail_labels')
    .values({ organization_id: id, label: subdomain.toLowerCase(), last_used_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'label'])
        .doUpdateSet({ last_used_at: sql<string>`greatest(mail_labels.last_used_at, excluded.last_used_at)` }),
    )
    .execute();
}

export async function findLabelOwnerAcrossOrganizations(tx: TicketsTx, label: string): Promise<string | undefined> {
  const query = tx.selectFrom('mail_labels').select('organization_id').where('label', '=', label);
  return (await query.orderBy('last_used_at', 'desc').limit(1).executeTakeFirst())?.organization_id;
}

/** The organizations that have verified this domain for bounces, the latest first. */
export async function findBounceDomainOwnersAcrossOrganizations(tx: TicketsTx, domain: string): Promise<string[]> {
  const query = tx.selectFrom('bounce_domains').select('organization_id').where('domain', '=', domain);
  return (await query.orderBy('created_at', 'desc').limit(20).execute()).map(({ organization_id }) => organization_id);
}

/** Whether the address with an organization's id exists. Live demos have none. */
export async function hasIdAddress(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const known = await tx
    .selectFrom('organizations')
    .select('organization_id')
    .where('organization_id', '=', organization_id)
    .where('is_demo', '=', false)
    .executeTakeFirst();
  return known !== undefined;
}

type NewInboundMail = Pick<
  Insertable<InboundMailRow>,
  'organization_id' | 'id' | 'to_address' | 'envelope_from' | 'client_address' | 'client_name' | 'size' | 'digest' | 'outcome' | 'reason'
>;

/** The driver encodes and decodes a value at once: 25 MB would block the event loop. */
const pieceBytes = 256 * 1024;

/** False if this email is already stored. `raw` has the bytes in blocks; null for emails whose bytes are not stored. */
export async function insertInboundMail(tx: TicketsTx, mail: NewInboundMail, raw: readonly Buffer[] | null): Promise<boolean> {
  const unknown = { from_address: null, sender_mailbox: null, subject: null, message_id: null, content_hash: null, checks: null };
  const row = { ...mail, ...unknown, ticket_id: null, comment_id: null };
  const added = await tx
    .insertInto('inbound_mails')
    .values({ ...row, received_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.columns(['organization_id', 'digest']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return false;
  let position = 0;
  for (const bytes of raw?.flatMap((block) => [...piecesOf(block, pieceBytes)]) ?? []) {
    const piece = { organization_id: mail.organization_id, inbound_id: mail.id, position: position++, bytes };
    await tx.insertInto('inbound_mail_pieces').values(piece).execute();
  }
  return true;
}

/** Number and total bytes of an organization's unprocessed emails, from a partial index. */
export async function measureBacklog(tx: TicketsTx, organization_id: string): Promise<{ mails: number; bytes: number }> {
  const { rows } = await sql<{ mails: number; bytes: number }>`
    select count(*)::float8 as mails, coalesce(sum(size), 0)::float8 as bytes from inbound_mails
    where organization_id = ${organization_id} and outcome is null`.execute(tx);
  return rows[0]!;
}

const unprocessedFields = ['organization_id', 'id', 'to_address', 'envelope_from', 'client_address', 'client_name', 'received_at'] as const;
export type UnprocessedMail = Pick<InboundMailRow, (typeof unprocessedFields)[number]>;

/** Undefined once it is processed. */
export const findUnprocessedMail = (tx: TicketsTx, organization_id: string, id: string): Promise<UnprocessedMail | undefined> =>
  tx
    .selectFrom('inbound_mails')
    .select(unprocessedFields)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst();

/** The bytes of an email, in pieces. Undefined once it is processed. */
export async function readRaw(
  tx: TicketsTx,
  { organization_id, id }: Pick<UnprocessedMail, 'organization_id' | 'id'>,
): Promise<Buffer[] | undefined> {
  const mail = tx.selectFrom('inbound_mails').select('size').where('organization_id', '=', organization_id).where('id', '=', id);
  const findUnprocessed = () => mail.where('outcome', 'is', null).executeTakeFirst();
  const unprocessed = await findUnprocessed();
  if (!unprocessed) return undefined;
  // As base64: the driver would receive bytes as hexadecimal text, which takes twice as long to decode.
  const base64 = sql<string>`encode(bytes, 'base64')`.as('base64');
  const pieces = tx.selectFrom('inbound_mail_pieces').select(base64).where('organization_id', '=', organization_id);
  const raw: Buffer[] = [];
  for (let read = 0; read < unprocessed.size; read += raw.at(-1)!.length) {
    const piece = await pieces.where('inbound_id', '=', id).where('position', '=', raw.length).executeTakeFirst();
    if (piece) raw.push(Buffer.from(piece.base64, 'base64'));
    // Another worker may have processed the email in the meantime.
    else if (await findUnprocessed()) throw new Error('the bytes of this email are missing');
    else return undefined;
  }
  return raw;
}

/** Locks the row of an unprocessed email, so that a second worker finds nothing to do. */
export async function lockUnprocessedMail(tx: TicketsTx, organization_id: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('inbound_mails').select('id').where('organization_id', '=', organization_id).where('id', '=', id);
  return (await query.where('outcome', 'is', null).forUpdate().executeTakeFirst()) !== undefined;
}

export interface Outcome {
  outcome: NonNullable<InboundMail['outcome']>;
  reason?: string | null;
  ticket_id?: string | null;
  comment_id?: string | null;
}
export type MailSummary = Partial<
  Pick<InboundMailRow, 'from_address' | 'sender_mailbox' | 'subject' | 'message_id' | 'content_hash' | 'checks'>
>;

/** Reasons for refusing readable emails. Their bytes are useless to staff and are deleted, because a sender can repeat them endlessly. */
const refusedByRule = ['too_many', 'locked'];

/** Saves the result of an email. Deletes its bytes, unless it was unreadable or failed: then they are the only record of it. */
export async function recordOutcome(
  tx: TicketsTx,
  organization_id: string,
  id: string,
  known: MailSummary,
  outcome: Outcome,
): Promise<void> {
  const isBroken = outcome.outcome === 'refused' && !refusedByRule.includes(outcome.reason ?? '');
  const recorded = await tx
    .updateTable('inbound_mails')
    .set({ ...known, ...outcome })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!recorded || isBroken) return;
  await tx.deleteFrom('inbound_mail_pieces').where('organization_id', '=', organization_id).where('inbound_id', '=', id).execute();
}

/** The `reason` of an email matched only by the number in its subject: knowing its Message-ID proves no more than knowing the number. */
export const numberOnly = 'number_alone';

/** A matched ticket; `is_proven` if only a recipient of an email of that conversation could have made the reference. */
export interface ReferencedTicket {
  ticket_id: string;
  is_proven: boolean;
}

/** The tickets that earlier emails with these Message-IDs were added to. */
export async function findTicketsByMessageIds(
  tx: TicketsTx,
  organization_id: string,
  message_ids: string[],
): Promise<Map<string, ReferencedTicket>> {
  if (message_ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('inbound_mails')
    .select(['message_id', 'ticket_id', 'reason'])
    .where('organization_id', '=', organization_id)
    .where('message_id', 'in', message_ids)
    .where('outcome', 'in', ['ticket', 'comment'])
    .orderBy('received_at')
    .execute();
  const named = rows.flatMap(({ message_id, ticket_id, reason }): [string, ReferencedTicket][] =>
    ticket_id === null ? [] : [[message_id!, { ticket_id, is_proven: reason !== numberOnly }]],
  );
  // For duplicate Message-IDs the last entry wins: a proven one, else the latest.
  return new Map(named.toSorted(([, a], [, b]) => Number(a.is_proven) - Number(b.is_proven)));
}

export async function findTicketIdByNumber(tx: TicketsTx, organization_id: string, ticket_number: string): Promise<string | undefined> {
  const query = tx.selectFrom('tickets').select('id').where('organization_id', '=', organization_id);
  return (await query.where('ticket_number', '=', ticket_number).executeTakeFirst())?.id;
}

/** A sender's emails and tickets in the last hour, and whether this email already arrived within the last `duplicateDays`. */
export async function findSenderHistory(
  tx: TicketsTx,
  mail: Pick<UnprocessedMail, 'organization_id' | 'id' | 'received_at'>,
  sender: string,
  content_hash: string | null,
): Promise<SenderHistory> {
  const before = (ms: number) => new Date(Date.parse(mail.received_at) - ms).toISOString();
  const since = before(hourMs);
  const { rows } = await sql<SenderHistory>`
    select count(*) filter (where outcome in ('ticket', 'comment', 'note') and received_at > ${since}::timestamptz) as mails,
      count(*) filter (where outcome = 'ticket' and received_at > ${since}::timestamptz) as tickets,
      coalesce(bool_or(outcome in ('ticket', 'comment', 'note') and content_hash = ${content_hash}), false) as is_duplicate
    from inbound_mails
    where organization_id = ${mail.organization_id} and sender_mailbox = ${canonicalMailbox(sender)} and id <> ${mail.id}
      and received_at > ${before(duplicateDays * 24 * hourMs)}::timestamptz`.execute(tx);
  return rows[0]!;
}

/** Whether recent emails opened more tickets than `confirmationLimits`. Concurrent emails are not serialized, so a few more may be confirmed. */
export async function exceedsConfirmationLimits(
  tx: TicketsTx,
  mail: Pick<UnprocessedMail, 'organization_id' | 'received_at'>,
): Promise<boolean> {
  const opened = await tx
    .selectFrom('inbound_mails')
    .select('id')
    .where('organization_id', '=', mail.organization_id)
    .where('outcome', '=', sql.lit('ticket'))
    .where('received_at', '>', new Date(Date.parse(mail.received_at) - confirmationLimits.minutes * 60_000).toISOString())
    .limit(confirmationLimits.tickets)
    .execute();
  return opened.length === confirmationLimits.tickets;
}

/** Whether the customer was notified within the last 24 hours that the ticket accepts no replies. */
export async function wasRefused(tx: TicketsTx, organization_id: string, ticket: Pick<Ticket, 'id'>, sender: string): Promise<boolean> {
  const refused = await tx
    .selectFrom('inbound_mails')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('sender_mailbox', '=', canonicalMailbox(sender))
    .where('received_at', '>', new Date(Date.now() - 24 * hourMs).toISOString())
    .where('ticket_id', '=', ticket.id)
    .where('reason', '=', 'locked')
    .limit(1)
    .executeTakeFirst();
  return refused !== undefined;
}

export const insertOriginal = async (tx: TicketsTx, original: Insertable<MailOriginalRow>): Promise<void> => {
  await tx.insertInto('mail_originals').values(original).execute();
};

/** Emails unprocessed for 5 seconds, whose job Redis may have lost. Oldest first, at most 500 per sweep. */
export const findUnprocessedAcrossOrganizations = (tx: TicketsTx): Promise<Pick<InboundMailRow, 'organization_id' | 'id'>[]> =>
  tx
    .selectFrom('inbound_mails')
    .select(['organization_id', 'id'])
    .where('outcome', 'is', null)
    .where('received_at', '<', sql<string>`now() - interval '5 seconds'`)
    .orderBy('received_at')
    .limit(500)
    .execute();

// Unprocessed emails never expire.
const isExpired = sql<boolean>`received_at < now() - make_interval(days => ${sql.lit(retentionDays)}) and outcome is not null`;

export async function hasExpiredMailsAcrossOrganizations(tx: TicketsTx): Promise<boolean> {
  return (await tx.selectFrom('inbound_mails').select('id').where(isExpired).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes at most `limit` expired emails and returns how many. */
export async function deleteExpiredMailsAcrossOrganizations(tx: TicketsTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from inbound_mails where ctid = any(array(
      select ctid from inbound_mails where ${isExpired} order by received_at limit ${limit}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
