import type { TicketEmail } from '@tandem/contracts';
import { executePrepared, fixedQuery, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { NotificationsSchema, TicketFollowers } from '../schema';
import { ticketMailKinds } from './email';

type DeliveryTx = Tx<NotificationsSchema>;

const columns = [
  'id',
  'kind',
  'to_address',
  'state',
  'attempts',
  'last_error',
  'created_at',
  'sent_at',
] as const satisfies (keyof TicketEmail)[];
/** The delivery log shows at most this many emails. */
const shown = 50;

/** Emails to the customer of a ticket, latest first. Emails to staff about it are left out. */
export const findTicketEmails = (tx: DeliveryTx, organization_id: string, ticket_id: string): Promise<TicketEmail[]> =>
  tx
    .selectFrom('emails')
    .select(columns)
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('kind', 'in', ticketMailKinds)
    .orderBy('created_at', 'desc')
    .limit(shown)
    .execute();

/** An email to a customer about a ticket, locked until the transaction ends. */
export const findTicketEmailForUpdate = (tx: DeliveryTx, organization_id: string, id: string) =>
  tx
    .selectFrom('emails')
    .select([...columns, 'data', 'ticket_id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('kind', 'in', [...ticketMailKinds, 'ticket_links'])
    .forUpdate()
    .executeTakeFirst();

export const markForRetry = (tx: DeliveryTx, organization_id: string, id: string): Promise<TicketEmail> =>
  tx
    .updateTable('emails')
    .set({ state: 'pending', claimed_until: null, last_error: null })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Records a bounce report. An email that was given up becomes `bounced`; otherwise only `last_error` is set. */
export async function markBounced(tx: DeliveryTx, organization_id: string, id: string, isLost: boolean, reason: string | null) {
  await tx
    .updateTable('emails')
    .set({
      last_error: (reason ?? 'The email bounced').slice(0, 500),
      ...(isLost ? { state: 'bounced' as const, claimed_until: null } : {}),
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

// ---- bounced addresses ----------------------------------------------------------------------------------------

export const findBouncedAddresses = (tx: DeliveryTx, organization_id: string, addresses: string[]) =>
  addresses.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('bounced_addresses')
        .select(['address', 'reason', 'bounced_at'])
        .where('organization_id', '=', organization_id)
        .where('address', 'in', [...new Set(addresses.map((address) => address.toLowerCase()))])
        .execute();

export async function saveBounce(tx: DeliveryTx, organization_id: string, address: string, reason: string | null, bounced_at: string) {
  const kept = { reason: reason?.slice(0, 500) ?? null, bounced_at };
  await tx
    .insertInto('bounced_addresses')
    .values({ organization_id, address: address.toLowerCase(), ...kept })
    .onConflict((conflict) => conflict.columns(['organization_id', 'address']).doUpdateSet(kept))
    .execute();
}

export async function deleteBounce(tx: DeliveryTx, organization_id: string, address: string): Promise<void> {
  await tx
    .deleteFrom('bounced_addresses')
    .where('organization_id', '=', organization_id)
    .where('address', '=', address.toLowerCase())
    .execute();
}

// ---- ticket followers -----------------------------------------------------------------------------------------

/** Saves the newest states of tickets; an older event changes nothing. In sorted order, so that two transactions do not deadlock. */
export async function saveFollowers(tx: DeliveryTx, followers: readonly TicketFollowers[]): Promise<void> {
  if (followers.length === 0) return;
  const sorted = followers.toSorted((a, b) => (a.ticket_id < b.ticket_id ? -1 : 1));
  // One text for any number of tickets, so that it is prepared.
  const statement = sql`
    insert into ticket_followers (organization_id, ticket_id, ticket_number, subject, assigned_to, watchers, version)
    select * from jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) as f (
      organization_id uuid, ticket_id uuid, ticket_number text, subject text, assigned_to uuid, watchers uuid[], version integer
    )
    on conflict (organization_id, ticket_id) do update
    set ticket_number = excluded.ticket_number, subject = excluded.subject, assigned_to = excluded.assigned_to,
      watchers = excluded.watchers, version = excluded.version
    where ticket_followers.version < excluded.version`;
  await executePrepared(tx, statement.compile(tx));
}

/** After `saveFollowers`, which has locked the rows: events about one ticket may be consumed in any order. */
export async function saveStatusVersions(
  tx: DeliveryTx,
  changed: readonly Pick<TicketFollowers, 'organization_id' | 'ticket_id' | 'version'>[],
): Promise<void> {
  if (changed.length === 0) return;
  const versions = changed.map(({ organization_id, ticket_id, version }) => ({ organization_id, ticket_id, version }));
  const statement = sql`
    update ticket_followers f set status_version = n.version
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) as n (organization_id uuid, ticket_id uuid, version integer)
    where f.organization_id = n.organization_id and f.ticket_id = n.ticket_id and f.status_version < n.version`;
  await executePrepared(tx, statement.compile(tx));
}

export const findFollowers = (tx: DeliveryTx, organization_id: string, ticket_id: string) =>
  tx
    .selectFrom('ticket_followers')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .executeTakeFirst();

/** The version of the newest known change of the ticket's status; undefined for an unknown ticket. */
export const findStatusVersion = async (tx: DeliveryTx, organization_id: string, ticket_id: string): Promise<number | undefined> =>
  (await executePrepared(tx, statusVersionOf(tx, organization_id, ticket_id))).rows[0]?.status_version;
const statusVersionOf = fixedQuery((tx: DeliveryTx, organization_id: string, ticket_id: string) =>
  tx
    .selectFrom('ticket_followers')
    .select('status_version')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id),
);

// ---- once per ticket -----------------------------------------------------------------------------------------

/** The time of the invitation for the first call, `undefined` afterwards: a customer is invited once per ticket. */
export async function insertSurveyInvitation(tx: DeliveryTx, organization_id: string, ticket_id: string): Promise<string | undefined> {
  const added = await tx
    .insertInto('survey_invitations')
    .values({ organization_id, ticket_id })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning('created_at')
    .executeTakeFirst();
  return added?.created_at;
}

/** Whether the ticket's customer has been asked for a rating. */
export async function hasSurveyInvitation(tx: DeliveryTx, organization_id: string, ticket_id: string): Promise<boolean> {
  const invited = await tx
    .selectFrom('survey_invitations')
    .select('ticket_id')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .executeTakeFirst();
  return invited !== undefined;
}

/** Whether an email of this kind about the ticket was queued within the last day. */
export async function wasMailedToday(tx: DeliveryTx, organization_id: string, ticket_id: string, kind: 'reply_refused'): Promise<boolean> {
  const mailed = await tx
    .selectFrom('emails')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('kind', '=', kind)
    .where('created_at', '>', sql<string>`now() - interval '1 day'`)
    .limit(1)
    .executeTakeFirst();
  return mailed !== undefined;
}

/** The addresses outside our domain from which the organization's emails come. */
export async function findSenderAddresses(tx: DeliveryTx, organization_id: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select lower(local_part || '@' || domain) as address from sender_domains where organization_id = ${organization_id}
    union select lower(from_address) from mail_servers where organization_id = ${organization_id}`.execute(tx);
  return rows.map(({ address }) => address);
}
