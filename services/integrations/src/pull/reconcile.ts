import { earlier } from '../provider/read';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, LinkRow } from '../schema';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Changes made at the same moment may become visible one after another. */
const overlapMs = 1_000;
/** The maximum assumed difference between our clock and the tool's. */
const clocksDifferMs = 5 * 60_000;

/** The time from which changes to the list are read. */
export const readSince = ({ list_read_until, created_at }: Pick<IntegrationRow, 'list_read_until' | 'created_at'>): string =>
  list_read_until === null ? earlier(created_at, clocksDifferMs) : earlier(list_read_until, overlapMs);

/** The time from which an interrupted scan continues: several tasks may have the same time. */
export const resumeFrom = (until: string): string => earlier(until, 1);

/** The time from which the list must be read to find all tasks that webhooks reported. */
export const readSinceNotified = (notified: string[]): string => earlier(notified.toSorted()[0]!, overlapMs);

export const isDescriptionDue = ({ described_at }: Pick<IntegrationRow, 'described_at'>, now: string): boolean =>
  described_at === null || Date.parse(now) - Date.parse(described_at) >= hourMs;

/**
 * A task that was deleted, or moved to a list that is not connected, does not appear in the list's changes. So once a day, and after
 * webhooks were lost, each linked task must be found. An interrupted scan is completed.
 */
export const isScanDue = (
  { scan_started_at, scanned_at, created_at }: Pick<IntegrationRow, 'scan_started_at' | 'scanned_at' | 'created_at'>,
  now: string,
): boolean => scan_started_at !== null || Date.parse(now) - Date.parse(scanned_at ?? created_at) >= dayMs;

/** Whether the snapshot is later than the one that the link has read. */
export const isNewer = ({ task_read_at }: Pick<LinkRow, 'task_read_at'>, { updated_at }: TaskSnapshot): boolean =>
  task_read_at === null || updated_at > task_read_at;

/** A tool does not record the time of a history item and of the task itself at the same instant. */
const sameMomentMs = 2_000;

/**
 * A comment changes the time of its task, as any change does, and a later write, our own included, hides that time. So only reading the
 * comments proves that none is missing; a webhook about a later comment does not.
 */
export const mayHaveLostComment = (
  { comments_read_until: until }: Pick<LinkRow, 'comments_read_until'>,
  { updated_at }: TaskSnapshot,
): boolean => until === null || updated_at > until;

/**
 * The tool's time up to which comments are known once they are read after a task snapshot of `updated_at`. A tool with coarse timestamps
 * may give a later comment the same time, so comments of a recent change count as read only up to the moment before it, and are read once
 * more.
 */
export function commentsReadUntil(updated_at: string, time_step_ms: number, now: string): string {
  const isRecent = Date.parse(now) - Date.parse(updated_at) < clocksDifferMs;
  return time_step_ms > 1 && isRecent ? earlier(updated_at, 1) : updated_at;
}

/** Whether a snapshot includes the change that a webhook reported: the task's own time may be a moment before the reported one. */
export const includesNotified = ({ updated_at }: TaskSnapshot, notified_at: string): boolean =>
  Date.parse(updated_at) >= Date.parse(notified_at) - sameMomentMs;
