import type { TaskTool } from '../provider/task-tool';
import type { IntegrationsTx } from '../schema';
import { someComment } from './webhook';
import { findWebhooksOfTask } from './webhook.store';

/**
 * What a link begins to hear of comments with when its task has just been made: somebody may have commented before the link knew the task's id, and
 * whoever worked on that webhook found nobody to tell.
 */
export async function commentsHeardEarly(
  tx: IntegrationsTx,
  tool: TaskTool,
  connection: { organization_id: string; id: string },
  { task_id, since }: { task_id: string; since: string },
): Promise<string[]> {
  const bodies = await findWebhooksOfTask(tx, connection, task_id, since);
  const isHeard = bodies
    .flatMap((body) => changesIn(tool, body))
    .some(({ kind, task_id: named }) => kind === 'comment' && named === task_id);
  return isHeard ? [someComment] : [];
}

function changesIn(tool: TaskTool, body: Buffer) {
  try {
    return tool.readWebhook(body);
  } catch {
    // Whoever works on the webhook says that it makes no sense.
    return [];
  }
}
