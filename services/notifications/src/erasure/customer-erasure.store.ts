import type { Tx } from '@tandem/db';
import { sql, type RawBuilder } from 'kysely';
import type { NotificationsSchema } from '../schema';

type NotificationsTx = Tx<NotificationsSchema>;

/** Rows that one statement reads. No index has the texts, and a statement may take 10 seconds. */
const page = 2_000;
const noId = '00000000-0000-0000-0000-000000000000';

export async function deleteEmailsTo(tx: NotificationsTx, organization_id: string, email: string): Promise<number> {
  const emails = await sql`delete from emails where organization_id = ${organization_id}::uuid and to_address = ${email}`.execute(tx);
  await sql`delete from bounced_addresses where organization_id = ${organization_id}::uuid and address = ${email}`.execute(tx);
  await sql`delete from notifications where organization_id = ${organization_id}::uuid and actor_name = ${email}`.execute(tx);
  return Number(emails.numAffectedRows ?? 0);
}

/**
 * Emails to other people about tickets of other customers: the address is in Cc, or wrote the comment that the email announces. Those to
 * customers that are not sent yet stay, without the address in Cc.
 */
export function deleteEmailsAbout(tx: NotificationsTx, organization_id: string, email: string): Promise<number> {
  return inPages(
    tx,
    (after) => sql`
    with page as (
      select id, kind, state, data from emails where organization_id = ${organization_id}::uuid and id > ${after}::uuid order by id limit ${page}
    ), matching as (
      select id, kind not like 'staff%' and state in ('pending', 'sending') as stays from page where position(${email} in data::text) > 0
    ), changed as (
      update emails e set data = jsonb_set(data, '{cc}', (data -> 'cc') - ${email}) from matching m
      where e.organization_id = ${organization_id}::uuid and e.id = m.id and m.stays and data ? 'cc'
    ), gone as (
      delete from emails e using matching m where e.organization_id = ${organization_id}::uuid and e.id = m.id and not m.stays returning e.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::int from gone) as deleted`,
  );
}

/** Webhook events about tickets of other customers, with their deliveries. */
export function deleteWebhookEventsAbout(tx: NotificationsTx, organization_id: string, email: string): Promise<number> {
  return inPages(
    tx,
    (after) => sql`
    with page as (
      select id, ticket_id, body from webhook_events
      where organization_id = ${organization_id}::uuid and id > ${after}::uuid order by id limit ${page}
    ), matching as (
      select id, ticket_id from page where position(${email} in body) > 0
    ), deliveries as (
      delete from webhook_deliveries d using matching m
      where d.organization_id = ${organization_id}::uuid and d.ticket_id = m.ticket_id and d.event_id = m.id returning d.id
    ), attempts as (
      delete from webhook_attempts a using deliveries d where a.organization_id = ${organization_id}::uuid and a.delivery_id = d.id
    ), gone as (
      delete from webhook_events e using matching m where e.organization_id = ${organization_id}::uuid and e.id = m.id returning e.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::int from gone) as deleted`,
  );
}

async function inPages(tx: NotificationsTx, deletePage: (after: string) => RawBuilder<unknown>): Promise<number> {
  let deleted = 0;
  for (let after: string | null = noId; after !== null;) {
    const { rows } = await (deletePage(after) as RawBuilder<{ last: string | null; deleted: number }>).execute(tx);
    deleted += rows[0]!.deleted;
    after = rows[0]!.last;
  }
  return deleted;
}
