/**
 * More automatic writes of one ticket and its task within a minute, or an hour, than people cause: two automations are triggering each
 * other.
 */
export const writesOfALoop = 20;
export const writesOfASlowLoop = 120;

export interface Writes {
  writes: number;
  writes_since: string | null;
  hour_writes: number;
  hour_since: string | null;
}

/** Counts one more write in either direction at `now`. `loop` is the period in which there were too many. */
export function countWrite(before: Writes, now: string): { counted: Writes; loop?: 'minute' | 'hour' } {
  const minute = oneMore(before.writes, before.writes_since, now, 60_000);
  const hour = oneMore(before.hour_writes, before.hour_since, now, 60 * 60_000);
  const counted = { writes: minute.count, writes_since: minute.since, hour_writes: hour.count, hour_since: hour.since };
  if (minute.count > writesOfALoop) return { counted, loop: 'minute' };
  return hour.count > writesOfASlowLoop ? { counted, loop: 'hour' } : { counted };
}

function oneMore(count: number, since: string | null, now: string, ms: number): { count: number; since: string } {
  const isSameTime = since !== null && Date.parse(now) - Date.parse(since) < ms;
  return isSameTime ? { count: count + 1, since } : { count: 1, since: now };
}
