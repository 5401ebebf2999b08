import { mailServerRules } from '@tandem/contracts/values';

/** The purpose with which passwords are sealed. */
export const mailServerPurpose = 'mail-server';

const minuteMs = 60_000;

/** Seconds until the next attempt at a server that has failed for this long: soon at first, then every 15 minutes. */
export const retrySeconds = (failingMs: number): number => Math.min(15 * 60, Math.max(30, Math.round(failingMs / 4_000)));

/** The warning that is due for a server that has failed for this long; undefined if none is. */
export const dueWarning = (failingMs: number, warned_hours: number): number | undefined =>
  mailServerRules.warnAfterHours.findLast((hours) => failingMs >= hours * 60 * minuteMs && hours > warned_hours);

/** Whether an email may still wait for its server. */
export const mayWait = (created_at: string, now = Date.now()): boolean =>
  now - Date.parse(created_at) < mailServerRules.retryDays * 24 * 60 * minuteMs;
