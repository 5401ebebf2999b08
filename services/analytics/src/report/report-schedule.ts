import type { ReportFrequency } from '@tandem/contracts';
import { Temporal } from 'temporal-polyfill';
import type { Period } from '../figures/period';

/** The time zone of the figures' days, which is the organization's, and that of the report, in which it is sent at 08:00. */
export interface ReportZones {
  figures: string;
  sending: string;
}

const eightOClock = Temporal.PlainTime.from('08:00');
const monday = 1;

const following = (day: Temporal.PlainDate, frequency: ReportFrequency): Temporal.PlainDate =>
  frequency === 'weekly' ? day.add({ days: 7 }) : day.add({ months: 1 });

/** The Monday or the first day of the month in which `time` is. */
function startOfPeriod(frequency: ReportFrequency, timeZone: string, time: string): Temporal.PlainDate {
  const day = Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate();
  return frequency === 'weekly' ? day.subtract({ days: day.dayOfWeek - monday }) : day.with({ day: 1 });
}

/** 08:00 of the day where the report is sent. Further east, that can be before the day begins where the figures are counted: a day later. */
function dueOn(day: Temporal.PlainDate, { figures, sending }: ReportZones): string {
  const start = day.toZonedDateTime(figures).toInstant();
  const [due, nextDay] = [day, day.add({ days: 1 })].map((date) =>
    date.toZonedDateTime({ timeZone: sending, plainTime: eightOClock }).toInstant(),
  );
  return new Date((Temporal.Instant.compare(due!, start) < 0 ? nextDay! : due!).epochMilliseconds).toISOString();
}

/** When the first report after `after` is due: at 08:00, once the week or month that it contains is over. */
export function nextDue(frequency: ReportFrequency, zones: ReportZones, after: string): string {
  const day = startOfPeriod(frequency, zones.figures, after);
  const due = dueOn(day, zones);
  return due > after ? due : dueOn(following(day, frequency), zones);
}

/** The same after a change to a time zone: not the week or month that has been sent already. */
export function dueAfterChange(frequency: ReportFrequency, zones: ReportZones, now: string, last_sent_at: string | null): string {
  const due = nextDue(frequency, zones, now);
  const periodAt = (time: string) => reportedPeriod(frequency, zones.figures, time).to;
  return last_sent_at !== null && periodAt(last_sent_at) === periodAt(due) ? nextDue(frequency, zones, due) : due;
}

/** The last due time that has passed, for a report that has been due since `due`: an outage causes one report, not one per due time. */
export function lastDue(frequency: ReportFrequency, zones: ReportZones, due: string, now: string): string {
  for (;;) {
    const next = nextDue(frequency, zones, due);
    if (next > now) return due;
    due = next;
  }
}

/** The last whole week or month before the due time. */
export function reportedPeriod(frequency: ReportFrequency, zone: string, due: string): Period {
  const end = startOfPeriod(frequency, zone, due);
  const from = frequency === 'weekly' ? end.subtract({ days: 7 }) : end.subtract({ months: 1 });
  return { from: from.toString(), to: end.subtract({ days: 1 }).toString() };
}
