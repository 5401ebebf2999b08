import { lazyFormat } from './lazy-format';

/** Shown for a figure without entries, where 0 would look like a value. */
export const noValue = '—';

const whole = lazyFormat(() => new Intl.NumberFormat('en-US'));
const tenths = lazyFormat(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));
const rating = lazyFormat(() => new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

export const countText = (value: number): string => whole().format(value);
export const percentText = (value: number | null): string => (value === null ? noValue : `${tenths().format(value)}%`);
export const ratingText = (value: number | null): string => (value === null ? noValue : rating().format(value));

/** A duration of working time: '42m' below an hour, '4.2h' below a hundred, '128h' above. No days: a working day has no fixed length. */
export function hoursText(hours: number | null): string {
  if (hours === null) return noValue;
  const minutes = Math.round(hours * 60);
  if (hours > 0 && minutes < 1) return '<1m';
  if (minutes < 60) return `${minutes}m`;
  return `${hours < 100 ? tenths().format(hours) : whole().format(Math.round(hours))}h`;
}

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const hourOfDay = lazyFormat(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', timeZone: 'UTC' }));
/** An hour of the day: '9 AM'. */
export const hourOfDayText = (hour: number): string => hourOfDay().format(hour * 3_600_000);

/** '1 ticket', '2 tickets' */
export const counted = (value: number, one: string, other = `${one}s`): string => `${countText(value)} ${value === 1 ? one : other}`;

// Not by Intl, whose first date takes 40 ms on a slow processor, before the first paint of the page.
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** 'Nov 21' */
export const shortDayText = (day: string): string => `${monthNames[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8, 10))}`;
/** 'Sat, Nov 21' */
export const longDayText = (day: string): string =>
  `${weekdayNames[(new Date(day).getUTCDay() + 6) % 7]?.slice(0, 3)}, ${shortDayText(day)}`;
const fullDayText = (day: string): string => `${shortDayText(day)}, ${Number(day.slice(0, 4))}`;

/** 'Oct 23 to Nov 21', with the years if they are not the same. */
export function periodText({ from, to }: { from: string; to: string }): string {
  const text = from.slice(0, 4) === to.slice(0, 4) ? shortDayText : fullDayText;
  return from === to ? text(from) : `${text(from)} to ${text(to)}`;
}
