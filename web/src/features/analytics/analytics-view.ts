import type { Analytics } from '@tandem/contracts';
import {
  analyticsLimits,
  analyticsRanges,
  defaultAnalyticsRange,
  ticketChannels,
  ticketLimits,
  ticketPriorities,
  type AnalyticsRange,
} from '@tandem/contracts/values';
import type { readAnalytics } from '@tandem/contracts/endpoints';
import type { QueryOf } from '../../lib/call';
import { cohortFilterNames, type CohortFilters } from '../../lib/metric-links';
import { t } from '../../lib/staff-texts';
import { addDays } from '../../lib/zoned-day';

/** The state of the page that its address contains: a range of days up to today or a custom one, and filters. */
export interface AnalyticsView {
  range: AnalyticsRange | { from: string; to: string };
  filters: CohortFilters;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);
const isShort = (longest: number) => (value: string) => value.trim() !== '' && value.length <= longest;
const isValid: Record<(typeof cohortFilterNames)[number], (value: string) => boolean> = {
  priority: isOneOf(ticketPriorities),
  channel: isOneOf(ticketChannels),
  category: isShort(ticketLimits.category),
  assignee: (value) => value === 'unassigned' || uuid.test(value),
  tag: isShort(50),
};

/** Browsers read 'February 30' as a day in March. */
const isDay = (value: string): boolean =>
  /^[12]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) && addDays(value, 0) === value;

/** Why the page cannot show a custom range; undefined if it can. */
export function rangeProblem({ from, to }: { from: string; to: string }): string | undefined {
  if (!isDay(from) || !isDay(to)) return t('analytics.choose_first_and_last_day');
  if (from > to) return t('analytics.last_day_is_before_first');
  if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= analyticsLimits.days)
    return t('analytics.choose_at_most_days', { days: analyticsLimits.days });
  return undefined;
}

/** Reads the view from the address. Invalid values are ignored, so that a mistyped link still shows figures. */
export function analyticsViewOf(params: URLSearchParams): AnalyticsView {
  const filters = Object.fromEntries(
    cohortFilterNames.flatMap((name) => {
      const value = params.get(name);
      return value !== null && isValid[name](value) ? [[name, value]] : [];
    }),
  );
  const custom = { from: params.get('from') ?? '', to: params.get('to') ?? '' };
  if (!rangeProblem(custom)) return { range: custom, filters };
  return { range: analyticsRanges.find((days) => String(days) === params.get('range')) ?? defaultAnalyticsRange, filters };
}

/** The address of a view. The default range is left out. */
export function paramsOf({ range, filters }: AnalyticsView): URLSearchParams {
  const days = typeof range === 'number' ? (range === defaultAnalyticsRange ? {} : { range: String(range) }) : range;
  return new URLSearchParams({ ...days, ...filters } as Record<string, string>);
}

/** The parameter of the address with the key of the custom field that its card shows. Not part of the view: the figures do not depend on it. */
export const fieldParam = 'field';

/** The view as query parameters of the API, which has the same default range as the page. */
export const queryOf = (view: AnalyticsView) => Object.fromEntries(paramsOf(view)) as NonNullable<QueryOf<typeof readAnalytics>>;

export const isFiltered = ({ filters }: AnalyticsView): boolean => Object.keys(filters).length > 0;

export const isFuture = ({ period }: Analytics): boolean => Date.parse(period.from_time) > Date.now();

/**
 * Whether nothing was created in both periods, nothing happened in this one and no ticket was waiting: all figures would be zeros and
 * dashes. False while figures are being computed again, because they can be missing.
 */
export const isEmptyRange = (analytics: Analytics): boolean => {
  const { figures, previous, per_day } = analytics;
  if (isFuture(analytics)) return true;
  return (
    !analytics.is_rebuilding &&
    figures.total_tickets + previous.figures.total_tickets === 0 &&
    per_day.every(({ resolved, reopened, backlog, breaches }) => resolved + reopened + backlog + breaches === 0)
  );
};
