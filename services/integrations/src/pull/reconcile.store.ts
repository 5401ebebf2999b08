import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
import { hasRefusedField } from '../engine/sync-link.store';
import { commentsReadUntil } from './reconcile';
import { endedStates, updateLinks } from '../engine/link-state';
import { commentsUnread, dueNow, taskUnread } from '../engine/link-values';

type Of = Pick<IntegrationRow, 'organization_id' | 'id' | 'connection_id' | 'list_id'>;

export async function saveIntegration(
  tx: IntegrationsTx,
  { organization_id, id }: Pick<IntegrationRow, 'organization_id' | 'id'>,
  changes: Partial<
    Pick<
      IntegrationRow,
      | 'webhook_id'
      | 'sealed_webhook_secret'
      | 'webhook_state'
      | 'list_name'
      | 'list_read_until'
      | 'described_at'
      | 'scanned_at'
      | 'scan_started_at'
      | 'scanned_until'
    >
  > & { statuses?: string; list_fields?: string; status_mappings?: string; check_in_ms?: number },
): Promise<void> {
  const { check_in_ms, ...values } = changes;
  await tx
    .updateTable('integrations')
    .set({
      ...values,
      ...(check_in_ms !== undefined && { next_check_at: sql<string>`now() + make_interval(secs => ${check_in_ms / 1_000})` }),
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/** The primary links of these tasks; the task's other links follow them. */
export const findLinksOfTasks = (tx: IntegrationsTx, { organization_id, connection_id }: Of, task_ids: string[]): Promise<LinkRow[]> =>
  tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('task_id', 'in', task_ids)
    .where('is_primary', '=', true)
    .where('state', '=', 'linked')
    .execute();

export const findLinkForUpdate = (tx: IntegrationsTx, { organization_id, ticket_id }: LinkRow): Promise<LinkRow | undefined> =>
  tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', 'linked')
    .forUpdate()
    .executeTakeFirst();

const isLinkedHere = ({ organization_id, id }: Of) =>
  sql<SqlBool>`organization_id = ${organization_id} and integration_id = ${id} and state = 'linked' and task_id is not null`;

export async function countLinks(tx: IntegrationsTx, integration: Of): Promise<number> {
  const { count } = await tx
    .selectFrom('links')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isLinkedHere(integration))
    .executeTakeFirstOrThrow();
  return count;
}

/** Starts a full scan or continues an interrupted one. Returns when it started, and the change of the list that it has reached. */
export async function startScan(tx: IntegrationsTx, { organization_id, id }: Of): Promise<{ since: string; from: string | null }> {
  const { scan_started_at, scanned_until } = await tx
    .updateTable('integrations')
    .set({ scan_started_at: sql<string>`coalesce(scan_started_at, now())` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(['scan_started_at', 'scanned_until'])
    .executeTakeFirstOrThrow();
  return { since: scan_started_at!, from: scanned_until };
}

/** Records that the list contains these tasks. */
export async function recordScanned(tx: IntegrationsTx, integration: Of, task_ids: string[], scanned_until: string | null): Promise<void> {
  await updateLinks(tx)
    .set({ scanned_at: sql<string>`now()` })
    .where('organization_id', '=', integration.organization_id)
    .where('connection_id', '=', integration.connection_id)
    .where('task_id', 'in', task_ids)
    .where('state', '<>', 'unlinked')
    .execute();
  await saveIntegration(tx, integration, { scanned_until });
}

/** Ids of the tasks that should be in the list and were not found since the scan started. */
export async function findUnscanned(tx: IntegrationsTx, integration: Of, since: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('links')
    .select('task_id')
    .where(isLinkedHere(integration))
    .where('created_at', '<', since)
    .where((eb) => eb.or([eb('scanned_at', 'is', null), eb('scanned_at', '<', since)]))
    .execute();
  return rows.map(({ task_id }) => task_id!);
}

/** Moves all links of a task to the integration of its current list. */
export async function moveLink(
  tx: IntegrationsTx,
  { organization_id, connection_id, task_id }: LinkRow,
  integration_id: string,
): Promise<void> {
  await updateLinks(tx)
    .set({ integration_id })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('task_id', '=', task_id)
    .where('state', 'not in', endedStates)
    .execute();
}

/** Links whose task moved to the list of another active integration of the connection continue with that integration. */
export async function moveLinksToTheirLists(tx: IntegrationsTx, { organization_id, id }: Of): Promise<void> {
  await updateLinks(tx)
    .from('integrations as other')
    .set((eb) => ({ integration_id: eb.ref('other.id') }))
    .where('links.organization_id', '=', organization_id)
    .where('links.integration_id', '=', id)
    .where('links.state', '=', 'linked')
    .where('other.organization_id', '=', organization_id)
    .whereRef('other.connection_id', '=', 'links.connection_id')
    .where('other.is_active', '=', true)
    .where('other.id', '<>', id)
    .where(sql<SqlBool>`links.task ->> 'list_id' = other.list_id`)
    .execute();
}

const isElsewhere = (list_id: string) => sql<SqlBool>`task ->> 'list_id' <> ${list_id}`;
const isAmong = (task_ids: string[]) => sql<SqlBool>`task_id = any(${task_ids}::text[])`;

/**
 * Marks tasks of an integration to be read one by one, regardless of their last known state: those that the list did not contain, or those
 * known to be in another list, about which its webhooks report nothing. True if there are any.
 */
export async function markTasksUnread(tx: IntegrationsTx, integration: Of, which: { task_ids: string[] } | 'elsewhere'): Promise<boolean> {
  const asked = await updateLinks(tx)
    .set({
      ...taskUnread,
      ...dueNow(1),
    })
    .where('organization_id', '=', integration.organization_id)
    .where('integration_id', '=', integration.id)
    .where('is_primary', '=', true)
    .where('state', '=', 'linked')
    .where(which === 'elsewhere' ? isElsewhere(integration.list_id) : isAmong(which.task_ids))
    .returning('ticket_id')
    .execute();
  return asked.length > 0;
}

/**
 * Marks every task of an integration that changed after its comments were last read: those comments are to be read. This covers tasks that
 * a page of the list does not show: those that are in another list now, or whose last change was read by another call. Reading them is
 * never urgent.
 */
export async function markUnreadComments(tx: IntegrationsTx, integration: IntegrationRow, time_step_ms: number): Promise<void> {
  if (integration.comment_sync !== 'both' && integration.comment_sync !== 'to_ticket') return;
  const now = new Date().toISOString();
  const unread = await tx
    .selectFrom('links')
    .select(['organization_id', 'ticket_id', 'task_read_at'])
    .where(isLinkedHere(integration))
    // One link of a shared task reads the comments for all of its tickets.
    .where('is_primary', '=', true)
    .where(sql<SqlBool>`task_read_at > coalesce(comments_read_until, '-infinity')`)
    .forUpdate()
    .execute();
  for (const link of unread) await markCommentsUnread(tx, link, commentsReadUntil(link.task_read_at!, time_step_ms, now));
}

/** Marks the comments of a task to be read, because a webhook may have been lost. */
export async function markCommentsUnread(
  tx: IntegrationsTx,
  { organization_id, ticket_id }: Pick<LinkRow, 'organization_id' | 'ticket_id'>,
  until: string,
): Promise<void> {
  await updateLinks(tx)
    .set({
      ...commentsUnread,
      comments_read_until: sql<string>`greatest(comments_read_until, ${until}::timestamptz)`,
      // After all work that a person waits for, because usually no comment is missing.
      ...dueNow(3),
    })
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .execute();
}

/** Makes links with refused fields due once the retry time of a field has come. */
export async function retryRefusedFields(tx: IntegrationsTx, integration: Of): Promise<void> {
  await updateLinks(tx)
    .set(dueNow(3))
    .where(isLinkedHere(integration))
    .where(hasRefusedField)
    .where(
      sql<SqlBool>`exists (select 1 from jsonb_each(shadow) as field where (field.value -> 'refused' ->> 'retry_at')::timestamptz <= now())`,
    )
    .execute();
}

/**
 * Links of an integration that are due because a webhook reported a change that has not been read yet. Such links always have an urgency of
 * 0 or 1.
 */
export const findUnreadLinks = (
  tx: IntegrationsTx,
  { organization_id, id, connection_id }: Of,
): Promise<{ task_id: string; task_notified_at: string }[]> =>
  tx
    .selectFrom('links')
    .select(['task_id', 'task_notified_at'])
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('urgency', '<=', sql<1>`1::smallint`)
    .where('next_sync_at', '<=', sql<string>`now()`)
    .where('integration_id', '=', id)
    .where('is_primary', '=', true)
    .where('state', '=', 'linked')
    .where('task_id', 'is not', null)
    .where(sql<SqlBool>`task_notified_at > coalesce(task_read_at, '-infinity')`)
    .$narrowType<{ task_id: string; task_notified_at: string }>()
    .execute();
