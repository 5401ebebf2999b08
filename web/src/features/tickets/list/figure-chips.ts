import { channelLabels, surveyRatingLabels, type SurveyFilter, type TicketChannel } from '@tandem/contracts/values';
import { formatDate, formatDay } from '../../../lib/dates';
import { hourOfDayText, hoursText, weekdayNames } from '../../../lib/metric-format';
import { addDays, isStartOfDay, zonedDay } from '../../../lib/zoned-day';
import type { FigureFilter, FigureFilters } from './figure-filters';

/** The day of a filter's value, which is a day or an instant. */
export const dayAt = (value: string, timeZone: string): string => (value.includes('T') ? zonedDay(value, timeZone) : value);
/** The last day of a range from its end, which is not part of it. */
export const lastDayBefore = (end: string, timeZone: string): string =>
  end.includes('T') ? zonedDay(new Date(Date.parse(end) - 1).toISOString(), timeZone) : addDays(end, -1);

const isWholeDay = (value: string, timeZone: string) => !value.includes('T') || isStartOfDay(value, timeZone);
const startText = (value: string, timeZone: string) =>
  isWholeDay(value, timeZone) ? formatDay(dayAt(value, timeZone)) : formatDate(value);
const endText = (value: string, timeZone: string) =>
  isWholeDay(value, timeZone) ? formatDay(lastDayBefore(value, timeZone)) : formatDate(value);

/** 'Nov 3, 2026', 'Oct 23, 2026 to Nov 21, 2026', 'since …', 'until …' */
export function timeRangeText(from: string | undefined, to: string | undefined, timeZone: string): string {
  const first = from && startText(from, timeZone);
  const last = to && endText(to, timeZone);
  if (first && last) return first === last ? first : `${first} to ${last}`;
  return first ? `since ${first}` : `until ${last}`;
}

function hoursRangeText(from: string | undefined, to: string | undefined): string {
  const [least, most] = [Number(from ?? 0), to === undefined ? undefined : Number(to)];
  if (most === undefined) return `${hoursText(least)} or more`;
  return least === 0 ? `under ${hoursText(most)}` : `${hoursText(least)} to ${hoursText(most)}`;
}

const hourText = (hour: string): string => `${hourOfDayText(Number(hour))} to ${hourOfDayText(Number(hour) + 1)}`;
const surveyTexts: Record<SurveyFilter, string> = { sent: 'Sent', answered: 'Answered' };
const flagText = (yes: string, no: string) => (value: string) => (value === 'true' ? yes : no);

const namedAtMost = 3;
const otherThanText = (listed: readonly string[]): string =>
  `Other than ${listed.length > namedAtMost ? `${listed.length} listed ones` : new Intl.ListFormat('en', { type: 'disjunction' }).format(listed)}`;

/** The values of filters with one chip each. */
const valueTexts: { name: FigureFilter; label: string; text: (value: string, timeZone: string) => string }[] = [
  { name: 'channel', label: 'Channel', text: (value) => (value === 'none' ? 'Unknown' : channelLabels[value as TicketChannel]) },
  { name: 'has_category', label: 'Category', text: flagText('Any', 'None') },
  { name: 'escalated', label: 'Escalated', text: flagText('Yes', 'No') },
  { name: 'breached', label: 'SLA', text: flagText('Breached', 'Not breached') },
  { name: 'reopened', label: 'Reopened', text: flagText('Yes', 'No') },
  { name: 'one_touch', label: 'Resolved with one reply', text: flagText('Yes', 'No') },
  { name: 'has_first_response_time', label: 'First response', text: flagText('Sent', 'Not sent') },
  { name: 'has_resolution_time', label: 'Resolution', text: flagText('Resolved', 'Not resolved') },
  { name: 'survey', label: 'Survey', text: (value) => surveyTexts[value as SurveyFilter] },
  { name: 'rating', label: 'Rating', text: (value) => `${value} ${surveyRatingLabels[Number(value)]}` },
  {
    name: 'open_at',
    label: 'Open',
    text: (value, timeZone) => `at ${isWholeDay(value, timeZone) ? 'the end of ' : ''}${endText(value, timeZone)}`,
  },
  { name: 'created_weekday', label: 'Weekday', text: (value) => weekdayNames[Number(value) - 1] ?? value },
  { name: 'created_hour', label: 'Hour', text: hourText },
];

/** Ranges with one chip for both ends. */
const rangeTexts: { from: FigureFilter; to: FigureFilter; label: string; text: typeof timeRangeText }[] = [
  { from: 'breached_from', to: 'breached_to', label: 'SLA breached', text: timeRangeText },
  { from: 'reopened_from', to: 'reopened_to', label: 'Reopened', text: timeRangeText },
  { from: 'resolved_from', to: 'resolved_to', label: 'Resolved', text: timeRangeText },
  { from: 'first_response_hours_from', to: 'first_response_hours_to', label: 'First response', text: hoursRangeText },
  { from: 'resolution_hours_from', to: 'resolution_hours_to', label: 'Resolution', text: hoursRangeText },
];

export interface FigureChip {
  name: string;
  value: string;
  /** The filters without those that the chip shows. */
  without: FigureFilters;
}

/** The chips of the filters that the analytics page has set. A filter with several values has a chip for each. */
export function figureChips(filters: FigureFilters, timeZone: string): FigureChip[] {
  const single = valueTexts.flatMap(({ name, label, text }): FigureChip[] => {
    const value: string | string[] | undefined = filters[name];
    if (!Array.isArray(value)) return value ? [{ name: label, value: text(value, timeZone), without: { [name]: undefined } }] : [];
    return value.map((one) => ({ name: label, value: text(one, timeZone), without: { [name]: value.filter((each) => each !== one) } }));
  });
  const ranges = rangeTexts.flatMap(({ from, to, label, text }): FigureChip[] => {
    const [first, last] = [filters[from] as string | undefined, filters[to] as string | undefined];
    return first || last ? [{ name: label, value: text(first, last, timeZone), without: { [from]: undefined, [to]: undefined } }] : [];
  });
  const others = (['other_category', 'other_tag'] as const).flatMap((name): FigureChip[] => {
    const { [name]: listed = [] } = filters;
    const label = name === 'other_tag' ? 'Tag' : 'Category';
    return listed.length === 0 ? [] : [{ name: label, value: otherThanText(listed), without: { [name]: undefined } }];
  });
  return [...single, ...others, ...ranges];
}
