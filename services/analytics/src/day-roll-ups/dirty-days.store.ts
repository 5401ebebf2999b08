import { currentOrganizationId, executePrepared } from '@tandem/db';
import { sql } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';

/**
 * Marks days whose roll-ups have to be computed again. The upsert locks the rows until the commit, even if they exist: a roll-up of the day
 * waits for this transaction, so it cannot miss its changes. In sorted order, so that two transactions do not deadlock.
 */
export async function markDirty(tx: AnalyticsTx, organization_id: string, days: Iterable<Day | null>): Promise<void> {
  const sorted = [...new Set(days)].filter((day) => day !== null).sort();
  if (sorted.length === 0) return;
  // One text for any number of days, so that it is prepared.
  const statement = sql`
    insert into dirty_days (organization_id, day) select ${organization_id}::uuid, day from unnest(${sorted}::date[]) with ordinality as d (day, place)
    order by place on conflict (organization_id, day) do update set marked_at = dirty_days.marked_at`;
  await executePrepared(tx, statement.compile(tx));
}

/** Marks days that are computed again although no fact of them has changed. Does not wait for a roll-up of days that are marked already. */
export async function markDamaged(tx: AnalyticsTx, days: readonly Day[]): Promise<void> {
  await sql`
    insert into dirty_days (organization_id, day) select ${currentOrganizationId}, day from unnest(${days}::date[]) day order by day
    on conflict do nothing`.execute(tx);
}

export async function findDirtyDays(tx: AnalyticsTx): Promise<Day[]> {
  const own = tx.selectFrom('dirty_days').where('organization_id', '=', currentOrganizationId);
  return (await own.select('day').orderBy('day').execute()).map(({ day }) => day);
}
