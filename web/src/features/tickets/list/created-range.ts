import { t } from '../../../lib/staff-texts';
import { dayAt, lastDayBefore, timeRangeText } from './figure-chips';
import type { TicketFilters } from './ticket-filters';

/** A day in the reader's time zone, in the format of the URL and of date inputs. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The day that is `by` days later, or earlier if negative. */
export function shiftDay(day: string, by: number): string {
  const date = new Date(`${day.slice(0, 10)}T12:00`);
  date.setDate(date.getDate() + by);
  return dayOf(date);
}

export const createdRanges = [
  { value: 'today', label: t('tickets.list.today'), days: 1 },
  { value: 'week', label: t('tickets.list.last_7_days'), days: 7 },
  { value: 'month', label: t('tickets.list.last_30_days'), days: 30 },
] as const;

/** The range as filters: today and the days before it. */
export const lastDays = (days: number, today = dayOf(new Date())): Pick<TicketFilters, 'created_from'> => ({
  created_from: shiftDay(today, 1 - days),
});

/** Which predefined range is set, `custom` for another one, `all` for none. */
export function rangeOf({ created_from, created_to }: TicketFilters, today = dayOf(new Date())): string {
  if (!created_from && !created_to) return 'all';
  const ready = createdRanges.find(({ days }) => lastDays(days, today).created_from === created_from);
  return ready && !created_to ? ready.value : 'custom';
}

/** The range as text. It names the last included day, while the filter stores the first excluded one. */
export function rangeText(filters: TicketFilters, timeZone: string): string {
  const ready = createdRanges.find(({ value }) => value === rangeOf(filters));
  return ready ? ready.label.toLowerCase() : timeRangeText(filters.created_from, filters.created_to, timeZone);
}

/** The first and the last included day, for date inputs. Instants are days in the organization's time zone. */
export const rangeDays = ({ created_from, created_to }: TicketFilters, timeZone: string): { from: string; to: string } => ({
  from: created_from ? dayAt(created_from, timeZone) : '',
  to: created_to ? lastDayBefore(created_to, timeZone) : '',
});
