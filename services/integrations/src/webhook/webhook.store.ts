import type { Tx } from '@tandem/db';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { IntegrationsSchema } from '../schema';

type IntegrationsTx = Tx<IntegrationsSchema>;
export type Connection = Selectable<IntegrationsSchema['connections']>;

/** A webhook's address names a connection, and nothing tells yet whose it is. */
export const findConnectionAcrossOrganizations = (tx: IntegrationsTx, id: string): Promise<Connection | undefined> =>
  tx.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();

/** False when exactly this webhook is here already. */
export async function insertWebhook(tx: IntegrationsTx, webhook: Insertable<IntegrationsSchema['inbound_webhooks']>): Promise<boolean> {
  const added = await tx
    .insertInto('inbound_webhooks')
    .values(webhook)
    .onConflict((conflict) => conflict.columns(['organization_id', 'connection_id', 'fingerprint']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** The stored webhook with the tool that it came from, locked; undefined when it is worked on already. */
export const getStoredWebhookForUpdate = (tx: IntegrationsTx, id: string) =>
  tx
    .selectFrom('inbound_webhooks as webhook')
    .innerJoin('connections as connection', 'connection.id', 'webhook.connection_id')
    .select(['webhook.id', 'webhook.body', 'connection.provider'])
    .where('webhook.id', '=', id)
    .where('webhook.state', '=', 'stored')
    .forUpdate('webhook')
    .executeTakeFirst();

export async function finishWebhook(
  tx: IntegrationsTx,
  id: string,
  outcome: { state: 'done' | 'failed'; event?: string; task_id?: string | null; last_error?: string },
): Promise<void> {
  await tx
    .updateTable('inbound_webhooks')
    .set({ ...outcome, processed_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** What waits longer than a job needs to start. Oldest first, at most 500 a sweep. */
export const findUnfinishedWebhooksAcrossOrganizations = (tx: IntegrationsTx) =>
  tx
    .selectFrom('inbound_webhooks')
    .select(['id', 'organization_id'])
    .where('state', '=', 'stored')
    .where('received_at', '<', sql<string>`now() - interval '5 seconds'`)
    .orderBy('received_at')
    .limit(500)
    .execute();
