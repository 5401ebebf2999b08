import { sql } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx, DayRollUpRow } from '../schema';

export async function findNextForRecount(tx: AnalyticsTx): Promise<string[]> {
  const rows = await tx
    .selectFrom('organizations')
    .select('organization_id')
    .where('recounted_at', '<', sql<string>`now() - interval '1 day'`)
    .orderBy('recounted_at')
    .limit(1)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** The recount may leave days dirty, which are then read from the facts, so the version changes, too. */
export const saveRecountTime = (tx: AnalyticsTx) =>
  tx
    .updateTable('organizations')
    .set((eb) => ({ recounted_at: sql<string>`now()`, version: eb('version', '+', 1) }))
    .execute();

/**
 * Marks some random clean days as dirty. Changes of their tickets then wait until the transaction ends, so that the facts still match the
 * roll-ups. Skips days that another transaction is marking.
 */
export async function lockCleanDays(tx: AnalyticsTx, organization_id: string, limit: number): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    insert into dirty_days (organization_id, day)
    select ${organization_id}::uuid, day from (
      select day from (select distinct day from day_roll_ups where dimension = 'all' and key = '') days order by random() limit ${limit}
    ) picked order by day
    on conflict do nothing returning day`.execute(tx);
  return rows.map(({ day }) => day);
}

export const unlockDays = async (tx: AnalyticsTx, days: readonly Day[]): Promise<void> => {
  if (days.length > 0) await tx.deleteFrom('dirty_days').where('day', 'in', days).execute();
};

export const findRollUpRows = async (tx: AnalyticsTx, days: readonly Day[]): Promise<DayRollUpRow[]> =>
  days.length === 0 ? [] : tx.selectFrom('day_roll_ups').selectAll().where('day', 'in', days).execute();
