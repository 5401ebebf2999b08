import { taskSynced, type Context } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { emitAll } from '@tandem/messaging';
import { sql } from 'kysely';
import type { IntegrationsTx, LinkRow } from '../schema';
import { applyEventToAll, type LinkValues } from './link-state';
import { taskUnread, writesCleared } from './link-values';

/**
 * Retries failed links: the task is read regardless of webhooks, and pending changes are sent. `states` includes `stopped` (links stopped
 * because of a sync loop) only if a person requests it. Returns the number of links.
 */
export async function retryFailedLinks(
  tx: IntegrationsTx,
  ctx: Context,
  of: { integration_id: string } | { connection_id: string },
  states: Extract<LinkRow['state'], 'failed' | 'stopped'>[] = ['failed'],
): Promise<number> {
  const [column, id] =
    'integration_id' in of ? (['integration_id', of.integration_id] as const) : (['connection_id', of.connection_id] as const);
  const retry = (event: 'creation_retried' | 'sync_retried', values: LinkValues) =>
    applyEventToAll(tx, event)
      .set({ next_sync_at: sql<string>`now()`, urgency: 2, attempts: 0, problem: null, ...writesCleared, ...values })
      .where('organization_id', '=', currentOrganizationId)
      .where(column, '=', id)
      .where('state', 'in', states)
      .where('task_id', event === 'creation_retried' ? 'is' : 'is not', null)
      .returning('ticket_id')
      .execute();
  const retried = [...(await retry('creation_retried', {})), ...(await retry('sync_retried', taskUnread))];
  await emitAll(
    tx,
    ctx,
    taskSynced,
    retried.map(({ ticket_id }) => ({ subject: ticket_id, data: { ticket_id } })),
  );
  return retried.length;
}
