import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, LinkRow } from '../schema';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Changes of one moment may come to light one after the other. */
const overlapMs = 1_000;
/** At most how far our clock and the tool's are apart. */
const clocksDifferMs = 5 * 60_000;

const before = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString();

/** From which change on the list is read. */
export const readSince = ({ list_seen_until, created_at }: Pick<IntegrationRow, 'list_seen_until' | 'created_at'>): string =>
  list_seen_until === null ? before(created_at, clocksDifferMs) : before(list_seen_until, overlapMs);

/** From which change on an interrupted reading goes on: several tasks may have one and the same time. */
export const goOnFrom = (until: string): string => before(until, 1);

/** From which change on the list is read to find all tasks that webhooks told of. */
export const readSinceTold = (told: string[]): string => before(told.toSorted()[0]!, overlapMs);

export const isDueForDescription = ({ described_at }: Pick<IntegrationRow, 'described_at'>, now: string): boolean =>
  described_at === null || Date.parse(now) - Date.parse(described_at) >= hourMs;

/**
 * A task that was deleted, or moved to a list that is not ours, leaves no trace in the changes of the list: once a day, and after webhooks were
 * lost, each linked task must be seen. A count that was begun is brought to its end.
 */
export const isDueForCount = (
  { counting_since, counted_at, created_at }: Pick<IntegrationRow, 'counting_since' | 'counted_at' | 'created_at'>,
  now: string,
): boolean => counting_since !== null || Date.parse(now) - Date.parse(counted_at ?? created_at) >= dayMs;

/** Whether a task as the list shows it is one that its link has not seen yet. */
export const isNews = ({ task_seen_at }: Pick<LinkRow, 'task_seen_at'>, { updated_at }: TaskSnapshot): boolean =>
  task_seen_at === null || updated_at > task_seen_at;

/** A tool's item of history and the task's own time are not taken at the same instant. */
const sameMomentMs = 2_000;

/**
 * A comment changes the time of its task, as any change does, and a later write, our own included, hides that time. Only reading the comments proves
 * that none is missing: a webhook that named a later one does not.
 */
export const mayHaveLostComment = (
  { comments_told_until: until }: Pick<LinkRow, 'comments_told_until'>,
  { updated_at }: TaskSnapshot,
): boolean => until === null || updated_at > until;

/**
 * Up to which time of the tool the comments are known once they are read after the task was seen as of `updated_at`. A tool whose times are coarse may
 * give a later comment the same time, so comments of a recent change count as read up to the moment before it and are read once more.
 */
export function commentsReadUntil(updated_at: string, time_step_ms: number, now: string): string {
  const isRecent = Date.parse(now) - Date.parse(updated_at) < clocksDifferMs;
  return time_step_ms > 1 && isRecent ? before(updated_at, 1) : updated_at;
}

/** Whether a task that was read after a change was told shows that change: its own time may be a moment before the told one. */
export const showsTold = ({ updated_at }: TaskSnapshot, told_at: string): boolean =>
  Date.parse(updated_at) >= Date.parse(told_at) - sameMomentMs;
