import { Temporal } from 'temporal-polyfill';

/** The hour in the organization's time zone at which tickets are deleted. */
const nightHour = 3;

/** The next time after `now` at which it is 3 o'clock in the time zone; in the night of a clock change the next hour that exists. */
export function nextNight(time_zone: string, now: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone);
  const today = local.startOfDay().with({ hour: nightHour });
  const next = Temporal.ZonedDateTime.compare(today, local) > 0 ? today : local.add({ days: 1 }).startOfDay().with({ hour: nightHour });
  return new Date(next.epochMilliseconds).toISOString();
}
