const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration in its largest unit, short enough for badges: '25m', '2h', '3d'. Never '0m'. */
export function shortSpan(ms: number): string {
  if (ms < hour) return `${Math.max(1, Math.floor(ms / minute))}m`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  return `${Math.floor(ms / day)}d`;
}

/** Working time: '40m', '5h 20m', '71h'. Never in days, because a working day does not have 24 hours. */
export function workingSpan(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  if (hours === 0) return `${rest}m`;
  return hours >= 24 || rest === 0 ? `${hours}h` : `${hours}h ${rest}m`;
}

/** Within this time of its due time a ticket is marked as due soon, while there is time to act. */
const nearMs = 2 * hour;

export interface DueTime {
  /** 'Due in 5h', 'Overdue 3d'. */
  text: string;
  state: 'ahead' | 'near' | 'over';
}

/**
 * The time until a due time. List, panel and dashboard all show it in wall-clock time, never in working time, so that they cannot
 * contradict each other. The remaining working time is shown separately and labeled as such (`workingTimeLeft`).
 */
export function dueTime(due_at: string, now: number): DueTime {
  const left = Date.parse(due_at) - now;
  if (left < 0) return { text: `Overdue ${shortSpan(-left)}`, state: 'over' };
  return { text: `Due in ${shortSpan(left)}`, state: left <= nearMs ? 'near' : 'ahead' };
}

const momentFormat = (zone: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit', ...zone });
/** Created once: creating it costs more than all other work for a row of a list. */
let ownMomentFormat: Intl.DateTimeFormat | undefined;

/** en-US with short month, day, year, hour and minute. Without `timeZone`, in the reader's own. */
export function dueMoment(due_at: string, timeZone?: string): string {
  // An email may be read in any time zone, so it includes the zone's name.
  const format = timeZone === undefined ? (ownMomentFormat ??= momentFormat({})) : momentFormat({ timeZone, timeZoneName: 'short' });
  return format.format(new Date(due_at));
}

/** '5h 20m of working time left', or how much working time it is overdue. */
export const workingTimeLeft = (minutes: number): string =>
  minutes < 0 ? `${workingSpan(-minutes)} of working time overdue` : `${workingSpan(minutes)} of working time left`;
