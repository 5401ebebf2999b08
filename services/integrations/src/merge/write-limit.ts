/**
 * Maximum numbers of automatic writes to one ticket and its task within a minute and an hour. People cause fewer; more mean that two
 * automations trigger each other.
 */
export const maxWritesPerMinute = 20;
export const maxWritesPerHour = 120;

export interface Writes {
  writes: number;
  write_window_start: string | null;
  hour_writes: number;
  hour_window_start: string | null;
}

/** Counts one more write in either direction at `now`. `loop` is the period in which there were too many. */
export function countWrite(before: Writes, now: string): { counted: Writes; loop?: 'minute' | 'hour' } {
  const minute = countIn(before.writes, before.write_window_start, now, 60_000);
  const hour = countIn(before.hour_writes, before.hour_window_start, now, 60 * 60_000);
  const counted = { writes: minute.count, write_window_start: minute.since, hour_writes: hour.count, hour_window_start: hour.since };
  if (minute.count > maxWritesPerMinute) return { counted, loop: 'minute' };
  return hour.count > maxWritesPerHour ? { counted, loop: 'hour' } : { counted };
}

function countIn(count: number, since: string | null, now: string, ms: number): { count: number; since: string } {
  const isSameTime = since !== null && Date.parse(now) - Date.parse(since) < ms;
  return isSameTime ? { count: count + 1, since } : { count: 1, since: now };
}
