import { sql } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx, DayRollUpRow } from '../schema';
import { readDayInput } from './day-input.store';
import { packDay } from './packed-day';
import { rollUpsOf, type RollUp } from './roll-up';
import { TimeSlice } from './time-slice';

/**
 * Locks the next days that were marked before `marked_before`, except those that another worker is computing. Transactions that mark one of
 * them wait until this one ends, and then mark it again.
 */
export async function takeDirtyDays(tx: AnalyticsTx, marked_before: string, limit: number): Promise<Day[]> {
  const rows = await tx
    .selectFrom('dirty_days')
    .select('day')
    .where('marked_at', '<=', marked_before)
    .orderBy('day')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ day }) => day);
}

/** Computes the roll-ups of days from the facts. */
export async function computeDays(tx: AnalyticsTx, organization_id: string, days: readonly Day[]): Promise<DayRollUpRow[]> {
  const time = new TimeSlice();
  const rows: DayRollUpRow[] = [];
  // Day by day: other requests wait while the rows of a response of PostgreSQL are parsed.
  for (const day of days) {
    const input = await readDayInput(tx, [day]);
    for (const rollUp of await rollUpsOf(day, input, time)) {
      if (time.isOver) await time.next();
      rows.push(toRow(organization_id, rollUp, rollUp.dimension === 'all' ? await packDay(input.tickets, input.events, time) : null));
    }
  }
  return rows;
}

const toRow = (
  organization_id: string,
  { dimension, key, day, backlog_growth, figures, breakdown }: RollUp,
  packed: Buffer | null,
): DayRollUpRow => ({
  organization_id,
  dimension,
  key,
  day,
  backlog_growth,
  figures: JSON.stringify(figures),
  breakdown: JSON.stringify(breakdown),
  packed,
});

/** Replaces the roll-ups of the days and unmarks them. The caller has locked their rows in `dirty_days`. */
export async function replaceDays(tx: AnalyticsTx, days: readonly Day[], rows: readonly DayRollUpRow[]): Promise<void> {
  await tx.deleteFrom('day_roll_ups').where('day', 'in', days).execute();
  if (rows.length > 0) {
    // Stores the days of a slice next to each other, in the order in which they are read.
    const sorted = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const column = <K extends keyof DayRollUpRow>(name: K) => sorted.map((row) => row[name]);
    await sql`
      insert into day_roll_ups (organization_id, dimension, key, day, backlog_growth, figures, breakdown, packed)
      select ${rows[0]!.organization_id}::uuid, * from unnest(${column('dimension')}::text[], ${column('key')}::text[],
        ${column('day')}::date[], ${column('backlog_growth')}::integer[], ${column('figures')}::text[], ${column('breakdown')}::text[],
        ${column('packed')}::bytea[])`.execute(tx);
  }
  await tx.deleteFrom('dirty_days').where('day', 'in', days).execute();
}

const placeOf = ({ dimension, key, day }: DayRollUpRow): string => `${dimension} ${key} ${day}`;

/** Organizations with days that were marked at least `ageMs` ago, or that are being rebuilt. */
export async function findDirtyAcrossOrganizations(tx: AnalyticsTx, ageMs: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from rebuilds
    union select organization_id from dirty_days where marked_at <= now() - make_interval(secs => ${ageMs / 1_000})
    limit ${limit}`.execute(tx);
  return rows.map(({ organization_id }) => organization_id);
}
