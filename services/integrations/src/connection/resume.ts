import type { TenantContext } from '@tandem/contracts';
import type { Jobs } from '@tandem/messaging';
import type { TaskTool } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsTx } from '../schema';
import { resumeAfterOutage } from '../tool/rate-limit';
import { retryFailedLinks } from '../engine/retry-failed.store';
import { logSync } from '../engine/sync-log.store';
import { scheduleSync } from '../engine/schedule-sync';
import { probeListsNow, resumeIntegrations } from './connection.store';

/** Resumes work that waited because of an invalid token, and reads the lists for changes that no webhook reported. */
export async function resumeConnection(
  tx: IntegrationsTx,
  ctx: TenantContext,
  jobs: Jobs,
  tool: TaskTool,
  connection: ConnectionRow,
): Promise<void> {
  const message = `${tool.name} is connected again. Waiting changes are sent now.`;
  for (const integration of await resumeIntegrations(tx, connection)) await logSync(tx, integration, { level: 'info', message });
  await retryFailedLinks(tx, ctx, { connection_id: connection.id });
  await resumeAfterOutage(tx, connection.id);
  await probeListsNow(tx, connection);
  scheduleSync(jobs, tx, ctx, connection.id);
}
