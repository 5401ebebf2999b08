import { weekdays, type Organization } from '@tandem/contracts';
import { Temporal } from 'temporal-polyfill';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** 1970-01-01 was a Thursday; adding this offset aligns whole weeks with Mondays. */
const thursdayMs = 3 * dayMs;
/** Without enough working time within this many years there is no due time. */
const horizonYears = 5;

/**
 * Working time as a function of wall-clock time, which is expressed in milliseconds as if it were UTC. On that scale all weeks are equal,
 * regardless of changes of the zone's offset.
 */
export interface Calendar {
  time_zone: string;
  /** Working time between the start of 1970 and this wall-clock time. */
  workedUntil: (wall: number) => number;
}
export type CalendarSettings = Pick<Organization, 'time_zone' | 'business_hours' | 'holidays'>;

/**
 * The calendar for SLA timers: the organization's business hours minus its holidays. Null without business hours: timers run around the
 * clock, every day.
 */
export function calendarOf({ time_zone, business_hours, holidays }: CalendarSettings): Calendar | null {
  if (!business_hours) return null;
  const inWeek = weekOf(business_hours);
  return { time_zone, workedUntil: withoutHolidays(inWeek, holidays) };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function weekOf(hours: NonNullable<Organization['business_hours']>): (wall: number) => number {
  const spans = hours.map(({ day, from, to }) => {
    const monday = weekdays.indexOf(day) * dayMs;
    return { from: monday + minutesOf(from) * minuteMs, length: (minutesOf(to) - minutesOf(from)) * minuteMs };
  });
  const inOneWeek = spans.reduce((sum, { length }) => sum + length, 0);
  return (wall) => {
    const weeks = Math.floor((wall + thursdayMs) / weekMs);
    const rest = wall + thursdayMs - weeks * weekMs;
    let worked = weeks * inOneWeek;
    for (const { from, length } of spans) worked += Math.min(Math.max(rest - from, 0), length);
    return worked;
  };
}

function withoutHolidays(worked: (wall: number) => number, holidays: Organization['holidays']): (wall: number) => number {
  const days = [...new Set(holidays.map(({ date }) => Date.parse(`${date}T00:00:00Z`)))].sort((a, b) => a - b);
  if (days.length === 0) return worked;
  /** Cumulative working time lost to the holidays before each index. */
  const lost = [0];
  for (const [index, day] of days.entries()) lost.push(lost[index]! + worked(day + dayMs) - worked(day));
  return (wall) => {
    const before = smallest(0, days.length, (index) => index === days.length || days[index]! >= wall);
    const last = days[before - 1];
    const lostOfLast = last === undefined ? 0 : worked(Math.min(wall, last + dayMs)) - worked(last);
    return worked(wall) - (lost[before - 1] ?? 0) - lostOfLast;
  };
}

/** Working time from one instant to another, in milliseconds; negative if `to` is earlier. */
export function workingTimeBetween(calendar: Calendar | null, from: number, to: number): number {
  if (!calendar) return to - from;
  if (to < from) return -workingTimeBetween(calendar, to, from);
  let worked = 0;
  for (const { start, end, offset } of stretchesOf(calendar.time_zone, from, to)) {
    worked += calendar.workedUntil(end + offset) - calendar.workedUntil(start + offset);
  }
  return worked;
}

/**
 * The first instant at which `duration` of working time has passed since `from`: the end of one working day rather than the start of the
 * next. Null if there is not that much working time within five years.
 */
export function addWorkingTime(calendar: Calendar | null, from: number, duration: number): number | null {
  if (duration <= 0) return from;
  if (!calendar) return from + duration;
  let left = duration;
  for (const { start, end, offset } of stretchesOf(calendar.time_zone, from, from + horizonYears * 366 * dayMs)) {
    const before = calendar.workedUntil(start + offset);
    const here = calendar.workedUntil(end + offset) - before;
    if (here >= left) return smallest(start, end, (at) => calendar.workedUntil(at + offset) - before >= left);
    left -= here;
  }
  return null;
}

/** The first instant of working time at or after `from`. Null if there is none within five years. */
export function nextWorkingTime(calendar: Calendar | null, from: number): number | null {
  const first = addWorkingTime(calendar, from, 1);
  return first === null ? null : first - 1;
}

/** Binary search: the smallest integer in `low`..`high` for which `holds` is true. `holds` must be monotonic, and true for `high`. */
function smallest(low: number, high: number, holds: (value: number) => boolean): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Stretch {
  start: number;
  end: number;
  /** Wall-clock time minus UTC. */
  offset: number;
}

/**
 * Splits `from`..`to` where the zone's offset changes. Within a part the wall clock is continuous: a skipped hour is in no part and a
 * repeated hour is in two, so that working time is exactly what the wall clock shows.
 */
function* stretchesOf(zone: string, from: number, to: number): Generator<Stretch> {
  let start = from;
  for (let year = new Date(from).getUTCFullYear(); start < to; year += 1) {
    for (const { until, offset } of offsetsOf(zone, year)) {
      const end = Math.min(until, to);
      if (end <= start) continue;
      yield { start, end, offset };
      start = end;
    }
  }
}

interface YearOffset {
  until: number;
  offset: number;
}
/** Reading a zone's transitions takes a millisecond and they do not change within a release, so each process caches them. */
const known = new Map<string, YearOffset[]>();
const maxKnown = 5_000;

function offsetsOf(zone: string, year: number): YearOffset[] {
  const key = `${zone} ${year}`;
  let offsets = known.get(key);
  if (!offsets) {
    offsets = readOffsets(zone, year);
    if (known.size >= maxKnown) known.clear();
    known.set(key, offsets);
  }
  return offsets;
}

function readOffsets(zone: string, year: number): YearOffset[] {
  const end = Date.UTC(year + 1, 0, 1);
  const offsets: YearOffset[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(year, 0, 1)).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    const until = Math.min(end, next?.epochMilliseconds ?? end);
    offsets.push({ until, offset: at.offsetNanoseconds / 1e6 });
    if (!next || until === end) return offsets;
    at = next;
  }
}
