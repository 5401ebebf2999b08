import { sql } from 'kysely';
import { packedFormat } from '../day-roll-ups/packed-day';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx, DayRollUpRow } from '../schema';

export async function findNextForRecountAcrossOrganizations(tx: AnalyticsTx): Promise<string[]> {
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

const countsOfFacts = sql`
  select count(*)::integer as total, count(*) filter (where status in ('open', 'in_progress'))::integer as open,
    count(*) filter (where status = 'resolved')::integer as resolved,
    count(*) filter (where assigned_to is null and status not in ('resolved', 'closed'))::integer as unassigned
  from ticket_facts`;
const countsDiffer = sql`(o.total, o.open, o.resolved, o.unassigned) is distinct from (c.total, c.open, c.resolved, c.unassigned)`;

/**
 * Whether the dashboard's counts differ from those of the facts. One statement, which sees one state of both, so it needs no locks: it reads
 * all tickets, and their events must not wait for it.
 */
export async function hasWrongCounts(tx: AnalyticsTx): Promise<boolean> {
  const { rows } = await sql`select from organizations o, (${countsOfFacts}) c where ${countsDiffer}`.execute(tx);
  return rows.length > 0;
}

/** Sets the dashboard's counts to those of the facts. The caller has locked the organization's row. */
export async function correctCounts(tx: AnalyticsTx): Promise<void> {
  await sql`
    update organizations o set total = c.total, open = c.open, resolved = c.resolved, unassigned = c.unassigned
    from (${countsOfFacts}) c where ${countsDiffer}`.execute(tx);
}

/** Marks some days as dirty that a process of another version has computed, like `lockCleanDays`. A day that could not be packed is empty. */
export async function lockUnpackedDays(tx: AnalyticsTx, organization_id: string, limit: number): Promise<Day[]> {
  const format = Buffer.from([packedFormat]);
  const { rows } = await sql<{ day: Day }>`
    insert into dirty_days (organization_id, day)
    select ${organization_id}::uuid, day from (
      select day from day_roll_ups r
      where dimension = 'all' and key = '' and (packed is null or substring(packed for 1) not in ('', ${format}::bytea))
        and not exists (select from dirty_days d where d.organization_id = r.organization_id and d.day = r.day)
      order by day limit ${limit}
    ) picked order by day
    on conflict do nothing returning day`.execute(tx);
  return rows.map(({ day }) => day);
}

/**
 * Marks some random clean days as dirty, including days that should have roll-ups but have none. Changes to their tickets then wait until
 * the transaction ends, so that the facts still match the roll-ups. Skips days that another transaction is marking.
 */
export async function lockCleanDays(tx: AnalyticsTx, organization_id: string, limit: number): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    insert into dirty_days (organization_id, day)
    select ${organization_id}::uuid, day from (
      select day from (
        select day from day_roll_ups where dimension = 'all' and key = ''
        union select created_day from ticket_facts
        union select day from ticket_moments
        union select breached_day from ticket_facts where breached_day is not null
      ) days order by random() limit ${limit}
    ) picked order by day
    on conflict do nothing returning day`.execute(tx);
  return rows.map(({ day }) => day);
}

export const unlockDays = async (tx: AnalyticsTx, days: readonly Day[]): Promise<void> => {
  if (days.length > 0) await tx.deleteFrom('dirty_days').where('day', 'in', days).execute();
};

export const findRollUpRows = async (tx: AnalyticsTx, days: readonly Day[]): Promise<DayRollUpRow[]> =>
  days.length === 0 ? [] : tx.selectFrom('day_roll_ups').selectAll().where('day', 'in', days).execute();
