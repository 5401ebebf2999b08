import { channelLabels, surveyRatingLabels, type SurveyFilter, type TicketChannel } from '@tandem/contracts/values';
import { formatDate, formatDay } from '../../../lib/dates';
import { hourOfDayText, hoursText, weekdayNames } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { addDays, isStartOfDay, zonedDay } from '../../../lib/zoned-day';
import type { FigureFilter, FigureFilters } from './figure-filters';

/** The day of a filter's value, which is a day or an instant. */
export const dayAt = (value: string, timeZone: string): string => (value.includes('T') ? zonedDay(value, timeZone) : value);
/** The last day of a range, given its exclusive end. */
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
  if (first && last) return first === last ? first : t('tickets.list.from_to', { from: first, to: last });
  return first ? t('tickets.list.since', { first }) : t('tickets.list.until', { last: last ?? '' });
}

function hoursRangeText(from: string | undefined, to: string | undefined): string {
  const [least, most] = [Number(from ?? 0), to === undefined ? undefined : Number(to)];
  if (most === undefined) return t('tickets.list.or_more', { least: hoursText(least) });
  return least === 0
    ? t('tickets.list.under', { most: hoursText(most) })
    : t('tickets.list.from_to', { from: hoursText(least), to: hoursText(most) });
}

const hourText = (hour: string): string =>
  t('tickets.list.from_to', { from: hourOfDayText(Number(hour)), to: hourOfDayText(Number(hour) + 1) });
const surveyTexts: Record<SurveyFilter, string> = { sent: t('tickets.list.sent'), answered: t('tickets.list.answered') };
const flagText = (yes: string, no: string) => (value: string) => (value === 'true' ? yes : no);

const namedAtMost = 3;
const otherThanText = (listed: readonly string[]): string =>
  listed.length > namedAtMost
    ? t('tickets.list.other_than_count_listed_ones', { count: listed.length })
    : t('tickets.list.other_than', { names: new Intl.ListFormat('en', { type: 'disjunction' }).format(listed) });

/** The values of filters with one chip each. */
const valueTexts: { name: FigureFilter; label: string; text: (value: string, timeZone: string) => string }[] = [
  {
    name: 'channel',
    label: t('tickets.list.channel'),
    text: (value) => (value === 'none' ? t('tickets.list.unknown') : channelLabels[value as TicketChannel]),
  },
  { name: 'has_category', label: t('tickets.list.category'), text: flagText(t('tickets.list.any'), t('tickets.list.none')) },
  { name: 'escalated', label: t('tickets.list.escalated'), text: flagText(t('tickets.list.yes'), t('tickets.list.no')) },
  { name: 'breached', label: t('tickets.list.sla'), text: flagText(t('tickets.list.breached'), t('tickets.list.not_breached')) },
  { name: 'reopened', label: t('tickets.list.reopened'), text: flagText(t('tickets.list.yes'), t('tickets.list.no')) },
  { name: 'one_touch', label: t('tickets.list.resolved_with_one_reply'), text: flagText(t('tickets.list.yes'), t('tickets.list.no')) },
  {
    name: 'has_first_response_time',
    label: t('tickets.list.first_response'),
    text: flagText(t('tickets.list.sent'), t('tickets.list.not_sent')),
  },
  {
    name: 'has_resolution_time',
    label: t('tickets.list.resolution'),
    text: flagText(t('tickets.list.resolved'), t('tickets.list.not_resolved')),
  },
  { name: 'survey', label: t('tickets.list.survey'), text: (value) => surveyTexts[value as SurveyFilter] },
  { name: 'rating', label: t('tickets.list.rating'), text: (value) => `${value} ${surveyRatingLabels[Number(value)]}` },
  {
    name: 'open_at',
    label: t('tickets.list.open'),
    text: (value, timeZone) => {
      const end = endText(value, timeZone);
      return isWholeDay(value, timeZone) ? t('tickets.list.at_end_of', { end }) : t('tickets.list.at', { end });
    },
  },
  { name: 'created_weekday', label: t('tickets.list.weekday'), text: (value) => weekdayNames[Number(value) - 1] ?? value },
  { name: 'created_hour', label: t('tickets.list.hour'), text: hourText },
];

/** Ranges with one chip for both ends. */
const rangeTexts: { from: FigureFilter; to: FigureFilter; label: string; text: typeof timeRangeText }[] = [
  { from: 'breached_from', to: 'breached_to', label: t('tickets.list.sla_breached'), text: timeRangeText },
  { from: 'reopened_from', to: 'reopened_to', label: t('tickets.list.reopened'), text: timeRangeText },
  { from: 'resolved_from', to: 'resolved_to', label: t('tickets.list.resolved'), text: timeRangeText },
  { from: 'first_response_hours_from', to: 'first_response_hours_to', label: t('tickets.list.first_response'), text: hoursRangeText },
  { from: 'resolution_hours_from', to: 'resolution_hours_to', label: t('tickets.list.resolution'), text: hoursRangeText },
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
    const label = name === 'other_tag' ? t('tickets.list.tag') : t('tickets.list.category');
    return listed.length === 0 ? [] : [{ name: label, value: otherThanText(listed), without: { [name]: undefined } }];
  });
  return [...single, ...others, ...ranges];
}
