import type { TaskTool } from '../provider/task-tool';
import type { IntegrationsTx } from '../schema';
import { anyComment } from '../engine/link-values';
import { findWebhooksOfTask } from './webhook.store';

/**
 * The initial `pending_comment_ids` of a link whose task was just created: a comment may have arrived before the link knew the task's id, when
 * its webhook could not be matched to a link.
 */
export async function findEarlyComments(
  tx: IntegrationsTx,
  tool: TaskTool,
  connection: { organization_id: string; id: string },
  { task_id, since }: { task_id: string; since: string },
): Promise<string[]> {
  const bodies = await findWebhooksOfTask(tx, connection, task_id, since);
  const hasComment = bodies
    .flatMap((body) => changesIn(tool, body))
    .some(({ kind, task_id: named }) => kind === 'comment' && named === task_id);
  return hasComment ? [anyComment] : [];
}

function changesIn(tool: TaskTool, body: Buffer) {
  try {
    return tool.readWebhook(body);
  } catch {
    // The webhook worker reports the malformed body.
    return [];
  }
}
