import { analyticsLimits, type AnalyticsByField } from '@tandem/contracts';
import { sql } from 'kysely';
import { matches, type CohortFilter } from '../day-roll-ups/day-input.store';
import type { AnalyticsTx, CountedValues } from '../schema';
import type { AnalyticsState } from './figures.store';
import { withTimes, type Period } from './period';
import { tooMany, versionOf } from './read-figures';

interface ValueCount {
  /** A list for several choices: the tickets with exactly these. Null: the tickets without a value. */
  value: CountedValues[string] | null;
  count: number;
}

/** The tickets created in the period and matching the filter, at most `limit`, by the value of a field. */
async function countValues(tx: AnalyticsTx, key: string, filter: CohortFilter, { from, to }: Period, limit: number): Promise<ValueCount[]> {
  const { rows } = await sql<ValueCount>`
    select f.value, count(*)::integer as count from (
      select f.custom_fields -> ${key} as value from ticket_facts f
      where f.created_day between ${from}::date and ${to}::date and ${matches(filter)} limit ${limit}
    ) f group by f.value`.execute(tx);
  return rows;
}

/** The tickets of the period by the value of a custom field. Roll-ups do not have them, so they are counted from the facts. */
export async function readByField(
  tx: AnalyticsTx,
  { key, ...filter }: CohortFilter & { key: string },
  range: Period,
  state: AnalyticsState,
  now: string,
  maxTickets: number = analyticsLimits.liveTickets,
): Promise<AnalyticsByField> {
  const counted = await countValues(tx, key, filter, range, maxTickets + 1);
  const total_tickets = counted.reduce((sum, { count }) => sum + count, 0);
  if (total_tickets > maxTickets) throw tooMany(maxTickets, 'Choose fewer days.');
  const counts = new Map<string | boolean | null, number>();
  for (const { value, count } of counted)
    for (const each of Array.isArray(value) ? value : [value]) counts.set(each, (counts.get(each) ?? 0) + count);
  const rows = [...counts].map(([value, count]) => ({ value, count }));
  rows.sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  return { key, period: withTimes(range, state.time_zone), total_tickets, rows, version: versionOf(state, now) };
}
