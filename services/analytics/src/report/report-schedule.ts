import type { ReportFrequency } from '@tandem/contracts';
import { Temporal } from 'temporal-polyfill';
import type { Period } from '../figures/period';

const eightOClock = Temporal.PlainTime.from('08:00');
const monday = 1;

const instantOf = (day: Temporal.PlainDate, timeZone: string): string =>
  new Date(day.toZonedDateTime({ timeZone, plainTime: eightOClock }).epochMilliseconds).toISOString();

const following = (day: Temporal.PlainDate, frequency: ReportFrequency): Temporal.PlainDate =>
  frequency === 'weekly' ? day.add({ days: 7 }) : day.add({ months: 1 });

/** The first Monday, or first day of a month, at 08:00 in the organization's time zone, that is later than `after`. */
export function nextDue(frequency: ReportFrequency, timeZone: string, after: string): string {
  const today = Temporal.Instant.from(after).toZonedDateTimeISO(timeZone).toPlainDate();
  const day = frequency === 'weekly' ? today.subtract({ days: today.dayOfWeek - monday }) : today.with({ day: 1 });
  const due = instantOf(day, timeZone);
  return due > after ? due : instantOf(following(day, frequency), timeZone);
}

/** The last due time that has passed, for a report that has been due since `due`: an outage causes one report, not one per due time. */
export function lastDue(frequency: ReportFrequency, timeZone: string, due: string, now: string): string {
  for (;;) {
    const next = nextDue(frequency, timeZone, due);
    if (next > now) return due;
    due = next;
  }
}

/** The week or month before the due time. */
export function reportedPeriod(frequency: ReportFrequency, timeZone: string, due: string): Period {
  const day = Temporal.Instant.from(due).toZonedDateTimeISO(timeZone).toPlainDate();
  const from = frequency === 'weekly' ? day.subtract({ days: 7 }) : day.subtract({ months: 1 });
  return { from: from.toString(), to: day.subtract({ days: 1 }).toString() };
}
