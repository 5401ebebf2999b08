import type { InboundMail, Organization, Ticket } from '@tandem/contracts';
import { sql, type Insertable } from 'kysely';
import type { InboundMailRow, MailOriginalRow, TicketsTx } from '../schema';
import { confirmed, hourMs, keptDays, mailboxOf, repeatDays, type Passed } from './mail';

// Reads name the organization beside row-level security, as those of files do: the tables are readable for the system, too.

/** An organization has had this subdomain at this time. Whoever had a label last owns it, in whatever order the events of both arrive. */
export async function keepMailLabel(tx: TicketsTx, { id, subdomain }: Pick<Organization, 'id' | 'subdomain'>, at: string): Promise<void> {
  if (subdomain === null) return;
  await tx
    .insertInto('mail_labels')
    .values({ organization_id: id, label: subdomain.toLowerCase(), had_at: at })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'label']).doUpdateSet({ had_at: sql<string>`greatest(mail_labels.had_at, excluded.had_at)` }),
    )
    .execute();
}

export async function findOwnerOfLabel(tx: TicketsTx, label: string): Promise<string | undefined> {
  const query = tx.selectFrom('mail_labels').select('organization_id').where('label', '=', label);
  return (await query.orderBy('had_at', 'desc').limit(1).executeTakeFirst())?.organization_id;
}

export async function isKnownOrganization(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const known = await tx
    .selectFrom('organizations')
    .select('organization_id')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return known !== undefined;
}

type NewInboundMail = Pick<
  Insertable<InboundMailRow>,
  | 'organization_id'
  | 'id'
  | 'to_address'
  | 'envelope_from'
  | 'client_address'
  | 'client_name'
  | 'raw'
  | 'size'
  | 'digest'
  | 'outcome'
  | 'reason'
>;

/** False when this mail is here already. */
export async function insertInboundMail(tx: TicketsTx, mail: NewInboundMail): Promise<boolean> {
  const unknown = { from_address: null, sender_mailbox: null, subject: null, message_id: null, likeness: null, checks: null };
  const row = { ...mail, ...unknown, ticket_id: null, comment_id: null };
  const added = await tx
    .insertInto('inbound_mails')
    .values({ ...row, received_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.columns(['organization_id', 'digest']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** How many mails of an organization wait, and their bytes: read from the index of those that do. */
export async function findWaiting(tx: TicketsTx, organization_id: string): Promise<{ mails: number; bytes: number }> {
  const { rows } = await sql<{ mails: number; bytes: number }>`
    select count(*)::float8 as mails, coalesce(sum(size), 0)::float8 as bytes from inbound_mails
    where organization_id = ${organization_id} and outcome is null`.execute(tx);
  return rows[0]!;
}

const waitingFields = [
  'organization_id',
  'id',
  'to_address',
  'envelope_from',
  'client_address',
  'client_name',
  'raw',
  'received_at',
] as const;
export type WaitingMail = Pick<InboundMailRow, (typeof waitingFields)[number]>;

/** Undefined once its work is done. */
export const findWaitingMail = (tx: TicketsTx, organization_id: string, id: string): Promise<WaitingMail | undefined> =>
  tx
    .selectFrom('inbound_mails')
    .select(waitingFields)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst();

/** Locks the row of a mail that still waits: of two workers on one mail, the second finds nothing to do. */
export async function lockWaitingMail(tx: TicketsTx, organization_id: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('inbound_mails').select('id').where('organization_id', '=', organization_id).where('id', '=', id);
  return (await query.where('outcome', 'is', null).forUpdate().executeTakeFirst()) !== undefined;
}

export interface Outcome {
  outcome: NonNullable<InboundMail['outcome']>;
  reason?: string | null;
  ticket_id?: string | null;
  comment_id?: string | null;
}
export type Known = Partial<Pick<InboundMailRow, 'from_address' | 'sender_mailbox' | 'subject' | 'message_id' | 'likeness' | 'checks'>>;

/** Refused although it can be read: its sender may do that again and again, and its bytes are of no use to anybody. */
const refusedByRule = ['too_many', 'locked'];

/** What became of a mail. Its bytes go unless it was broken, or its work failed: then they are all that there is of it. */
export async function recordOutcome(tx: TicketsTx, organization_id: string, id: string, known: Known, outcome: Outcome): Promise<void> {
  const isBroken = outcome.outcome === 'refused' && !refusedByRule.includes(outcome.reason ?? '');
  await tx
    .updateTable('inbound_mails')
    .set({ ...known, ...outcome, ...(isBroken ? {} : { raw: null }) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute();
}

/** `reason` of a mail that nothing but the number in its subject put where it is: whoever knows its Message-ID knows no more than that. */
export const numberAlone = 'number_alone';

/** What names a ticket; `is_proven`: only who has had a mail of that conversation could. */
export interface Named {
  ticket_id: string;
  is_proven: boolean;
}

/** The tickets that earlier mails with these Message-IDs became part of. */
export async function findTicketsOfMessages(tx: TicketsTx, organization_id: string, message_ids: string[]): Promise<Map<string, Named>> {
  if (message_ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('inbound_mails')
    .select(['message_id', 'ticket_id', 'reason'])
    .where('organization_id', '=', organization_id)
    .where('message_id', 'in', message_ids)
    .where('outcome', 'in', ['ticket', 'comment'])
    .orderBy('received_at')
    .execute();
  const named = rows.flatMap(({ message_id, ticket_id, reason }): [string, Named][] =>
    ticket_id === null ? [] : [[message_id!, { ticket_id, is_proven: reason !== numberAlone }]],
  );
  // Of two with the same Message-ID the later one counts, and one that is proven before one that is not.
  return new Map(named.toSorted(([, a], [, b]) => Number(a.is_proven) - Number(b.is_proven)));
}

export async function findTicketIdByNumber(tx: TicketsTx, organization_id: string, ticket_number: string): Promise<string | undefined> {
  const query = tx.selectFrom('tickets').select('id').where('organization_id', '=', organization_id);
  return (await query.where('ticket_number', '=', ticket_number).executeTakeFirst())?.id;
}

/** What came of a sender's mailbox in the hour before, and whether this very mail was among what came lately. */
export async function findPassed(
  tx: TicketsTx,
  mail: Pick<WaitingMail, 'organization_id' | 'id' | 'received_at'>,
  sender: string,
  likeness: string | null,
): Promise<Passed> {
  const before = (ms: number) => new Date(Date.parse(mail.received_at) - ms).toISOString();
  const since = before(hourMs);
  const { rows } = await sql<Passed>`
    select count(*) filter (where outcome in ('ticket', 'comment', 'note') and received_at > ${since}::timestamptz) as mails,
      count(*) filter (where outcome = 'ticket' and received_at > ${since}::timestamptz) as tickets,
      coalesce(bool_or(outcome in ('ticket', 'comment', 'note') and likeness = ${likeness}), false) as is_repeat
    from inbound_mails
    where organization_id = ${mail.organization_id} and sender_mailbox = ${mailboxOf(sender)} and id <> ${mail.id}
      and received_at > ${before(repeatDays * 24 * hourMs)}::timestamptz`.execute(tx);
  return rows[0]!;
}

/** Whether mails have opened more tickets lately than are confirmed. Mails at the same time do not wait for each other here: it may be a few more. */
export async function hasOpenedMany(tx: TicketsTx, mail: Pick<WaitingMail, 'organization_id' | 'received_at'>): Promise<boolean> {
  const opened = await tx
    .selectFrom('inbound_mails')
    .select('id')
    .where('organization_id', '=', mail.organization_id)
    .where('outcome', '=', sql.lit('ticket'))
    .where('received_at', '>', new Date(Date.parse(mail.received_at) - confirmed.minutes * 60_000).toISOString())
    .limit(confirmed.tickets)
    .execute();
  return opened.length === confirmed.tickets;
}

/** Whether a customer was told in the day before that their ticket takes no answers. */
export async function wasRefused(tx: TicketsTx, organization_id: string, ticket: Pick<Ticket, 'id'>, sender: string): Promise<boolean> {
  const told = await tx
    .selectFrom('inbound_mails')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('sender_mailbox', '=', mailboxOf(sender))
    .where('received_at', '>', new Date(Date.now() - 24 * hourMs).toISOString())
    .where('ticket_id', '=', ticket.id)
    .where('reason', '=', 'locked')
    .limit(1)
    .executeTakeFirst();
  return told !== undefined;
}

export const insertOriginal = async (tx: TicketsTx, original: Insertable<MailOriginalRow>): Promise<void> => {
  await tx.insertInto('mail_originals').values(original).execute();
};

/** What has waited longer than a job should need to begin: Redis may have forgotten it. Oldest first, at most 500 a sweep. */
export const findForgottenAcrossOrganizations = (tx: TicketsTx): Promise<Pick<InboundMailRow, 'organization_id' | 'id'>[]> =>
  tx
    .selectFrom('inbound_mails')
    .select(['organization_id', 'id'])
    .where('outcome', 'is', null)
    .where('received_at', '<', sql<string>`now() - interval '5 seconds'`)
    .orderBy('received_at')
    .limit(500)
    .execute();

// What waits is not past its time, however long it does.
const isPast = sql<boolean>`received_at < now() - make_interval(days => ${sql.lit(keptDays)}) and outcome is not null`;

export async function findsPastMailsAcrossOrganizations(tx: TicketsTx): Promise<boolean> {
  return (await tx.selectFrom('inbound_mails').select('id').where(isPast).limit(1).executeTakeFirst()) !== undefined;
}

/** At most `limit` of them; how many there were. */
export async function deletePastMailsAcrossOrganizations(tx: TicketsTx, limit: number): Promise<number> {
  const past = tx.selectFrom('inbound_mails').select(['organization_id', 'id']).where(isPast).orderBy('received_at').limit(limit);
  const { numDeletedRows } = await tx
    .deleteFrom('inbound_mails')
    .where((row) => row(row.refTuple('organization_id', 'id'), 'in', past.$asTuple('organization_id', 'id')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
