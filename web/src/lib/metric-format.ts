import { lazyFormat } from './lazy-format';
import { t } from './staff-texts';

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
  if (hours > 0 && minutes < 1) return t('lib.less_than_a_minute');
  if (minutes < 60) return t('lib.minutes', { minutes });
  return t('lib.hours', { hours: hours < 100 ? tenths().format(hours) : whole().format(Math.round(hours)) });
}

export const weekdayNames = [
  t('lib.monday'),
  t('lib.tuesday'),
  t('lib.wednesday'),
  t('lib.thursday'),
  t('lib.friday'),
  t('lib.saturday'),
  t('lib.sunday'),
];
export const shortWeekdayNames = [t('lib.mon'), t('lib.tue'), t('lib.wed'), t('lib.thu'), t('lib.fri'), t('lib.sat'), t('lib.sun')];
const hourOfDay = lazyFormat(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', timeZone: 'UTC' }));
/** An hour of the day: '9 AM'. */
export const hourOfDayText = (hour: number): string => hourOfDay().format(hour * 3_600_000);

// Not by Intl, whose first date takes 40 ms on a slow processor, before the first paint of the page.
const monthNames = [
  t('lib.jan'),
  t('lib.feb'),
  t('lib.mar'),
  t('lib.apr'),
  t('lib.may'),
  t('lib.jun'),
  t('lib.jul'),
  t('lib.aug'),
  t('lib.sep'),
  t('lib.oct'),
  t('lib.nov'),
  t('lib.dec'),
];
/** 'Nov 21' */
export const shortDayText = (day: string): string =>
  t('lib.month_and_day', { month: monthNames[Number(day.slice(5, 7)) - 1] ?? '', day: Number(day.slice(8, 10)) });
/** 'Sat, Nov 21' */
export const longDayText = (day: string): string =>
  t('lib.weekday_and_day', { weekday: shortWeekdayNames[(new Date(day).getUTCDay() + 6) % 7] ?? '', day: shortDayText(day) });
const fullDayText = (day: string): string => t('lib.day_and_year', { day: shortDayText(day), year: Number(day.slice(0, 4)) });

interface Period {
  from: string;
  to: string;
}

/** 'Oct 23 to Nov 21', with the years if they are not the same, or not those of the period that is shown next to it. */
export function periodText({ from, to }: Period, next: Period = { from, to }): string {
  const years = new Set([from, to, next.from, next.to].map((day) => day.slice(0, 4)));
  const text = years.size === 1 ? shortDayText : fullDayText;
  return from === to ? text(from) : t('lib.from_to', { from: text(from), to: text(to) });
}
