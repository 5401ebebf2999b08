import { receiveWebhook } from '@tandem/contracts';
import type { InboundChange } from '../provider/task-tool';
import type { LinkRow } from '../schema';
import { anyComment } from '../engine/link-values';

/** The `Secrets` purpose for sealing webhook secrets. */
export const webhookSecretPurpose = 'task-tool-webhook';

/** The webhook address of a connection: the same for all of its lists, which each have their own secret. */
export function webhookAddress(
  config: { PUBLIC_URL: string; WEBHOOK_BASE_URL?: string | undefined },
  connection: { id: string; provider: string },
): string {
  const path = receiveWebhook.path.replace(':provider', connection.provider).replace(':connectionId', connection.id);
  return `${config.WEBHOOK_BASE_URL ?? config.PUBLIC_URL.replace(/\/+$/, '')}/api/v1${path}`;
}

/** The combined reports of all webhooks about one task; their order does not matter. */
export interface TaskNotice {
  /** The tool's time of the latest reported change; null if no webhook gave one. */
  notified_at: string | null;
  /** A webhook reported a change or deletion without a time. */
  is_undated: boolean;
  /** Reported comments, without duplicates; `anyComment` for one that was not named. */
  comment_ids: string[];
}

export const later = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a);

/**
 * Most changes by the connection's own account are our writes, and the tool may give the webhook a slightly later time than the task in its
 * response. A change within this time after our last read counts as known. If a person works under the same account, the next
 * reconciliation of the list finds the change.
 */
export const ownEchoMs = 2_000;
const beforeEcho = (at: string | null): string | null => at && new Date(Date.parse(at) - ownEchoMs).toISOString();

/** The latest moment that a tool's time may represent: a change in the same second as the last read may have happened after it. */
const endOfStep = (at: string | null, step_ms: number): string | null => at && new Date(Date.parse(at) + step_ms - 1).toISOString();

/** The account of the connection's token, and the resolution of the tool's times. */
export interface Sender {
  account_id: string;
  time_step_ms: number;
}

/** Webhooks are read only for the items that they name, never for values: those are read from the tool. */
export function summarizeChanges(
  changes: InboundChange[],
  { account_id, time_step_ms }: Sender,
): { tasks: Map<string, TaskNotice>; deleted_lists: Set<string> } {
  const tasks = new Map<string, TaskNotice>();
  const deleted_lists = new Set<string>();
  for (const { kind, task_id, list_id, comment_id, actor_id, at } of changes) {
    if (kind === 'list_deleted' && list_id !== null) deleted_lists.add(list_id);
    if (kind === 'other' || kind === 'list_deleted' || task_id === null) continue;
    const notice = tasks.get(task_id) ?? { notified_at: null, is_undated: false, comment_ids: [] };
    tasks.set(task_id, notice);
    if (kind === 'comment') {
      const named = comment_id ?? anyComment;
      if (!notice.comment_ids.includes(named)) notice.comment_ids.push(named);
    } else {
      notice.notified_at = later(notice.notified_at, actor_id === account_id ? beforeEcho(at) : endOfStep(at, time_step_ms));
      notice.is_undated ||= at === null;
    }
  }
  return { tasks, deleted_lists };
}

/**
 * While an integration is paused, reported comments are not read. With more than this number, all comments of the task are read later, and
 * none has to be named.
 */
const maxNamedComments = 50;

export type NotifiedLink = Pick<LinkRow, 'state' | 'task_read_at' | 'task_notified_at' | 'pending_comment_ids'>;
export interface NotifiedState {
  task_notified_at: string | null;
  pending_comment_ids: string[];
  /** Whether there are unread changes: webhooks of our own writes cause no work. */
  is_due: boolean;
}

/** The link's new state after webhooks about its task. `isKnownComment` is true for comments that Tandem posted or has read before. */
export function applyNotice(link: NotifiedLink, notice: TaskNotice, isKnownComment: (id: string) => boolean, now: string): NotifiedState {
  // By the tool's clock, which may be ahead of ours: later than every state read so far.
  const undated = notice.is_undated ? later(now, link.task_read_at && new Date(Date.parse(link.task_read_at) + 1).toISOString()) : null;
  const task_notified_at = later(later(link.task_notified_at, notice.notified_at), undated);
  const unknown = notice.comment_ids.filter((id) => !isKnownComment(id) && !link.pending_comment_ids.includes(id));
  const pending_comment_ids = [...link.pending_comment_ids, ...unknown];
  const isUnread =
    task_notified_at !== null &&
    task_notified_at !== link.task_notified_at &&
    (link.task_read_at === null || task_notified_at > link.task_read_at);
  return {
    task_notified_at,
    pending_comment_ids: pending_comment_ids.length > maxNamedComments ? [anyComment] : pending_comment_ids,
    is_due: link.state === 'linked' && (isUnread || unknown.length > 0),
  };
}
