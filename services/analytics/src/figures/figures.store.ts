import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import { matches, type CohortFilter } from '../day-roll-ups/day-input.store';
import type { Slice } from '../day-roll-ups/dimensions';
import { markDamaged } from '../day-roll-ups/dirty-days.store';
import type { NotPacked, PackedDay } from '../day-roll-ups/packed-day';
import type { TimeSlice } from '../day-roll-ups/time-slice';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';
import type { DayResult } from './figures';
import type { DayCache } from './day-cache';
import type { Period } from './period';

export interface AnalyticsState {
  organization_id: string;
  time_zone: string;
  version: number;
  total: number;
  is_rebuilding: boolean;
  dirty_days: Day[];
}

/**
 * The state that decides how to read the figures, in one snapshot and before them: a day that is marked dirty afterwards may still be read
 * as clean, and the version is never newer than the figures.
 */
export async function findState(tx: AnalyticsTx): Promise<AnalyticsState> {
  const { rows } = await sql<Omit<AnalyticsState, 'dirty_days'> & { dirty_days: string }>`
    select organization_id, time_zone, version, total, exists (select from rebuilds where organization_id = ${currentOrganizationId}) as is_rebuilding,
      coalesce((select string_agg(day::text, ',') from dirty_days where organization_id = ${currentOrganizationId}), '') as dirty_days
    from organizations where organization_id = ${currentOrganizationId}`.execute(tx);
  const row = rows[0];
  if (!row) return { organization_id: '', time_zone: 'UTC', version: 0, total: 0, is_rebuilding: false, dirty_days: [] };
  return { ...row, dirty_days: row.dirty_days === '' ? [] : row.dirty_days.split(',').sort() };
}

/** The roll-ups of the slice from `first` on, except for some days; with breakdowns on the days of the period. Reads those that `cache` lacks. */
export async function findRollUps(
  tx: AnalyticsTx,
  { dimension, key }: Slice,
  { from, to }: Period,
  first: Day,
  except: readonly Day[],
  cache: DayCache,
  time: TimeSlice,
): Promise<DayResult[]> {
  const { rows: stored } = await sql<{ day: Day; backlog_growth: number; revision: string }>`
    select day, backlog_growth, revision from day_roll_ups
    where dimension = ${dimension} and key = ${key} and day between ${first}::date and ${to}::date and day <> all(${except}::date[])`.execute(
    tx,
  );
  const known = stored.flatMap(({ day, backlog_growth, revision }) => {
    const found = cache.parsed(revision, day >= from);
    return found ? [{ day, backlog_growth, ...found }] : [];
  });
  if (known.length === stored.length) return known;
  const isKnown = new Set(known.map(({ day }) => day));
  const missing = stored.filter(({ day }) => !isKnown.has(day)).map(({ day }) => day);
  // A day that has been computed again since the first statement has its new state, or no row if it has no facts left.
  const { rows } = await sql<{ day: Day; backlog_growth: number; revision: string; figures: string; breakdown: string | null }>`
    select day, backlog_growth, revision, figures, case when day >= ${from}::date then breakdown end as breakdown from day_roll_ups
    where dimension = ${dimension} and key = ${key} and day = any(${missing}::date[])`.execute(tx);
  for (const { day, backlog_growth, revision, figures, breakdown } of rows) {
    if (time.isOver) await time.next();
    known.push({ day, backlog_growth, ...cache.parse(revision, figures, breakdown) });
  }
  return known;
}

/** Packed days per statement: about two megabytes in an organization of 200,000 tickets a year. */
const packedBatch = 64;

/** Damaged days that one request marks dirty: until they are computed again, all requests read the facts of dirty days. */
const maxMarked = 8;

/**
 * Passes each packed day from `first` on, except for some days, to `use`. Returns the days that have to be counted from the facts: those that
 * are not packed, and damaged ones, which are marked dirty.
 */
export async function forEachPackedDay(
  tx: AnalyticsTx,
  organization_id: string,
  first: Day,
  except: readonly Day[],
  cache: DayCache,
  use: (day: Day, packed: PackedDay) => Promise<void>,
): Promise<Day[]> {
  const { rows: stored } = await sql<{ day: Day; revision: string }>`
    select day, revision from day_roll_ups
    where dimension = 'all' and key = '' and day >= ${first}::date and day <> all(${except}::date[])`.execute(tx);
  const missing: Day[] = [];
  const others: { day: Day; reason: NotPacked }[] = [];
  const useDay = async (day: Day, packed: PackedDay | NotPacked): Promise<void> => {
    if (typeof packed === 'string') others.push({ day, reason: packed });
    else await use(day, packed);
  };
  for (const { day, revision } of stored) {
    const packed = cache.packed(revision);
    if (packed === undefined) missing.push(day);
    else await useDay(day, packed);
  }
  for (let n = 0; n < missing.length; n += packedBatch) {
    const { rows } = await sql<{ day: Day; revision: string; packed: Buffer | null }>`
      select day, revision, packed from day_roll_ups
      where dimension = 'all' and key = '' and day = any(${missing.slice(n, n + packedBatch)}::date[])`.execute(tx);
    for (const { day, revision, packed } of rows) await useDay(day, cache.unpack(revision, packed));
  }
  const damaged = others.filter(({ reason }) => reason === 'damaged').map(({ day }) => day);
  if (damaged.length > 0) await markDamaged(tx, damaged.slice(0, maxMarked));
  // Those that this process has not read before.
  const days = damaged.filter((day) => missing.includes(day));
  if (days.length > 0) cache.onDamaged({ organization_id, days });
  return others.map(({ day }) => day);
}

/** The backlog at the start of `day`, without the growth of some days. */
export async function findBacklog(tx: AnalyticsTx, { dimension, key }: Slice, day: Day, except: readonly Day[]): Promise<number> {
  const { rows } = await sql<{ backlog: number }>`
    select coalesce(sum(backlog_growth), 0)::integer as backlog from day_roll_ups
    where dimension = ${dimension} and key = ${key} and day < ${day}::date and day <> all(${except}::date[])`.execute(tx);
  return rows[0]!.backlog;
}

export async function findMembers(tx: AnalyticsTx, user_ids: string[]) {
  if (user_ids.length === 0) return [];
  return tx
    .selectFrom('members')
    .select(['user_id', 'first_name', 'last_name', 'email', 'is_active'])
    .where('user_id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .execute();
}

/** The newest ratings with a text, of tickets created in the period. */
export async function findFeedback(tx: AnalyticsTx, filter: CohortFilter, { from, to }: Period, from_time: string, limit: number) {
  const { rows } = await sql<{ ticket_id: string; ticket_number: string; rating: number; feedback: string; created_at: string }>`
    select f.ticket_id, f.ticket_number, f.rating, f.feedback, f.rated_at as created_at from ticket_facts f
    where f.feedback is not null and f.rated_at >= ${from_time} and f.created_day between ${from}::date and ${to}::date and ${matches(filter)}
    order by f.rated_at desc limit ${limit}`.execute(tx);
  return rows;
}
