import { analyticsLimits, AppError, type Analytics } from '@tandem/contracts';
import { BreakdownSum } from '../day-roll-ups/day-breakdown';
import { countEvents, countUnresolved, findTickets, type CohortFilter } from '../day-roll-ups/day-input.store';
import type { Slice } from '../day-roll-ups/dimensions';
import { dayTotals } from '../day-roll-ups/roll-up';
import { TimeSlice } from '../day-roll-ups/time-slice';
import { localDay, weekdayOf, type Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';
import type { DayCache } from './day-cache';
import { breakdownOf, figuresOf, figuresPerDay, perDay, type DayResult } from './figures';
import { findBacklog, findFeedback, findMembers, findRollUps, forEachPackedDay, type AnalyticsState } from './figures.store';
import { previousPeriod, withTimes, type Period } from './period';

const feedbackItems = 5;

/** The stored slice of a filter; undefined if it combines several fields. */
export function sliceOf({ priority, channel, category, assignee, tag }: CohortFilter): Slice | undefined {
  const slices = Object.entries({ priority, channel, category, assignee, tag }).flatMap(([dimension, key]) =>
    key === undefined ? [] : [{ dimension: dimension as Slice['dimension'], key }],
  );
  return slices.length > 1 ? undefined : (slices[0] ?? { dimension: 'all', key: '' });
}

interface Days {
  days: DayResult[];
  /** At the start of the period. */
  backlog: number;
}

/** The days of the period and of the one before it. A filter that is not stored may match at most `maxLive` tickets. */
export async function readDays(
  tx: AnalyticsTx,
  filter: CohortFilter,
  period: Period,
  state: AnalyticsState,
  cache: DayCache,
  maxLive: number = analyticsLimits.liveTickets,
): Promise<Days> {
  const slice = sliceOf(filter);
  return slice ? readStoredDays(tx, slice, filter, period, state, cache) : computeLive(tx, filter, period, state, cache, maxLive);
}

/** Days whose facts are read at once. Few, because other requests wait while the rows of a response of PostgreSQL are parsed. */
const daysPerRead = 4;

/** Computes the totals of some days from the facts of the tickets that match, at most `limit`. */
async function countFacts(tx: AnalyticsTx, days: readonly Day[], filter: CohortFilter, time: TimeSlice, limit?: number) {
  const counted: DayResult[] = [];
  let found = 0;
  for (let n = 0; n < days.length; n += daysPerRead) {
    const some = days.slice(n, n + daysPerRead);
    const tickets = await findTickets(tx, some, filter, limit === undefined ? null : limit + 1);
    found += tickets.length;
    if (limit !== undefined && found > limit) throw tooMany(limit);
    counted.push(...(await dayTotals(tickets, await countEvents(tx, some, filter), time)));
  }
  return counted;
}

/** Takes clean days from the roll-ups, and computes dirty ones from the facts unless every day is dirty, as in a rebuild. */
async function readStoredDays(
  tx: AnalyticsTx,
  slice: Slice,
  filter: CohortFilter,
  period: Period,
  state: AnalyticsState,
  cache: DayCache,
): Promise<Days> {
  const dirty = state.is_rebuilding ? [] : state.dirty_days.filter((day) => day <= period.to);
  const time = new TimeSlice();
  const clean = await findRollUps(tx, slice, period, previousPeriod(period).from, dirty, cache, time);
  const backlog = await findBacklog(tx, slice, period.from, dirty);
  if (dirty.length === 0) return { days: clean, backlog };
  const computed = await countFacts(tx, dirty, filter, time);
  const earlier = computed.filter(({ day }) => day < period.from);
  return { days: [...clean, ...computed], backlog: backlog + growthOf(earlier) };
}

/** Counts the tickets of packed days. Days that are dirty or not packed are computed from the facts. */
async function computeLive(
  tx: AnalyticsTx,
  filter: CohortFilter,
  period: Period,
  state: AnalyticsState,
  cache: DayCache,
  limit: number,
): Promise<Days> {
  const first = previousPeriod(period).from;
  const dirty = state.is_rebuilding ? [] : state.dirty_days.filter((day) => day >= first);
  const time = new TimeSlice();
  // Before the days: what changes while they are counted is mostly in none of them. The dirty ones follow, because they change most often.
  const unresolved = await countUnresolved(tx, filter);
  const days = await countFacts(tx, dirty, filter, time, limit);
  const ofWeekdays = Array.from({ length: 7 }, () => new BreakdownSum());
  const lastOnWeekday: DayResult[] = [];
  // Those after the period, too: the backlog at its end is what is unresolved now, without what has happened since.
  const unpacked = await forEachPackedDay(tx, state.organization_id, first, dirty, cache, async (day, packed) => {
    const weekday = weekdayOf(day);
    const isInPeriod = day >= period.from && day <= period.to;
    const counted = await packed.count(filter, isInPeriod ? ofWeekdays[weekday]! : null, time);
    const result: DayResult = { day, ...counted, breakdown: null };
    days.push(result);
    if (isInPeriod) lastOnWeekday[weekday] = result;
  });
  lastOnWeekday.forEach((result, weekday) => (result.breakdown = ofWeekdays[weekday]!.stored()));
  days.push(...(await countFacts(tx, unpacked, filter, time, limit)));
  if (days.reduce((sum, { day, figures }) => sum + (day <= period.to ? figures.total : 0), 0) > limit) throw tooMany(limit);
  const backlog = unresolved - growthOf(days.filter(({ day }) => day >= period.from));
  return { days, backlog };
}

export function tooMany(limit: number, remedy = 'Choose fewer days, or one filter.'): AppError {
  const message = `More than ${limit} tickets match these filters. ${remedy}`;
  return new AppError('request.invalid', { fields: [{ path: 'from', code: 'too_many', message }] });
}

const growthOf = (days: readonly { backlog_growth: number }[]): number => days.reduce((sum, day) => sum + day.backlog_growth, 0);

/** Everything that the analytics page shows. */
export async function readAnalyticsOf(
  tx: AnalyticsTx,
  filter: CohortFilter,
  range: Period,
  state: AnalyticsState,
  now: string,
  cache: DayCache,
): Promise<Analytics> {
  const { time_zone, is_rebuilding } = state;
  const { days, backlog } = await readDays(tx, filter, range, state, cache);
  const before = previousPeriod(range);
  const period = withTimes(range, time_zone);
  // Each of the following takes up to 40 ms for a year of 200,000 tickets.
  const time = new TimeSlice();
  const { team, ...breakdown } = breakdownOf(days, range);
  await time.next();
  const figures_per_day = figuresPerDay(days, range);
  await time.next();
  const members = new Map(
    (
      await findMembers(
        tx,
        team.map(({ user_id }) => user_id),
      )
    ).map((member) => [member.user_id, member]),
  );
  return {
    period,
    time_zone,
    computed_live: sliceOf(filter) === undefined,
    is_rebuilding,
    has_tickets: state.total > 0,
    figures: figuresOf(days, range),
    previous: { period: withTimes(before, time_zone), figures: figuresOf(days, before) },
    per_day: perDay(days, range, backlog),
    figures_per_day,
    ...breakdown,
    team: team.map((figures) => {
      const { first_name = null, last_name = null, email = '', is_active = false } = members.get(figures.user_id) ?? {};
      return { ...figures, first_name, last_name, email, is_active };
    }),
    feedback: await findFeedback(tx, filter, range, period.from_time, feedbackItems),
    version: versionOf(state, now),
  };
}

/** A range up to today advances at midnight, without an event. */
export const versionOf = ({ version, time_zone, is_rebuilding }: AnalyticsState, now: string): string =>
  `${version}${is_rebuilding ? 'r' : ''}-${localDay(time_zone, now)}`;
