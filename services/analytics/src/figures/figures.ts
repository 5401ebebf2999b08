import {
  analyticsLimits,
  courseFigures,
  ticketPriorities,
  ticketStatuses,
  type Analytics,
  type AnalyticsDay,
  type AnalyticsFigures,
  type Distribution,
  type HistogramBar,
} from '@tandem/contracts';
import { zeros } from '../day-roll-ups/counted-ticket';
import { BreakdownSum, countOtherTags, type DayBreakdown } from '../day-roll-ups/day-breakdown';
import { FiguresSum, type DayFigures } from '../day-roll-ups/day-figures';
import { barEdges } from '../day-roll-ups/duration';
import { average, percentile } from '../day-roll-ups/histogram';
import { daysOf, weekdayOf, type Day } from '../local-time/local-time';
import type { Period } from './period';

/**
 * The roll-up of a day, read or computed. The breakdown is read for the days of the range only. With filters that are not stored, one day has the
 * sum of the days on the same weekday: the page distinguishes only weekdays, and a breakdown for each day would take longer than counting.
 */
export interface DayResult {
  day: Day;
  backlog_growth: number;
  figures: DayFigures;
  breakdown: DayBreakdown | null;
}

const rate = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const isIn = ({ from, to }: Period, { day }: DayResult): boolean => day >= from && day <= to;

/** The figures of the tickets created in a period. */
export const figuresOf = (days: readonly DayResult[], period: Period): AnalyticsFigures =>
  figuresOfDays(days.flatMap((day) => (isIn(period, day) ? [day.figures] : [])));

function figuresOfDays(days: readonly DayFigures[]): AnalyticsFigures {
  const sum = new FiguresSum();
  for (const day of days) sum.addDay(day);
  const { total, first_response, resolution } = sum;
  const ratings = sumOf(sum.ratings);
  return {
    total_tickets: total,
    open_tickets: sum.open,
    responded_tickets: first_response.count,
    avg_first_response_hours: average(first_response),
    median_first_response_hours: percentile(first_response, 0.5),
    p90_first_response_hours: percentile(first_response, 0.9),
    resolved_tickets: resolution.count,
    avg_resolution_hours: average(resolution),
    median_resolution_hours: percentile(resolution, 0.5),
    p90_resolution_hours: percentile(resolution, 0.9),
    surveys_sent: sum.surveys,
    ratings,
    avg_satisfaction: ratings === 0 ? null : sumOf(sum.ratings.map((count, i) => count * (i + 1))) / ratings,
    satisfaction_distribution: sum.ratings,
    // A customer can also rate without the email, from the ticket's page.
    survey_response_rate: rate(sum.answered, sum.surveys),
    sla_breaches: sum.breaches,
    sla_compliance: rate(total - sum.breaches, total),
    escalated_tickets: sum.escalated,
    escalation_rate: rate(sum.escalated, total),
    reopened_tickets: sum.reopened,
    reopen_rate: rate(sum.reopened, total),
    one_touch_tickets: sum.one_touch,
    one_touch_rate: rate(sum.one_touch, resolution.count),
  };
}

/** Every day of the period; `backlog` is the backlog at the end of the day before it. */
export function perDay(days: readonly DayResult[], period: Period, backlog: number): AnalyticsDay[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  return daysOf(period.from, period.to).map((day) => {
    const found = byDay.get(day);
    backlog += found?.backlog_growth ?? 0;
    const { resolved = 0, reopened = 0, breaches = 0 } = found?.figures.on_day ?? {};
    return { day, created: found?.figures.total ?? 0, resolved, reopened, backlog, breaches };
  });
}

/** Precise enough to draw a line, at half the size of all digits. */
const fourDigits = (value: number | null): number | null => value && Number(value.toPrecision(4));

type Course = (number | null)[];
/** The values of days that have been requested before: most of them are cached by `DayCache`, and the periods of requests overlap. */
const courses = new WeakMap<DayFigures, Course>();

/** The values of `courseFigures` on one day. */
function courseOf(day: DayFigures): Course {
  let course = courses.get(day);
  if (!course) {
    const figures = figuresOfDays([day]);
    courses.set(day, (course = courseFigures.map((name) => fourDigits(figures[name]))));
  }
  return course;
}

/** The trend of some figures: their values for the tickets created on each day of the period. */
export function figuresPerDay(days: readonly DayResult[], period: Period): Analytics['figures_per_day'] {
  const byDay = new Map(days.map((day) => [day.day, day.figures]));
  const none = courseOf(new FiguresSum().stored());
  const ofDays = daysOf(period.from, period.to).map((day) => {
    const found = byDay.get(day);
    return found ? courseOf(found) : none;
  });
  return Object.fromEntries(courseFigures.map((name, i) => [name, ofDays.map((course) => course[i]!)])) as Analytics['figures_per_day'];
}

type Breakdown = Pick<
  Analytics,
  'first_response_histogram' | 'resolution_histogram' | 'by_priority' | 'by_status' | 'by_channel' | 'by_category' | 'by_tag' | 'arrivals'
> & { team: Omit<Analytics['team'][number], 'first_name' | 'last_name' | 'email' | 'is_active'>[] };

export function breakdownOf(days: readonly DayResult[], period: Period): Breakdown {
  const sum = new BreakdownSum();
  const arrivals = Array.from({ length: 7 }, () => zeros(24));
  for (const day of days) {
    if (!isIn(period, day) || !day.breakdown) continue;
    sum.addDay(day.breakdown);
    const weekday = arrivals[weekdayOf(day.day)]!;
    day.breakdown.hours.forEach((count, hour) => (weekday[hour]! += count));
  }
  return {
    first_response_histogram: barsOf(sum.first_response_bars),
    resolution_histogram: barsOf(sum.resolution_bars),
    by_priority: ticketPriorities.map((key) => {
      const [count, breaches] = sum.priority.get(key) ?? [0, 0];
      return { key, count, breaches };
    }),
    by_status: ticketStatuses.map((key) => ({ key, count: sum.status.get(key) ?? 0 })),
    by_channel: largestFirst(sum.channel).map(([key, count]) => ({
      key: key === '' ? null : (key as NonNullable<Analytics['by_channel'][number]['key']>),
      count,
    })),
    by_category: byCategory(sum.category),
    by_tag: byTag(sum.tag, days, period),
    team: [...sum.assignees]
      .map(([user_id, { assigned, open, resolved, ratings, rating_sum, first_response, resolution }]) => ({
        user_id,
        assigned,
        open,
        resolved,
        median_first_response_hours: percentile(first_response, 0.5),
        median_resolution_hours: percentile(resolution, 0.5),
        avg_satisfaction: ratings === 0 ? null : rating_sum / ratings,
        ratings,
      }))
      .sort((a, b) => b.assigned - a.assigned || (a.user_id < b.user_id ? -1 : 1)),
    arrivals,
  };
}

const barsOf = (counts: readonly number[]): HistogramBar[] =>
  barEdges.map((from_hours, i) => ({ from_hours, to_hours: barEdges[i + 1] ?? null, count: counts[i]! }));

const largestFirst = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));

/** Tickets without a category are always listed, so that the rest is the tickets with another category. */
function byCategory(counts: ReadonlyMap<string, number>): Distribution {
  const sorted = largestFirst(counts);
  const listed = new Set(listedKeys(sorted).concat(''));
  const items = sorted.filter(([key]) => listed.has(key)).map(([key, count]) => ({ key: key === '' ? null : key, count }));
  return { items, rest: sumOf(sorted.filter(([key]) => !listed.has(key)).map(([, count]) => count)) };
}

function byTag(counts: ReadonlyMap<string, number>, days: readonly DayResult[], period: Period): Distribution {
  const sorted = largestFirst(counts);
  const listed = new Set(listedKeys(sorted));
  const items = sorted.slice(0, listed.size).map(([key, count]) => ({ key, count }));
  const breakdowns = days.flatMap((day) => (isIn(period, day) && day.breakdown ? [day.breakdown] : []));
  return { items, rest: listed.size === sorted.length ? 0 : sumOf(breakdowns.map((day) => countOtherTags(day, listed))) };
}

/** The largest keys. The address of the rest contains all of them, so their length is limited, too. */
function listedKeys(sorted: readonly [string, number][]): string[] {
  const { keys, keysLength } = analyticsLimits;
  let length = 0;
  const listed = sorted.slice(0, keys).map(([key]) => key);
  const end = listed.findIndex((key) => (length += encodeURIComponent(key).length + 3) > keysLength);
  return end < 0 ? listed : listed.slice(0, end);
}
