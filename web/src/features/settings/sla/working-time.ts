import type { BusinessSpan, Organization } from '@tandem/contracts';
import { slaLimits, weekdays, type Weekday } from '@tandem/contracts/values';
import { createExternalStore } from '../../../lib/external-store';
import { t } from '../../../lib/staff-texts';

export type WorkingTime = Pick<Organization, 'time_zone' | 'business_hours' | 'holidays' | 'auto_assign' | 'default_priority'>;
export type Hours = NonNullable<WorkingTime['business_hours']>;
export type Holiday = WorkingTime['holidays'][number];

/** Initial business hours when they are switched on. */
export const officeHours: Hours = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({ day, from: '09:00', to: '17:00' }));

export const spansOf = (hours: Hours, day: Weekday): BusinessSpan[] => hours.filter((span) => span.day === day);
export const withDay = (hours: Hours, day: Weekday, spans: BusinessSpan[]): Hours =>
  weekdays.flatMap((each) => (each === day ? spans : spansOf(hours, each)));
export const mondayEveryDay = (hours: Hours): Hours => weekdays.flatMap((day) => spansOf(hours, 'mon').map((span) => ({ ...span, day })));

/** A new span for a day: one hour, after the last span. Undefined if the day is full. */
export function nextSpan(hours: Hours, day: Weekday): BusinessSpan | undefined {
  const last = spansOf(hours, day).at(-1);
  if (!last) return { day, from: '09:00', to: '17:00' };
  if (last.to >= '23:00') return undefined;
  return { day, from: last.to, to: `${String(Number(last.to.slice(0, 2)) + 1).padStart(2, '0')}${last.to.slice(2)}` };
}

/** Same messages as the server's. Undefined if the day is valid. */
export function problemOfDay(spans: BusinessSpan[]): string | undefined {
  if (spans.some(({ from, to }) => !from || !to)) return t('settings.sla.enter_a_time');
  if (spans.some(({ from, to }) => from >= to)) return t('settings.sla.must_be_after_start');
  const overlap = spans.some((a, i) => spans.some((b, j) => i < j && a.from < b.to && b.from < a.to));
  return overlap ? t('settings.sla.hours_of_day_overlap') : undefined;
}

export function problemOfHours(hours: Hours): string | undefined {
  if (hours.length === 0) return t('settings.sla.choose_at_least_one_day');
  if (hours.length > slaLimits.spans) return t('settings.sla.too_many_time_ranges', { spans: slaLimits.spans });
  return weekdays.map((day) => problemOfDay(spansOf(hours, day))).find(Boolean);
}

/** Unsaved changes. They survive switching tabs. */
export const unsavedWorkingTime = createExternalStore<Partial<WorkingTime>>(() => ({}));

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
/** The fields of the draft that differ from the saved settings. */
export const changesOf = (saved: WorkingTime, draft: Partial<WorkingTime>): Partial<WorkingTime> =>
  Object.fromEntries(Object.entries(draft).filter(([field, value]) => !same(value, saved[field as keyof WorkingTime])));

/** The labels of the form. */
const names: Record<keyof WorkingTime, string> = {
  time_zone: t('settings.sla.time_zone'),
  business_hours: t('settings.sla.business_hours'),
  holidays: t('settings.sla.holidays'),
  default_priority: t('settings.sla.default_priority'),
  auto_assign: t('settings.sla.automatic_assignment'),
};
export const changedNames = (changes: Partial<WorkingTime>): string[] =>
  Object.keys(changes).map((name) => names[name as keyof WorkingTime]);
