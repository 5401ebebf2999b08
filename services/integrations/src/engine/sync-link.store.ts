import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import type { CustomFieldDefinition, IntegrationRow, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { findDefinitions } from '../custom-field/custom-field.store';
import { needsDefinitions } from '../merge/custom-fields';
import type { SharingRole } from '../merge/sharing';
import { isListCurrent } from './sharing.store';
import { activeStates, endedStates, updateLinks } from './link-state';

export interface LinkBundle {
  link: LinkRow;
  integration: IntegrationRow;
  copy: TicketCopy;
  sharing: SharingRole;
  /** The organization's custom fields; none if the ticket and its task have no values of custom fields. */
  definitions: CustomFieldDefinition[];
}

/** A link in any state, locked for this transaction. */
export const findLinkForUpdate = (tx: IntegrationsTx, ticket_id: string): Promise<LinkRow | undefined> =>
  tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', currentOrganizationId)
    .where('ticket_id', '=', ticket_id)
    .forUpdate()
    .executeTakeFirst();

/** A link with its ticket and integration, locked for this transaction; undefined if there is no more work for it. */
export async function loadLinkForUpdate(tx: IntegrationsTx, ticket_id: string): Promise<LinkBundle | undefined> {
  const link = await findLinkForUpdate(tx, ticket_id);
  if (!link || !(activeStates as readonly string[]).includes(link.state)) return undefined;
  return withTicketAndIntegration(tx, link);
}

export async function loadLink(tx: IntegrationsTx, ticket_id: string): Promise<LinkBundle | undefined> {
  const link = await tx
    .selectFrom('links')
    .selectAll()
    .where('organization_id', '=', currentOrganizationId)
    .where('ticket_id', '=', ticket_id)
    .executeTakeFirst();
  if (!link || !(activeStates as readonly string[]).includes(link.state)) return undefined;
  return withTicketAndIntegration(tx, link);
}

async function withTicketAndIntegration(tx: IntegrationsTx, link: LinkRow): Promise<LinkBundle | undefined> {
  const found = await tx
    .selectFrom('integrations')
    .selectAll()
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('links')
            .select('links.ticket_id')
            .where('links.organization_id', '=', link.organization_id)
            .where('links.connection_id', '=', link.connection_id)
            .where('links.task_id', '=', link.task_id)
            .where('links.is_primary', '=', false)
            .where('links.state', 'not in', endedStates),
        )
        .as('has_followers'),
    )
    .where('organization_id', '=', currentOrganizationId)
    .where('id', '=', link.integration_id)
    .executeTakeFirst();
  if (!found?.is_active) return undefined;
  const { has_followers, ...integration } = found;
  const sharing = !link.is_primary ? 'follower' : has_followers ? 'primary' : 'none';
  const copy = await tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', link.ticket_id).executeTakeFirst();
  if (!copy) return undefined;
  const definitions = needsDefinitions(copy, link.shadow) ? await findDefinitions(tx) : [];
  return { link, integration, copy, sharing, definitions };
}

/** Due links of a connection, the most urgent first, without those in `except`. */
export async function findDue(
  tx: IntegrationsTx,
  connection: { organization_id: string; id: string },
  except: readonly string[],
  limit: number,
  maxUrgency: number,
): Promise<{ ticket_id: string; urgency: 0 | 1 | 2 | 3 }[]> {
  let due = tx
    .selectFrom('links')
    .innerJoin('integrations', (join) =>
      join.onRef('integrations.organization_id', '=', 'links.organization_id').onRef('integrations.id', '=', 'links.integration_id'),
    )
    .select(['links.ticket_id', 'links.urgency'])
    .where('links.organization_id', '=', connection.organization_id)
    .where('links.connection_id', '=', connection.id)
    .where('links.next_sync_at', '<=', sql<string>`now()`)
    .where('links.state', 'in', activeStates)
    .where('links.urgency', '<=', sql<1>`${maxUrgency}::smallint`)
    .where('integrations.is_active', '=', true);
  if (except.length > 0) due = due.where('links.ticket_id', 'not in', except);
  return due.orderBy('links.urgency').orderBy('links.next_sync_at').limit(limit).execute();
}

/** When the next waiting link is due; undefined if none waits. */
export async function findNextDue(tx: IntegrationsTx, connection: { organization_id: string; id: string }): Promise<string | undefined> {
  const next = await tx
    .selectFrom('links')
    .innerJoin('integrations', (join) =>
      join.onRef('integrations.organization_id', '=', 'links.organization_id').onRef('integrations.id', '=', 'links.integration_id'),
    )
    .select((eb) => eb.fn.min('links.next_sync_at').as('at'))
    .where('links.organization_id', '=', connection.organization_id)
    .where('links.connection_id', '=', connection.id)
    .where('links.next_sync_at', 'is not', null)
    .where('links.state', 'in', activeStates)
    .where('integrations.is_active', '=', true)
    .executeTakeFirst();
  return next?.at ?? undefined;
}

/** Whether the task has refused a field of the link, so that both sides differ; same expression as in the index `links_refused`. */
export const hasRefusedField = sql<boolean>`links.shadow @? '$.*.refused'`;

/** When the earliest answer of the tickets service is overdue. */
const overdue = sql<string | null>`(select min((value ->> 'retry_at')::timestamptz) from jsonb_each(links.shadow))`;

/**
 * Marks a link as done. Returns undefined if new work has arrived in the meantime: the ticket changed after `sequence`, a webhook reported a
 * later state of the task, or a comment is pending.
 */
export async function finishLink(
  tx: IntegrationsTx,
  ticket_id: string,
  sequence: number,
  problem: string | null,
): Promise<Pick<LinkRow, 'task'> | undefined> {
  return updateLinks(tx)
    .set({ next_sync_at: overdue, urgency: 1, attempts: 0, problem, synced_at: sql<string>`now()`, ticket_sequence: sequence })
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', 'linked')
    .where(sql<boolean>`(task_notified_at is null or task_notified_at <= task_read_at)`)
    .where(sql<boolean>`pending_comment_ids = '{}'`)
    .where(isListCurrent)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('ticket_copies')
          .select('ticket_id')
          .where('ticket_copies.ticket_id', '=', ticket_id)
          .where('sequence', '=', sequence),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('comment_links').select('id').where('comment_links.ticket_id', '=', ticket_id).where('state', '=', 'pending'),
        ),
      ),
    )
    .returning('task')
    .executeTakeFirst();
}

/** Retries a link later. Work that a person requested in the meantime is not postponed. */
export async function postponeLink(
  tx: IntegrationsTx,
  link: LinkRow,
  until: { ms: number } | { at: string },
  problem: string | null,
): Promise<void> {
  const at =
    'at' in until
      ? sql<string>`greatest(now(), ${until.at}::timestamptz)`
      : sql<string>`now() + make_interval(secs => ${until.ms / 1_000})`;
  await updateLinks(tx)
    .set((eb) => ({ next_sync_at: at, problem, attempts: 'at' in until ? link.attempts : eb('attempts', '+', 1) }))
    .where('ticket_id', '=', link.ticket_id)
    .where('state', 'in', activeStates)
    .where('next_sync_at', 'is not distinct from', link.next_sync_at)
    .execute();
}
