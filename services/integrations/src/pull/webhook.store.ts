import { sql, type Insertable, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import type { NotifiedState, NotifiedLink } from './webhook';
import { updateLinks } from '../engine/link-state';
import { dueNow, type Urgency } from '../engine/link-values';

export interface Receiver {
  id: string;
  organization_id: string;
  provider: string;
  /** Sealed secrets that its webhooks may be signed with. */
  sealed_secrets: string[];
}

/**
 * A webhook's address names a connection; its organization is not known yet. All of the connection's lists post to this address, each
 * signed with its own secret; tools that accept a secret from us sign with the connection's.
 */
export const findReceiverAcrossOrganizations = (tx: IntegrationsTx, id: string): Promise<Receiver | undefined> =>
  tx
    .selectFrom('connections as c')
    .select(['c.id', 'c.organization_id', 'c.provider'])
    .select(
      sql<string[]>`array(
        select i.sealed_webhook_secret from integrations i
        where i.organization_id = c.organization_id and i.connection_id = c.id and i.sealed_webhook_secret is not null
        order by i.created_at
      ) || array_remove(array[c.sealed_webhook_secret], null)`.as('sealed_secrets'),
    )
    .where('c.id', '=', id)
    .executeTakeFirst();

/**
 * False if exactly this webhook is already stored. Tools redeliver within minutes; later, the same bytes are another event: ClickUp's
 * webhook for a deleted task has neither time nor id, and a task may be restored and deleted once more.
 */
export async function insertWebhook(tx: IntegrationsTx, webhook: Insertable<IntegrationsSchema['inbound_webhooks']>): Promise<boolean> {
  const added = await tx
    .insertInto('inbound_webhooks')
    .values(webhook)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'connection_id', 'fingerprint'])
        .doUpdateSet({ state: 'stored', received_at: sql<string>`now()`, processed_at: null, last_error: null })
        .where('inbound_webhooks.state', '<>', 'stored')
        .where('inbound_webhooks.received_at', '<', sql<string>`now() - interval '10 minutes'`),
    )
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * Webhooks since a time that name the task, or are still unprocessed: one being processed at this moment may have found no link of the task
 * yet.
 */
export async function findWebhooksOfTask(
  tx: IntegrationsTx,
  { organization_id, id }: { organization_id: string; id: string },
  task_id: string,
  since: string,
): Promise<Buffer[]> {
  const found = await tx
    .selectFrom('inbound_webhooks')
    .select('body')
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where('received_at', '>=', since)
    .where((eb) => eb.or([eb('task_id', '=', task_id), eb('state', '=', 'stored')]))
    .where(sql<SqlBool>`octet_length(body) < 100000`)
    .orderBy('received_at')
    .limit(50)
    .execute();
  return found.map(({ body }) => body);
}

export async function hasStoredWebhooks(tx: IntegrationsTx, connection_id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('inbound_webhooks')
    .select('id')
    .where('connection_id', '=', connection_id)
    .where('state', '=', 'stored')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Until the transaction ends, only this process handles the connection's webhooks; false if another one does. */
export async function lockConnection(tx: IntegrationsTx, connection_id: string): Promise<boolean> {
  const name = `webhooks:${connection_id}`;
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

const batch = { rows: 200, bytes: 8_000_000 };

/** The oldest stored webhooks of a connection, as many as fit into memory together. */
export async function findStoredWebhooks(
  tx: IntegrationsTx,
  connection_id: string,
): Promise<{ id: string; body: Buffer; provider: string; account_id: string }[]> {
  const { rows } = await sql<{ id: string; body: Buffer; provider: string; account_id: string }>`
    select next.id, webhook.body, connection.provider, connection.account_id
    from (
      select id, row_number() over oldest as place, sum(octet_length(body)) over oldest as bytes
      from inbound_webhooks
      where connection_id = ${connection_id} and state = 'stored'
      window oldest as (order by received_at, id)
      order by received_at, id
      limit ${batch.rows}
    ) as next
    join inbound_webhooks as webhook on webhook.id = next.id
    join connections as connection on connection.id = ${connection_id}
    where next.place = 1 or next.bytes <= ${batch.bytes}
    order by next.place`.execute(tx);
  return rows;
}

export interface WebhookOutcome {
  id: string;
  state: 'done' | 'failed';
  event: string | null;
  task_id: string | null;
  last_error: string | null;
}

export async function finishWebhooks(tx: IntegrationsTx, outcomes: WebhookOutcome[]): Promise<void> {
  await sql`
    update inbound_webhooks as webhook
    set state = outcome.state, event = outcome.event, task_id = outcome.task_id, last_error = outcome.last_error, processed_at = now()
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as outcome(id uuid, state text, event text, task_id text, last_error text)
    where webhook.id = outcome.id`.execute(tx);
}

/** The primary links of these tasks, locked in one order, with a flag whether comments of the task sync to the ticket. */
export const findLinksOfTasksForUpdate = (
  tx: IntegrationsTx,
  organization_id: string,
  connection_id: string,
  task_ids: string[],
): Promise<(NotifiedLink & { ticket_id: string; task_id: string | null; receives_comments: boolean })[]> =>
  tx
    .selectFrom('links as l')
    .innerJoin('integrations as i', (join) =>
      join.onRef('i.organization_id', '=', 'l.organization_id').onRef('i.id', '=', 'l.integration_id'),
    )
    .select(['l.ticket_id', 'l.task_id', 'l.state', 'l.task_read_at', 'l.task_notified_at', 'l.pending_comment_ids'])
    .select(sql<boolean>`i.comment_sync in ('both', 'to_ticket')`.as('receives_comments'))
    .where('l.organization_id', '=', organization_id)
    .where('l.connection_id', '=', connection_id)
    .where('l.task_id', 'in', task_ids)
    .where('l.is_primary', '=', true)
    .where('l.state', '<>', 'unlinked')
    .orderBy('l.ticket_id')
    .forUpdate('l')
    .execute();

/**
 * Comments that Tandem posted for any ticket of the task, or that were read before, as `ticket:comment`. `ticket_ids` are the tickets of
 * primary links.
 */
export async function findKnownComments(tx: IntegrationsTx, ticket_ids: string[], external_ids: string[]): Promise<Set<string>> {
  if (ticket_ids.length === 0 || external_ids.length === 0) return new Set();
  const known = await tx
    .selectFrom('comment_links')
    .select(['ticket_id', 'external_id'])
    .where('ticket_id', 'in', ticket_ids)
    .where('external_id', 'in', external_ids)
    .execute();
  const shared = await tx
    .selectFrom('links as l')
    .innerJoin('links as other', (join) =>
      join
        .onRef('other.organization_id', '=', 'l.organization_id')
        .onRef('other.connection_id', '=', 'l.connection_id')
        .onRef('other.task_id', '=', 'l.task_id')
        .on('other.is_primary', '=', false)
        .on('other.state', '<>', 'unlinked'),
    )
    .innerJoin('comment_links as c', (join) =>
      join.onRef('c.organization_id', '=', 'other.organization_id').onRef('c.ticket_id', '=', 'other.ticket_id'),
    )
    .select(['l.ticket_id', 'c.external_id'])
    .where('l.ticket_id', 'in', ticket_ids)
    .where('c.external_id', 'in', external_ids)
    .where('c.state', '=', 'sent')
    .execute();
  return new Set([...known, ...shared].map(({ ticket_id, external_id }) => `${ticket_id}:${external_id}`));
}

export async function saveNotified(tx: IntegrationsTx, notified: (NotifiedState & { ticket_id: string })[]): Promise<void> {
  if (notified.length === 0) return;
  const rows = sql<NotifiedState & { ticket_id: string }>`jsonb_to_recordset(${JSON.stringify(notified)}::jsonb)`.as<'notified'>(
    sql`notified(ticket_id uuid, task_notified_at timestamptz, pending_comment_ids text[], is_due boolean)`,
  );
  const { next_sync_at, urgency } = dueNow(1);
  await updateLinks(tx)
    .from(rows)
    .set((eb) => ({
      task_notified_at: eb.ref('notified.task_notified_at'),
      pending_comment_ids: eb.ref('notified.pending_comment_ids'),
      next_sync_at: sql<string | null>`case when notified.is_due then ${next_sync_at} else links.next_sync_at end`,
      urgency: sql<Urgency>`case when notified.is_due then ${urgency} else links.urgency end`,
    }))
    .whereRef('links.ticket_id', '=', 'notified.ticket_id')
    .execute();
}

export const findIntegrationsOfLists = (tx: IntegrationsTx, connection_id: string, list_ids: string[]): Promise<IntegrationRow[]> =>
  tx.selectFrom('integrations').selectAll().where('connection_id', '=', connection_id).where('list_id', 'in', list_ids).execute();

/** Connections with a webhook that has waited longer than a job needs to start. */
export const findWaitingConnectionsAcrossOrganizations = (
  tx: IntegrationsTx,
): Promise<{ connection_id: string; organization_id: string }[]> =>
  tx
    .selectFrom('inbound_webhooks')
    .select(['connection_id', 'organization_id'])
    .distinct()
    .where('state', '=', 'stored')
    .where('received_at', '<', sql<string>`now() - interval '5 seconds'`)
    .limit(500)
    .execute();
