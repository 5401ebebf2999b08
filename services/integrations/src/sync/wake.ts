import { syncTasks, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import type { Jobs } from '@tandem/messaging';
import type { IntegrationsTx } from '../schema';

/**
 * Something of a connection waits: after this transaction somebody looks at it. Each nudge is a job of its own; one that finds the connection being
 * worked on ends at once, because whoever works there looks once more before it stops.
 */
export function wakeConnection(jobs: Jobs, tx: IntegrationsTx, ctx: Context, connection_id: string, delayMs?: number): void {
  jobs.add(tx, ctx, syncTasks, { connection_id }, { id: `${connection_id}_${newId()}`, ...(delayMs !== undefined && { delayMs }) });
}
