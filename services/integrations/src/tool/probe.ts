import { taskToolChanged, type TenantContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { emit, type Jobs } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { targetOf } from '../connection/connection';
import { reconnect } from '../connection/connection.store';
import { resumeConnection } from '../connection/resume';
import { ToolError } from '../provider/task-tool';
import type { ConnectionRow, IntegrationsSchema } from '../schema';
import { getTaskTool, type ToolClients } from './tool-client';

interface ProbeDeps {
  db: Database<IntegrationsSchema>;
  jobs: Jobs;
  clients: ToolClients;
  log: Logger;
}

/**
 * Checks whether the tool accepts the token of a broken connection again, because tools have temporarily refused valid tokens. If so, the
 * sync resumes as after a manual reconnect.
 */
export async function probe({ db, jobs, clients, log }: ProbeDeps, ctx: TenantContext, broken: ConnectionRow): Promise<void> {
  const tool = getTaskTool(broken.provider);
  try {
    await tool.whoAmI(await clients.forProbe(tool, broken));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return log.info({ connection: broken.id, problem: error.problem }, 'The tool still rejects the token of a broken connection');
  }
  const isBack = await db.forTenant(ctx, async (tx) => {
    const connection = await reconnect(tx, broken.id);
    if (!connection) return false;
    await resumeConnection(tx, ctx, jobs, tool, connection);
    await emit(tx, ctx, taskToolChanged, connection.id, { what: 'task_tool.connected', target: targetOf(tool, connection), changes: {} });
    return true;
  });
  if (isBack) log.info({ connection: broken.id }, 'The tool accepts the token of a broken connection again');
}
