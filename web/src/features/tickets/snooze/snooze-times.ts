const startHour = 8;
const laterHours = 3;

export interface SnoozeChoice {
  label: 'Later today' | 'Tomorrow' | 'Next week';
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
    ...(later.getDate() === now.getDate() ? [{ label: 'Later today' as const, until: later }] : []),
    { label: 'Tomorrow', until: dayAhead(now, 1) },
    ...(toMonday > 1 ? [{ label: 'Next week' as const, until: dayAhead(now, toMonday) }] : []),
  ];
}

const two = (value: number) => String(value).padStart(2, '0');
/** A time as the value of a `datetime-local` input. */
export const inputValue = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
