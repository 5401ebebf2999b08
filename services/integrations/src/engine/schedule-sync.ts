import { syncTasks, type TenantContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import type { Jobs } from '@tandem/messaging';
import type { IntegrationsTx } from '../schema';

/**
 * Schedules work on a connection after this transaction commits. Each call adds a separate job. A job that finds the connection leased ends
 * immediately, because the lease's holder checks for due work before it releases the lease.
 */
export function scheduleSync(jobs: Jobs, tx: IntegrationsTx, ctx: TenantContext, connection_id: string, delayMs?: number): void {
  jobs.add(tx, ctx, syncTasks, { connection_id }, { id: `${connection_id}_${newId()}`, ...(delayMs !== undefined && { delayMs }) });
}
