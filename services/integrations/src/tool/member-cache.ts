import type { ExternalUser, TaskTool, ToolCall } from '../provider/task-tool';
import type { IntegrationRow } from '../schema';

/** A new teammate can be assigned after this time at the latest. */
const ttlMs = 10 * 60_000;
const maxEntries = 500;

/** Caches the assignable users of each list, so that they are not requested for every task. */
export class MemberCache {
  readonly #cached = new Map<string, { at: number; members: Promise<ExternalUser[]> }>();

  of(tool: TaskTool, { connection_id, workspace_id, list_id }: IntegrationRow, call: ToolCall): Promise<ExternalUser[]> {
    const key = `${connection_id}:${list_id}`;
    const cached = this.#cached.get(key);
    if (cached && Date.now() - cached.at < ttlMs) return cached.members;
    const members = tool.listMembers(call, { workspace_id, list_id });
    if (this.#cached.size >= maxEntries) this.#cached.clear();
    this.#cached.set(key, { at: Date.now(), members });
    // A failed request is not cached; its callers get the error.
    members.catch(() => this.#cached.delete(key));
    return members;
  }
}
