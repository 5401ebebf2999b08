const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in its largest unit, as badges have room for: '25 min', '2 h', '3 d'. Never '0 min'. */
export function shortSpan(ms: number): string {
  if (ms < hour) return `${Math.max(1, Math.floor(ms / minute))} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** Working time: '40 min', '5 h 20 min', '71 h'. In hours only: a working day does not have 24 of them. */
export function workingSpan(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  if (hours === 0) return `${rest} min`;
  return hours >= 24 || rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** From here on a due time is near: there is still time to do something about it. */
const nearMs = 2 * hour;

export interface DueTime {
  /** 'Due in 5 h', 'Overdue 3 d'. */
  text: string;
  state: 'ahead' | 'near' | 'over';
}

/**
 * How far a due time is away. List, panel and dashboard all show this: time on the wall clock, never working time, so that two of them cannot
 * contradict each other. What is left of the working time is said beside it, and named so (`workingTimeLeft`).
 */
export function dueTime(due_at: string, now: number): DueTime {
  const left = Date.parse(due_at) - now;
  if (left < 0) return { text: `Overdue ${shortSpan(-left)}`, state: 'over' };
  return { text: `Due in ${shortSpan(left)}`, state: left <= nearMs ? 'near' : 'ahead' };
}

/** Spec part 2, section 9: en-US with short month, day, year, hour and minute. Without a time zone: the reader's own. */
export const dueMoment = (due_at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-US', {
    ...{ month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    // A mail is read anywhere: there the time zone is part of the time.
    ...(timeZone === undefined ? {} : { timeZone, timeZoneName: 'short' }),
  }).format(new Date(due_at));

/** '5 h 20 min of working time left', or how much of it has passed since. */
export const workingTimeLeft = (minutes: number): string =>
  minutes < 0 ? `${workingSpan(-minutes)} of working time over` : `${workingSpan(minutes)} of working time left`;
