import { t } from '../../../lib/staff-texts';

const startHour = 8;
const laterHours = 3;

export interface SnoozeChoice {
  label: string;
  until: Date;
}

const dayAhead = (now: Date, days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, startHour);
const monday = 1;

/**
 * The usual times, in the reader's time zone: in three hours, and at 8:00 AM on the next day or the next Monday. 'Later today' is left out
 * when it would be tomorrow, and 'Next week' on Sundays, when it is tomorrow.
 */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const later = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + laterHours + (now.getMinutes() > 0 ? 1 : 0));
  const toMonday = (monday - now.getDay() + 7) % 7 || 7;
  return [
    ...(later.getDate() === now.getDate() ? [{ label: t('tickets.snooze.later_today'), until: later }] : []),
    { label: t('tickets.snooze.tomorrow'), until: dayAhead(now, 1) },
    ...(toMonday > 1 ? [{ label: t('tickets.snooze.next_week'), until: dayAhead(now, toMonday) }] : []),
  ];
}

const two = (value: number) => String(value).padStart(2, '0');
/** A time as the value of a `datetime-local` input. */
export const inputValue = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
