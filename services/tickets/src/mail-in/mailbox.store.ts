import type { InboundMail, InputOf, listInboundMails, Mailbox, OriginalMail, Page } from '@tandem/contracts';
import { paginate } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import type { MailboxRow, TicketsTx } from '../schema';

/** A mailbox with its sealed password. */
export type Connection = Selectable<MailboxRow>;

// Reads filter by organization in addition to row-level security, for the reason in attachment.store.ts: the system may read these tables.

const shown = ['host', 'port', 'username', 'folder', 'is_active', 'last_polled_at', 'last_error'] as const;

export const findMailbox = (tx: TicketsTx, organization_id: string): Promise<Mailbox | undefined> =>
  tx.selectFrom('mailboxes').select(shown).where('organization_id', '=', organization_id).executeTakeFirst();

/** Includes the sealed password. */
export const findConnection = (tx: TicketsTx, organization_id: string): Promise<Connection | undefined> =>
  tx.selectFrom('mailboxes').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();

/** One mailbox per organization: replaces the previous one and clears its error. */
export async function saveConnection(
  tx: TicketsTx,
  row: Pick<Connection, 'organization_id' | 'id' | 'host' | 'port' | 'username' | 'sealed_password' | 'folder' | 'is_active'>,
): Promise<void> {
  const fresh = { ...row, last_error: null, updated_at: new Date().toISOString() };
  const { organization_id: _, ...changed } = fresh;
  await tx
    .insertInto('mailboxes')
    .values({ ...fresh, last_polled_at: null, claimed_until: null })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(changed))
    .execute();
}

export const deleteConnection = (
  tx: TicketsTx,
  organization_id: string,
): Promise<Pick<Connection, 'id' | 'username' | 'host'> | undefined> =>
  tx.deleteFrom('mailboxes').where('organization_id', '=', organization_id).returning(['id', 'username', 'host']).executeTakeFirst();

/** Mailboxes due for polling; at most 500 per sweep. */
export const findDueAcrossOrganizations = (
  tx: TicketsTx,
  pollIntervalSeconds: number,
): Promise<Pick<Connection, 'organization_id' | 'id'>[]> =>
  tx
    .selectFrom('mailboxes')
    .select(['organization_id', 'id'])
    .where('is_active', '=', true)
    .where(sql<boolean>`(last_polled_at is null or last_polled_at < now() - make_interval(secs => ${pollIntervalSeconds}))`)
    .where(sql<boolean>`(claimed_until is null or claimed_until < now())`)
    .orderBy('last_polled_at', (order) => order.asc().nullsFirst())
    .limit(500)
    .execute();

/** Undefined if it was deleted, is inactive, or another process is polling it. */
export const claimMailbox = (tx: TicketsTx, organization_id: string, id: string, seconds: number): Promise<Connection | undefined> =>
  tx
    .updateTable('mailboxes')
    .set({ claimed_until: sql<string>`now() + make_interval(secs => ${seconds})` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where(sql<boolean>`(claimed_until is null or claimed_until < now())`)
    .returningAll()
    .executeTakeFirst();

/** Saves the result of a poll; keeps the error unchanged if the mailbox was changed during the poll. */
export async function recordPoll(tx: TicketsTx, { organization_id, updated_at }: Connection, last_error: string | null): Promise<void> {
  await tx
    .updateTable('mailboxes')
    .set({ last_error: sql<string | null>`case when updated_at = ${updated_at}::timestamptz then ${last_error} else last_error end` })
    .set({ last_polled_at: sql<string>`now()`, claimed_until: null })
    .where('organization_id', '=', organization_id)
    .execute();
}

export async function findSubdomain(tx: TicketsTx, organization_id: string): Promise<string | null> {
  const query = tx.selectFrom('organizations').select('subdomain').where('organization_id', '=', organization_id);
  return (await query.executeTakeFirst())?.subdomain ?? null;
}

type Query = InputOf<typeof listInboundMails>['query'];
/** Latest first. */
export const findInboundMails = (tx: TicketsTx, organization_id: string, { outcome, ...page }: Query): Promise<Page<InboundMail>> =>
  paginate(
    tx,
    tx
      .selectFrom('inbound_mails')
      .select(['id', 'from_address', 'to_address', 'subject', 'size', 'outcome', 'reason', 'checks', 'ticket_id', 'received_at'])
      .where('organization_id', '=', organization_id)
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome!)),
    { ...page, orderBy: ['received_at', 'id'] },
  );

/** `comment_id` null selects the email that opened the ticket. */
export const findOriginal = (tx: TicketsTx, ticket_id: string, comment_id: string | null): Promise<OriginalMail | undefined> =>
  tx
    .selectFrom('mail_originals')
    .select(['from_address as from', 'subject', 'sent_at', 'text', 'quoted_text', 'html'])
    .where('ticket_id', '=', ticket_id)
    .where('comment_id', comment_id === null ? 'is' : '=', comment_id)
    .executeTakeFirst();
