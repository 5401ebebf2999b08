import { Temporal } from 'temporal-polyfill';

/** A calendar day as YYYY-MM-DD. Such texts compare like the days. */
export type Day = string;

export interface LocalTime {
  day: Day;
  hour: number;
}

/** The first and last day that PostgreSQL, JSON and the contracts can all express. */
const firstDay = '0001-01-01';
const firstTime = '0001-01-01T00:00:00.000Z';
const lastTime = '9999-12-31T23:59:59.999Z';

/** Day and hour on the clocks of `zone` at an instant. */
export function localTime(zone: string, at: string): LocalTime {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
  return { day: local.toPlainDate().toString(), hour: local.hour };
}

export const localDay = (zone: string, at: string): Day => localTime(zone, at).day;

/** The first instant of a day: not always midnight, which clocks may skip. */
export function startOfDay(zone: string, day: Day): string {
  const time = new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds).toISOString();
  if (time.startsWith('-')) return firstTime;
  return time.startsWith('+') ? lastTime : time < firstTime ? firstTime : time;
}

/** The day `days` later. Before the first day there is none: the first day then. */
export function addDays(day: Day, days: number): Day {
  const moved = Temporal.PlainDate.from(day).add({ days });
  return moved.year < 1 ? firstDay : moved.toString();
}

/** The end of a day, which is the start of the next one. */
export const endOfDay = (zone: string, day: Day): string => {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  return next.year > 9999 ? lastTime : startOfDay(zone, next.toString());
};

export const daysBetween = (from: Day, to: Day): number => Temporal.PlainDate.from(from).until(to).days;

/** All days from `from` to `to`, both included. */
export const daysOf = (from: Day, to: Day): Day[] => Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i));

/** 0 for Monday. */
export const weekdayOf = (day: Day): number => Temporal.PlainDate.from(day).dayOfWeek - 1;
