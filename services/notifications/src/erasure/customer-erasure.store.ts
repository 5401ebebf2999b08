import { anyOf, type Tx } from '@tandem/db';
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
  const stays = sql`kind not like 'staff%' and state in ('pending', 'sending')`;
  return inPages(tx, sql`emails`, organization_id, sql`position(${email} in data::text) > 0`, async (ids) => {
    const own = sql`organization_id = ${organization_id}::uuid and id = ${anyOf('uuid', ids)}`;
    await sql`update emails set data = jsonb_set(data, '{cc}', (data -> 'cc') - ${email}) where ${own} and ${stays} and data ? 'cc'`.execute(
      tx,
    );
    return (await sql`delete from emails where ${own} and not (${stays})`.execute(tx)).numAffectedRows;
  });
}

/** Webhook events about tickets of other customers, with their deliveries. */
export function deleteWebhookEventsAbout(tx: NotificationsTx, organization_id: string, email: string): Promise<number> {
  return inPages(tx, sql`webhook_events`, organization_id, sql`position(${email} in body) > 0`, async (ids) => {
    const events = anyOf('uuid', ids);
    await sql`
      with deliveries as (
        delete from webhook_deliveries where organization_id = ${organization_id}::uuid and event_id = ${events}
          and ticket_id = any(array(select ticket_id from webhook_events where organization_id = ${organization_id}::uuid and id = ${events}))
        returning id
      )
      delete from webhook_attempts where organization_id = ${organization_id}::uuid and delivery_id in (select id from deliveries)`.execute(
      tx,
    );
    return (await sql`delete from webhook_events where organization_id = ${organization_id}::uuid and id = ${events}`.execute(tx))
      .numAffectedRows;
  });
}

/**
 * Finds the rows page by page, and deletes those of a page in statements of their own: joined with the page, the planner would read the whole
 * table for each page. Returns the sum of what `deleteRows` returns.
 */
async function inPages(
  tx: NotificationsTx,
  table: RawBuilder<unknown>,
  organization_id: string,
  isMatching: RawBuilder<unknown>,
  deleteRows: (ids: readonly string[]) => Promise<bigint | undefined>,
): Promise<number> {
  let deleted = 0;
  for (let after: string | null = noId; after !== null;) {
    const found: { last: string | null; ids: string[] } = (
      await sql<{ last: string | null; ids: string[] }>`
        with page as (
          select id, ${isMatching} as is_matching from ${table} where organization_id = ${organization_id}::uuid and id > ${after}::uuid order by id limit ${page}
        )
        select (select id from page order by id desc limit 1) as last, array(select id from page where is_matching) as ids`.execute(tx)
    ).rows[0]!;
    if (found.ids.length > 0) deleted += Number((await deleteRows(found.ids)) ?? 0);
    after = found.last;
  }
  return deleted;
}
