import { lazyFormat } from './lazy-format';
import { t } from './staff-texts';
import { uiLocale, uiText } from './ui-texts';

/** en-US with short month, day, year, hour and minute, in the reader's own time zone. */
const full = lazyFormat(
  () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' }),
);
const inUnit = (unit: string) => lazyFormat(() => new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'narrow' }));
const minutes = inUnit('minute');
const hours = inUnit('hour');
const days = inUnit('day');
const shortDay = lazyFormat(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }));
const shortDate = lazyFormat(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }));
const moment = lazyFormat(() => new Intl.DateTimeFormat('en-US', { weekday: 'short', hour: 'numeric', minute: '2-digit' }));

/** The formats of a customer page in another language, created at their first use. */
function makeFormats(locale: string) {
  return {
    locale,
    full: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    day: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
    ago: new Intl.RelativeTimeFormat(locale, { style: 'narrow' }),
  };
}
let translated: ReturnType<typeof makeFormats> | undefined;
/** Undefined in English. */
function otherFormats(): typeof translated {
  const locale = uiLocale();
  if (locale === 'en-US') return undefined;
  if (translated?.locale !== locale) translated = makeFormats(locale);
  return translated;
}

export const formatDate = (iso: string): string => (otherFormats()?.full ?? full()).format(new Date(iso));

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'just now', '5m ago', '3h ago', '2d ago'; the date if it is a week ago or more. */
export function formatRelative(iso: string, now = Date.now()): string {
  const then = new Date(iso);
  const age = now - then.getTime();
  if (age < minute) return uiText('just_now');
  const other = otherFormats();
  if (other) {
    if (age < hour) return other.ago.format(-Math.floor(age / minute), 'minute');
    if (age < day) return other.ago.format(-Math.floor(age / hour), 'hour');
    if (age < 7 * day) return other.ago.format(-Math.floor(age / day), 'day');
    return (then.getFullYear() === new Date(now).getFullYear() ? other.day : other.date).format(then);
  }
  if (age < hour) return `${minutes().format(Math.floor(age / minute))} ago`;
  if (age < day) return `${hours().format(Math.floor(age / hour))} ago`;
  if (age < 7 * day) return `${days().format(Math.floor(age / day))} ago`;
  return (then.getFullYear() === new Date(now).getFullYear() ? shortDay() : shortDate()).format(then);
}

const inFull = lazyFormat(() => new Intl.RelativeTimeFormat('en-US'));

/** How far away a future instant is: 'in 6 days', 'in 3 hours', 'in 1 minute'. Rounded down, but at least a minute. */
export function formatUntil(iso: string, now = Date.now()): string {
  const left = Date.parse(iso) - now;
  if (left >= day) return inFull().format(Math.floor(left / day), 'day');
  if (left >= hour) return inFull().format(Math.floor(left / hour), 'hour');
  return inFull().format(Math.max(1, Math.floor(left / minute)), 'minute');
}

/** The time left until an instant as a clock: '23:04:09'. */
export function formatCountdown(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(iso) - now) / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Short form of an instant in the next days: 'Mon 9:00 AM'; the date if it is six days away or more. */
export const formatMoment = (iso: string, now = Date.now()): string =>
  Date.parse(iso) - now < 6 * day ? moment().format(new Date(iso)) : formatDate(iso);

const clock = lazyFormat(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }));
const clockSeconds = lazyFormat(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' }));
const dayAndClock = lazyFormat(
  () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
);

/** '9:14 AM'. */
export const formatTimeOfDay = (iso: string): string => clock().format(new Date(iso));

const weekdayAndDate = lazyFormat(
  () => new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' }),
);

/** The day of an instant: 'Today', 'Yesterday', 'Friday, Nov 20, 2026'. */
export function formatDayName(iso: string, now = Date.now()): string {
  const name = new Date(iso).toDateString();
  if (name === new Date(now).toDateString()) return t('lib.today');
  const before = new Date(now);
  before.setDate(before.getDate() - 1);
  return name === before.toDateString() ? t('lib.yesterday') : weekdayAndDate().format(new Date(iso));
}

/** A near instant: '9:14 AM' today (with seconds if asked for), otherwise 'Nov 21, 9:14 AM'. */
export function formatClock(iso: string, now = Date.now(), withSeconds = false): string {
  const instant = new Date(iso);
  if (instant.toDateString() !== new Date(now).toDateString()) return dayAndClock().format(instant);
  return (withSeconds ? clockSeconds() : clock()).format(instant);
}

/** A calendar date without the time. Accepts '2026-11-21' or an instant. */
export const formatDay = (day: string): string => shortDate().format(new Date(day.includes('T') ? day : `${day}T12:00`));
