import type { PublicOrganization } from '@tandem/contracts';
import { weekdays, type Weekday } from '@tandem/contracts/values';
import { localeOf, type PortalTranslate } from '../language/texts';

export type Schedule = Pick<PublicOrganization, 'business_hours' | 'time_zone' | 'holidays'>;
type Span = NonNullable<Schedule['business_hours']>[number];

/** `ends` and `opens` are local times in the organization's time zone; `inDays` counts from today. */
export type Opening =
  | { isOpen: true; ends: string | null }
  | { isOpen: false; holiday: string | null; opens: { inDays: number; date: string; time: string } | null };

/** How far to search for the next working day. */
const horizonDays = 30;
const dayMs = 86_400_000;

/** Local date and time in a time zone: `2026-11-23`, `09:05`. */
export function wallClock(time_zone: string, now: number): { date: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

const laterDate = (date: string, days: number) => new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
export const weekdayOf = (date: string): Weekday => weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;

export const spansOf = (hours: readonly Span[], day: Weekday): Span[] =>
  hours.filter((span) => span.day === day).sort((a, b) => (a.from < b.from ? -1 : 1));

/** Whether the team is available now, until when, or when it opens next. Undefined if there are no business hours. */
export function openingAt({ business_hours, time_zone, holidays }: Schedule, now: number): Opening | undefined {
  if (!business_hours) return undefined;
  const { date: today, time } = wallClock(time_zone, now);
  const holidayOn = (date: string) => holidays.find((holiday) => holiday.date === date);
  const spansOn = (date: string) => (holidayOn(date) ? [] : spansOf(business_hours, weekdayOf(date)));
  const current = spansOn(today).find(({ from, to }) => from <= time && time < to);
  if (current) return { isOpen: true, ends: endOf(current, today, spansOn) };
  for (let inDays = 0; inDays <= horizonDays; inDays += 1) {
    const date = laterDate(today, inDays);
    const next = spansOn(date).find(({ from }) => inDays > 0 || from > time);
    if (next) return { isOpen: false, holiday: holidayOn(today)?.name ?? null, opens: { inDays, date, time: next.from } };
  }
  return { isOpen: false, holiday: holidayOn(today)?.name ?? null, opens: null };
}

/** End of a span, including spans that continue it, even past midnight. Null if that is later than the next day, or never. */
function endOf(span: Span, today: string, spansOn: (date: string) => Span[]): string | null {
  const following = (spans: Span[], end: string): string => {
    const next = spans.find(({ from }) => from === end);
    return next ? following(spans, next.to) : end;
  };
  const end = following(spansOn(today), span.to);
  if (end !== '24:00') return end;
  const tomorrow = spansOn(laterDate(today, 1));
  const first = tomorrow.find(({ from }) => from === '00:00');
  if (!first) return end;
  const later = following(tomorrow, first.to);
  return later === '24:00' ? null : later;
}

/** A date or time without a zone, in the language of the page. */
const format = (at: string, t: PortalTranslate, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(localeOf(t.language), { ...options, timeZone: 'UTC' }).format(new Date(at));

/** `17:30` → '5:30 PM'. */
export const timeText = (time: string, t: PortalTranslate): string =>
  time === '24:00' ? t('hours.midnight') : format(`1970-01-01T${time}:00Z`, t, { hour: 'numeric', minute: '2-digit' });

export function openingText(opening: Opening, t: PortalTranslate): { state: string; detail: string | null } {
  if (opening.isOpen)
    return { state: t('hours.open'), detail: opening.ends === null ? null : t('hours.until', { time: timeText(opening.ends, t) }) };
  const { holiday, opens } = opening;
  return {
    state: holiday === null ? t('hours.closed') : t('hours.holiday', { holiday }),
    detail: opens && opensText(opens, t),
  };
}

function opensText({ inDays, date, time: at }: { inDays: number; date: string; time: string }, t: PortalTranslate): string {
  const time = timeText(at, t);
  if (inDays === 0) return t('hours.opens_today', { time });
  if (inDays === 1) return t('hours.opens_tomorrow', { time });
  const day = format(date, t, { weekday: 'long' });
  return inDays < 7
    ? t('hours.opens_day', { day, time })
    : t('hours.opens_date', { day, date: format(date, t, { month: 'short', day: 'numeric' }), time });
}

const spansText = (spans: Span[], t: PortalTranslate): string =>
  spans.length === 0 ? t('hours.closed_day') : spans.map(({ from, to }) => `${timeText(from, t)} – ${timeText(to, t)}`).join(', ');

/** 2024-01-01 was a Monday. */
const dayName = (day: Weekday, t: PortalTranslate): string => format(`2024-01-0${weekdays.indexOf(day) + 1}`, t, { weekday: 'long' });

/** The week with equal days combined: 'Monday – Friday', '9:00 AM – 5:00 PM'. */
export function weekTexts(hours: readonly Span[], t: PortalTranslate): { days: string; hours: string; weekdays: Weekday[] }[] {
  const lines: { weekdays: Weekday[]; hours: string }[] = [];
  for (const day of weekdays) {
    const text = spansText(spansOf(hours, day), t);
    const last = lines.at(-1);
    if (last?.hours === text) last.weekdays.push(day);
    else lines.push({ weekdays: [day], hours: text });
  }
  return lines.map((line) => ({ ...line, days: daysText(line.weekdays, t) }));
}
function daysText(days: Weekday[], t: PortalTranslate): string {
  const [first, last] = [dayName(days[0]!, t), dayName(days.at(-1)!, t)];
  if (days.length === 1) return first;
  return days.length === 7 ? t('hours.every_day') : `${first} – ${last}`;
}

/** 'Berlin time (GMT+1)', because the reader may be in another time zone. */
export function zoneText(time_zone: string, now: number, t: PortalTranslate): string {
  const place = time_zone.split('/').at(-1)!.replaceAll('_', ' ');
  const parts = new Intl.DateTimeFormat(localeOf(t.language), { timeZone: time_zone, timeZoneName: 'shortOffset' }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return place === 'UTC' ? 'UTC' : t('hours.zone', { place, offset });
}
