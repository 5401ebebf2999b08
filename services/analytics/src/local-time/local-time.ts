import { Temporal } from 'temporal-polyfill';

/** A calendar day as YYYY-MM-DD. Such texts compare like the days. */
export type Day = string;

export interface LocalTime {
  day: Day;
  hour: number;
}

/** The first and last instant that PostgreSQL, JSON and the contracts can all express. */
const firstDay = '0001-01-01';
const firstTime = '0001-01-01T00:00:00.000Z';
const lastTime = '9999-12-31T23:59:59.999Z';
const dayMs = 86_400_000;

/** Days without a time zone are computed as days in UTC, which all have 24 hours. */
const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (utc: number): Day => new Date(utc).toISOString().slice(0, 10);

/** From one change of a zone's clocks to the next, in milliseconds. */
interface Offset {
  from: number;
  to: number;
  offsetMs: number;
}
/** The offsets that were needed so far: a zone has at most two a year. Finding one takes about as long as a thousand uses of it. */
const offsets = new Map<string, Offset[]>();

function offsetAt(zone: string, time: number): number {
  let known = offsets.get(zone);
  if (!known) offsets.set(zone, (known = []));
  let found = known.find(({ from, to }) => from <= time && time < to);
  if (!found) known.push((found = findOffset(zone, time)));
  return found.offsetMs;
}

function findOffset(zone: string, time: number): Offset {
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  // Temporal searches strictly before the given time. A change at exactly this time must be found, too, so search from 1 ms later.
  const from = local.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity;
  const to = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
  return { from, to, offsetMs: local.offsetNanoseconds / 1e6 };
}

/** Day and hour on the clocks of `zone` at an instant. */
export function localTime(zone: string, at: string): LocalTime {
  const time = Date.parse(at);
  const [day = '', clock = ''] = new Date(time + offsetAt(zone, time)).toISOString().split('T');
  return { day, hour: Number(clock.slice(0, 2)) };
}

export const localDay = (zone: string, at: string): Day => localTime(zone, at).day;

/** The first instant of a day: not always midnight, which clocks may skip. */
export function startOfDay(zone: string, day: Day): string {
  const time = new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds).toISOString();
  if (time.startsWith('+')) return lastTime;
  return time < firstTime ? firstTime : time;
}

/** The end of a day, which is the start of the next one. */
export const endOfDay = (zone: string, day: Day): string => (day === '9999-12-31' ? lastTime : startOfDay(zone, addDays(day, 1)));

/** The day `days` later; the first day if the result would be before it. */
export function addDays(day: Day, days: number): Day {
  const utc = utcOf(day) + days * dayMs;
  return utc < utcOf(firstDay) ? firstDay : dayOf(utc);
}

export const daysBetween = (from: Day, to: Day): number => (utcOf(to) - utcOf(from)) / dayMs;

/** All days from `from` to `to`, both included. */
export const daysOf = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => dayOf(utcOf(from) + i * dayMs));

/** 0 for Monday. */
export const weekdayOf = (day: Day): number => (new Date(utcOf(day)).getUTCDay() + 6) % 7;
