import { anonymizedTicket, customFieldName, type CustomField } from '@tandem/contracts';
import { anyOf } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

/** Values of these types contain no free text. */
const keptTypes: readonly CustomField['type'][] = ['number', 'date', 'yes_no', 'choice', 'choices'];
/** Changes in the history that contain no text of or about the customer. Of all others, only the name of the field stays. */
const keptChanges = [
  'status', 'priority', 'category', 'tags', 'assigned_to', 'snoozed_at', 'snoozed_until', 'task_finished_at', 'task_outcome', 'clock', 'merged',
  'merged_into', 'merged_into_id', 'drafted_for', 'rules_paused_until',
]; // prettier-ignore
/** Tables with rows of a ticket that only contain its texts, or are of no use without them. */
const deletedTables = [
  'comments', 'drafts', 'inbound_mails', 'mail_originals', 'task_comments', 'rule_runs', 'rule_timers', 'rule_pauses',
] as const; // prettier-ignore

/**
 * Removes everything that was written by or about the customers of these tickets, which the caller has locked. `updated_at` stays, so that a
 * policy that deletes tickets later counts from the same time. Files are detached, and the sweep of unused files removes them: they are older
 * than a day.
 */
export async function anonymizeTickets(tx: TicketsTx, organization_id: string, ticket_ids: readonly string[]): Promise<void> {
  const own = anyOf('uuid', ticket_ids);
  const isOfTickets = sql`organization_id = ${organization_id}::uuid and ticket_id = ${own}`;
  const keptFields = await findKeptFields(tx);
  await sql`update attachments set ticket_id = null, comment_id = null where ${isOfTickets}`.execute(tx);
  for (const table of deletedTables) await sql`delete from ${sql.table(table)} where ${isOfTickets}`.execute(tx);
  // They contain addresses in Cc, and nothing is left that an undo could move back.
  await sql`delete from merges where organization_id = ${organization_id}::uuid and (source_id = ${own} or target_id = ${own})`.execute(tx);
  await sql`update surveys set feedback = null, customer_email = ${anonymizedTicket.customer_email} where ${isOfTickets}`.execute(tx);
  await sql`
    update activities set changes = (
      select jsonb_object_agg(key, case when key = any(${[...keptChanges, ...keptFields.map(customFieldName)]}::text[]) then value
        else '{"from": null, "to": null}' end)
      from jsonb_each(changes))
    where ${isOfTickets} and changes <> '{}'`.execute(tx);
  await sql`
    update tickets set subject = ${anonymizedTicket.subject}, customer_email = ${anonymizedTicket.customer_email}, description = null,
      customer_name = null, customer_verified = false, language = null, cc = '{}', watchers = '{}', external_id = null, task = null,
      clickup_task_id = null, task_finished_at = null,
      custom_fields = (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(custom_fields) where key = any(${keptFields}::text[])),
      anonymized_at = now(), version = version + 1, changed_in = pg_current_xact_id()::text::bigint
    where id = ${own}`.execute(tx);
}

/** The keys of the custom fields whose values stay, also of deleted fields that can be restored. */
async function findKeptFields(tx: TicketsTx): Promise<string[]> {
  const rows = await tx.selectFrom('custom_fields').select('key').where('type', 'in', keptTypes).execute();
  return rows.map(({ key }) => key);
}
