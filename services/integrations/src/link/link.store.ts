import type { TicketTask } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import type { ConnectionRow, IntegrationRow, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { finishedReply } from './finished-reply';
import { isSyncField } from '../provider/field-names';
import { differences } from '../merge/refusals';
import { findSharing } from '../engine/sharing.store';
import { outcomeOf } from '../merge/status';
import { insertOrRestartLink, type LinkValues } from '../engine/link-state';
import { initialValues } from '../engine/link-values';

export const findLink = (tx: IntegrationsTx, ticket_id: string): Promise<LinkRow | undefined> =>
  tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', currentOrganizationId)
    .where('ticket_id', '=', ticket_id)
    .executeTakeFirst();
export const findLinkForUpdate = (tx: IntegrationsTx, ticket_id: string): Promise<LinkRow | undefined> =>
  tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', currentOrganizationId)
    .where('ticket_id', '=', ticket_id)
    .forUpdate()
    .executeTakeFirst();
export const findIntegration = (tx: IntegrationsTx, id: string): Promise<IntegrationRow | undefined> =>
  tx.selectFrom('integrations').selectAll().where('organization_id', '=', currentOrganizationId).where('id', '=', id).executeTakeFirst();
/** The connection's integration for a list. */
export const findIntegrationOfList = (tx: IntegrationsTx, connection_id: string, list_id: string): Promise<IntegrationRow | undefined> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', currentOrganizationId)
    .where('connection_id', '=', connection_id)
    .where('list_id', '=', list_id)
    .executeTakeFirst();
export const findCopy = (tx: IntegrationsTx, ticket_id: string): Promise<TicketCopy | undefined> =>
  tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', ticket_id).executeTakeFirst();
export const findConnection = (tx: IntegrationsTx, id: string): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();

/** Whether tickets are still being exported to a connection of the organization: a missing ticket may still arrive. */
export async function isExportRunning(tx: IntegrationsTx): Promise<boolean> {
  const untold = await tx
    .selectFrom('connections')
    .select('id')
    .where('tickets_exported', '=', false)
    .where('sealed_token', 'is not', null)
    .executeTakeFirst();
  return untold !== undefined;
}

/** The active integrations that a ticket can be linked through. */
export async function findLinkChoices(tx: IntegrationsTx) {
  const active = await tx
    .selectFrom('integrations')
    .select(['id', 'provider', 'list_name'])
    .where('organization_id', '=', currentOrganizationId)
    .where('is_active', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return active.map(({ id, provider, list_name }) => ({ id, provider, tool_name: getTaskTool(provider).name, list_name }));
}

/** A link as shown in the ticket's panel; null for one that was removed. */
export async function readTask(tx: IntegrationsTx, ticket_id: string): Promise<TicketTask | null> {
  const link = await findLink(tx, ticket_id);
  const integration = link && (await findIntegration(tx, link.integration_id));
  if (!link || link.state === 'unlinked' || !integration) return null;
  const copy = await findCopy(tx, ticket_id);
  const { task } = link;
  const isFinished = link.finished_at !== null && (!task || outcomeOf(integration, task.status) === 'finished');
  return {
    state: link.state,
    provider: integration.provider,
    tool_name: getTaskTool(integration.provider).name,
    integration_id: integration.id,
    list_name: task?.list_name ?? integration.list_name,
    task_id: link.task_id,
    url: link.task_url,
    title: task?.title ?? null,
    status: task?.status ?? null,
    assignees: task?.assignees.map(({ name }) => name) ?? [],
    is_pending: link.next_sync_at !== null,
    // The page names the custom fields that differ in `problem`.
    differs: differences(link.shadow).flatMap(({ field, reason }) => (isSyncField(field) ? [{ field, reason }] : [])),
    problem:
      link.problem ??
      (integration.is_active || link.next_sync_at === null ? null : (integration.pause_detail ?? 'The integration is paused')),
    synced_at: link.synced_at,
    sharing: await findSharing(tx, link),
    drafted_reply: isFinished && copy ? finishedReply(integration.finished_reply, copy, task) : null,
  };
}

/** Inserts a link for a ticket, or restarts its ended link, with the highest urgency. */
export async function startLink(
  tx: IntegrationsTx,
  key: Pick<LinkRow, 'organization_id' | 'ticket_id'>,
  event: 'creation_requested' | 'task_chosen',
  values: LinkValues,
): Promise<void> {
  // Comments on the previous task do not belong to the new one.
  await tx.deleteFrom('comment_links').where('ticket_id', '=', key.ticket_id).execute();
  const due = { next_sync_at: sql<string>`now()`, urgency: 0 as const, is_backfill: false };
  await insertOrRestartLink(tx, key, event, { ...initialValues, ...due, ...values });
}
