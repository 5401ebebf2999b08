import type { Analytics, AnalyticsQuery, HistogramBar, TicketFilter } from '@tandem/contracts';
import { encodeList, type TicketChannel, type TicketPriority, type TicketStatus } from '@tandem/contracts/values';
import { addDays, startOfDay } from './zoned-day';

/** The filters of the analytics page that narrow its tickets. */
export type CohortFilters = { [Name in 'priority' | 'channel' | 'category' | 'assignee' | 'tag']?: string };
export interface Cohort {
  period: Pick<Analytics['period'], 'from_time' | 'to_time'>;
  timeZone: string;
  filters: CohortFilters;
}
/** Query parameters of the ticket list. */
type ListQuery = { [Name in keyof TicketFilter]?: string };

/** The tickets behind each figure of the tickets created in the period. */
const figures = {
  total_tickets: {},
  open_tickets: { status: 'open,in_progress' },
  first_response: { has_first_response_time: 'true' },
  resolution: { has_resolution_time: 'true' },
  ratings: { survey: 'answered' },
  surveys_sent: { survey: 'sent' },
  sla_breaches: { breached: 'true' },
  sla_compliance: { breached: 'false' },
  escalated: { escalated: 'true' },
  reopened: { reopened: 'true' },
  one_touch: { one_touch: 'true' },
} satisfies Record<string, ListQuery>;
export type FigureLink = keyof typeof figures;

type DayFigure = Exclude<keyof Analytics['per_day'][number], 'day'>;
/** The tickets behind each figure of a day, regardless of when they were created. */
const dayFigures: Record<DayFigure, (from: string, to: string) => ListQuery> = {
  created: (created_from, created_to) => ({ created_from, created_to }),
  resolved: (resolved_from, resolved_to) => ({ resolved_from, resolved_to }),
  reopened: (reopened_from, reopened_to) => ({ reopened_from, reopened_to }),
  breaches: (breached_from, breached_to) => ({ breached_from, breached_to }),
  backlog: (_, open_at) => ({ open_at }),
};
/** Also the order of the query parameters in links. */
export type Duration = 'first_response' | 'resolution';
const durations: Record<Duration, (bar: Pick<HistogramBar, 'from_hours' | 'to_hours'>) => ListQuery> = {
  first_response: ({ from_hours, to_hours }) => ({
    first_response_hours_from: String(from_hours),
    ...(to_hours === null ? {} : { first_response_hours_to: String(to_hours) }),
  }),
  resolution: ({ from_hours, to_hours }) => ({
    resolution_hours_from: String(from_hours),
    ...(to_hours === null ? {} : { resolution_hours_to: String(to_hours) }),
  }),
};

/** Commas and colons stay readable in the address. */
const address = (query: ListQuery): string => {
  const text = new URLSearchParams(query).toString();
  return `/tickets?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
};

/** The list filters by several tags, the page by one. */
const tagged = (tag: string | undefined): ListQuery => (tag === undefined ? {} : { tag: encodeList([tag]) });

/** Addresses of the ticket list with exactly the tickets that a figure, bar or cell counts. */
export function metricLinks({ period, timeZone, filters }: Cohort) {
  const created: ListQuery = { created_from: period.from_time, created_to: period.to_time };
  const narrowed: ListQuery = { ...filters, ...tagged(filters.tag) };
  const cohort = (query: ListQuery) => address({ ...created, ...narrowed, ...query });
  // A year has thousands of links to days, and Intl is slow to compute the start of each.
  const starts = new Map<string, string>();
  const startOf = (day: string): string => {
    const start = starts.get(day) ?? startOfDay(day, timeZone);
    starts.set(day, start);
    return start;
  };
  return {
    /** Whether the page's filters leave tickets with this priority. */
    hasPriority: (priority: TicketPriority) => filters.priority === undefined || filters.priority === priority,
    figure: (name: FigureLink) => cohort(figures[name]),
    priority: (priority: TicketPriority, figure: FigureLink = 'total_tickets') => cohort({ ...figures[figure], priority }),
    status: (status: TicketStatus) => cohort({ status }),
    channel: (channel: TicketChannel | null) => cohort({ channel: channel ?? 'none' }),
    category: (category: string | null) => cohort(category === null ? { has_category: 'false' } : { category }),
    /** The tickets with a category, or a tag, that is not listed. */
    otherCategories: (listed: (string | null)[]) => cohort({ other_category: encodeList(listed.filter((key) => key !== null)) }),
    otherTags: (listed: string[]) => cohort({ other_tag: encodeList(listed) }),
    /** Whether the list can show the tickets with this tag: it cannot require the page's tag and another one. */
    hasTag: (tag: string) => filters.tag === undefined || filters.tag === tag,
    tag: (tag: string) => cohort(tagged(tag)),
    /** The tickets that also meet a condition of the list (`conditionText`). */
    condition: (condition: string) => cohort({ condition }),
    rating: (rating: number) => cohort({ rating: String(rating) }),
    duration: (duration: Duration, bar: Pick<HistogramBar, 'from_hours' | 'to_hours'>) => cohort(durations[duration](bar)),
    member: (id: string, figure: FigureLink = 'total_tickets') => cohort({ ...figures[figure], assignee: id }),
    /** `weekday` is 0 for Monday. */
    arrivals: (weekday: number, hour: number) => cohort({ created_weekday: String(weekday + 1), created_hour: String(hour) }),
    day: (day: string, figure: DayFigure) => address({ ...narrowed, ...dayFigures[figure](startOf(day), startOf(addDays(day, 1))) }),
  };
}
export type MetricLinks = ReturnType<typeof metricLinks>;

/** The filters of the page, as the query string of its URL. */
export const cohortFilterNames = ['priority', 'channel', 'category', 'assignee', 'tag'] as const satisfies (keyof AnalyticsQuery)[];
