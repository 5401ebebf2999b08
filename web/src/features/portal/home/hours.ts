import type { PublicOrganization } from '@tandem/contracts';
import { weekdays, type Weekday } from '@tandem/contracts/values';
import { dayNames } from '../../../lib/weekdays';

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

/** End of a span, including spans that continue it, also past midnight. Null if that is later than the next day, or never. */
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

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
/** `17:30` → '5:30 PM'. */
export const timeText = (time: string): string => (time === '24:00' ? 'midnight' : clock.format(new Date(`1970-01-01T${time}:00Z`)));

const dateText = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export function openingText(opening: Opening): { state: string; detail: string | null } {
  if (opening.isOpen) return { state: 'Open now', detail: opening.ends === null ? null : `Until ${timeText(opening.ends)}` };
  const { holiday, opens } = opening;
  return {
    state: holiday === null ? 'Closed now' : `Closed today (${holiday})`,
    detail: opens && `Opens ${dayText(opens)} at ${timeText(opens.time)}`,
  };
}

function dayText({ inDays, date }: { inDays: number; date: string }): string {
  if (inDays === 0) return 'today';
  if (inDays === 1) return 'tomorrow';
  const day = dayNames[weekdayOf(date)];
  return inDays < 7 ? day : `on ${day}, ${dateText.format(new Date(`${date}T00:00:00Z`))},`;
}

const spansText = (spans: Span[]): string =>
  spans.length === 0 ? 'Closed' : spans.map(({ from, to }) => `${timeText(from)} – ${timeText(to)}`).join(', ');

/** The week with equal days combined: 'Monday – Friday', '9:00 AM – 5:00 PM'. */
export function weekTexts(hours: readonly Span[]): { days: string; hours: string; weekdays: Weekday[] }[] {
  const lines: { weekdays: Weekday[]; hours: string }[] = [];
  for (const day of weekdays) {
    const text = spansText(spansOf(hours, day));
    const last = lines.at(-1);
    if (last?.hours === text) last.weekdays.push(day);
    else lines.push({ weekdays: [day], hours: text });
  }
  return lines.map((line) => ({ ...line, days: daysText(line.weekdays) }));
}
function daysText(days: Weekday[]): string {
  const [first, last] = [days[0]!, days.at(-1)!];
  if (days.length === 1) return dayNames[first];
  return days.length === 7 ? 'Every day' : `${dayNames[first]} – ${dayNames[last]}`;
}

/** 'Berlin time (GMT+1)', because the reader may be in another time zone. */
export function zoneText(time_zone: string, now: number): string {
  const place = time_zone.split('/').at(-1)!.replaceAll('_', ' ');
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, timeZoneName: 'shortOffset' }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return place === 'UTC' ? 'UTC' : `${place} time (${offset})`;
}
