import type { Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { IntegrationsConfig } from '../config';
import type { ExternalUser, TaskTool, ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema } from '../schema';

/** Dependencies of all work on a link. */
export interface SyncContext {
  db: Database<IntegrationsSchema>;
  ctx: Context;
  config: Pick<IntegrationsConfig, 'PUBLIC_URL' | 'TASK_TOOL_TIMEOUT_MS'>;
  connection: ConnectionRow;
  tool: TaskTool;
  call: ToolCall;
  /** Users who can be assigned in a list; cached for a while. */
  membersOf(integration: IntegrationRow, call: ToolCall): Promise<ExternalUser[]>;
}
