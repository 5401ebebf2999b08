import type { Analytics } from '@tandem/contracts';
import { addDays, daysBetween, endOfDay, localDay, startOfDay, type Day } from '../local-time/local-time';

/** The first and last day of a range. */
export interface Period {
  from: Day;
  to: Day;
}
interface RangeQuery {
  range: number;
  from?: string | undefined;
  to?: string | undefined;
}

/** The days of a request; a range counts back from today in the organization's time zone. */
export function periodOf({ range, from, to }: RangeQuery, time_zone: string, now: string): Period {
  if (from !== undefined && to !== undefined) return { from, to };
  const today = localDay(time_zone, now);
  return { from: addDays(today, 1 - range), to: today };
}

/** The preceding period of the same length. */
export const previousPeriod = ({ from, to }: Period): Period => ({
  from: addDays(from, -daysBetween(from, to) - 1),
  to: addDays(from, -1),
});

export const withTimes = ({ from, to }: Period, time_zone: string): Analytics['period'] => ({
  from,
  to,
  from_time: startOfDay(time_zone, from),
  to_time: endOfDay(time_zone, to),
});
