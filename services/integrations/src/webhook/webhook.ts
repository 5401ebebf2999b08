import { receiveWebhook } from '@tandem/contracts';
import type { InboundChange } from '../provider/task-tool';
import type { LinkRow } from '../schema';

/** What `Secrets` seals the secrets of webhooks for. */
export const webhookSecretPurpose = 'task-tool-webhook';

/** Where a connection's webhooks lead: one address for all of its lists, each with a secret of its own. */
export function webhookAddress(
  config: { PUBLIC_URL: string; WEBHOOK_BASE_URL?: string | undefined },
  connection: { id: string; provider: string },
): string {
  const path = receiveWebhook.path.replace(':provider', connection.provider).replace(':connectionId', connection.id);
  return `${config.WEBHOOK_BASE_URL ?? config.PUBLIC_URL.replace(/\/+$/, '')}/api/v1${path}`;
}

/** Stands in `links.comments_told` for a comment that nobody named: the task's comments are to be read. */
export const someComment = '*';

/** What webhooks said of one task, all together: which came first does not matter. */
export interface TaskNews {
  /** The tool's time of its latest change, of which the webhook says when; null where none said. */
  told_at: string | null;
  /** It changed, or is gone, and nobody said when. */
  is_undated: boolean;
  /** Comments, each once; `someComment` where one was not named. */
  comment_ids: string[];
}

export const later = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a);

/**
 * What the connection's own account did is mostly what we sent, and the tool may put a time into its webhook that is a little later than that of the
 * task in its answer. So long after our last look at a task it counts as known; a person who works under the same account is then seen by the next
 * look at the list.
 */
export const ownEchoMs = 2_000;
const beforeEcho = (at: string | null): string | null => at && new Date(Date.parse(at) - ownEchoMs).toISOString();

/** The latest moment that a time of the tool may stand for: what changed in the same second as what was seen may have changed after it. */
const endOfStep = (at: string | null, step_ms: number): string | null => at && new Date(Date.parse(at) + step_ms - 1).toISOString();

/** Whose token the connection has, and how fine the tool's times are. */
export interface Sender {
  account_id: string;
  time_step_ms: number;
}

/** Webhooks are read for what they name, never for values: those are read from the tool. */
export function newsOf(
  changes: InboundChange[],
  { account_id, time_step_ms }: Sender,
): { tasks: Map<string, TaskNews>; lists_gone: Set<string> } {
  const tasks = new Map<string, TaskNews>();
  const lists_gone = new Set<string>();
  for (const { kind, task_id, list_id, comment_id, actor_id, at } of changes) {
    if (kind === 'list_deleted' && list_id !== null) lists_gone.add(list_id);
    if (kind === 'other' || kind === 'list_deleted' || task_id === null) continue;
    const news = tasks.get(task_id) ?? { told_at: null, is_undated: false, comment_ids: [] };
    tasks.set(task_id, news);
    if (kind === 'comment') {
      const named = comment_id ?? someComment;
      if (!news.comment_ids.includes(named)) news.comment_ids.push(named);
    } else {
      news.told_at = later(news.told_at, actor_id === account_id ? beforeEcho(at) : endOfStep(at, time_step_ms));
      news.is_undated ||= at === null;
    }
  }
  return { tasks, lists_gone };
}

/** While an integration is paused nobody reads what is told: where that is very much, all comments are read, and each need not be named. */
const mostNamed = 50;

export type ToldLink = Pick<LinkRow, 'state' | 'task_seen_at' | 'task_told_at' | 'comments_told'>;
export interface Told {
  task_told_at: string | null;
  comments_told: string[];
  /** Whether there is anything that nobody has seen yet: our own writes that come back to us are no work. */
  is_due: boolean;
}

/** What a link is told by the news of its task. `isKnownComment`: it came from us, or was read before. */
export function tell(link: ToldLink, news: TaskNews, isKnownComment: (id: string) => boolean, now: string): Told {
  // By the tool's clock, which may be ahead of ours: later than everything seen.
  const undated = news.is_undated ? later(now, link.task_seen_at && new Date(Date.parse(link.task_seen_at) + 1).toISOString()) : null;
  const task_told_at = later(later(link.task_told_at, news.told_at), undated);
  const unknown = news.comment_ids.filter((id) => !isKnownComment(id) && !link.comments_told.includes(id));
  const comments_told = [...link.comments_told, ...unknown];
  const isNews =
    task_told_at !== null && task_told_at !== link.task_told_at && (link.task_seen_at === null || task_told_at > link.task_seen_at);
  return {
    task_told_at,
    comments_told: comments_told.length > mostNamed ? [someComment] : comments_told,
    is_due: (link.state === 'linked' || link.state === 'adopting') && (isNews || unknown.length > 0),
  };
}
