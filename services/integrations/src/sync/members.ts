import type { ExternalUser, TaskTool, ToolCall } from '../provider/task-tool';
import type { IntegrationRow } from '../schema';

/** A new teammate can be assigned after this time at the latest. */
const keptMs = 10 * 60_000;
const most = 500;

/** Caches the assignable users of each list, so that they are not requested for every task. */
export class Members {
  readonly #kept = new Map<string, { at: number; members: Promise<ExternalUser[]> }>();

  of(tool: TaskTool, { connection_id, workspace_id, list_id }: IntegrationRow, call: ToolCall): Promise<ExternalUser[]> {
    const key = `${connection_id}:${list_id}`;
    const kept = this.#kept.get(key);
    if (kept && Date.now() - kept.at < keptMs) return kept.members;
    const members = tool.listMembers(call, { workspace_id, list_id });
    if (this.#kept.size >= most) this.#kept.clear();
    this.#kept.set(key, { at: Date.now(), members });
    // A failed request is not cached; its callers get the error.
    members.catch(() => this.#kept.delete(key));
    return members;
  }
}
