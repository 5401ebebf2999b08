import { currentOrganizationId, executePrepared } from '@tandem/db';
import { sql } from 'kysely';
import type { AnalyticsTx, RebuildRow, TicketFactRow, TicketMomentRow } from '../schema';

/** Starts a rebuild, or starts it again if one is running. A rebuild of the days only does not end the wait for a history. */
export async function startRebuild(
  tx: AnalyticsTx,
  { organization_id, rebuild_id, step }: Pick<RebuildRow, 'organization_id' | 'rebuild_id' | 'step'>,
): Promise<void> {
  const state = { rebuild_id, step, expected: null, last_ticket_id: null };
  await tx
    .insertInto('rebuilds')
    .values({ organization_id, ...state })
    .onConflict((conflict) => {
      const restarted = conflict.column('organization_id').doUpdateSet({ ...state, started_at: sql<string>`now()` });
      return step === 'days' ? restarted.where('rebuilds.step', '<>', 'history') : restarted;
    })
    .execute();
}

export const findRebuildForUpdate = (tx: AnalyticsTx) => tx.selectFrom('rebuilds').selectAll().forUpdate().executeTakeFirst();

/** Starts a step at the time of this transaction, which is also the time of the days that it marks dirty. */
export async function saveRebuild(tx: AnalyticsTx, fields: Partial<Pick<RebuildRow, 'step' | 'last_ticket_id'>>): Promise<void> {
  await tx
    .updateTable('rebuilds')
    .set(fields.step === undefined ? fields : { ...fields, started_at: sql<string>`now()` })
    .execute();
}

/** Whether days that were marked before the step began have not been computed yet. Days that were marked since then do not matter. */
export async function hasDirtyDaysOfStep(tx: AnalyticsTx): Promise<boolean> {
  const { rows } = await sql`
    select from dirty_days d join rebuilds r using (organization_id)
    where organization_id = ${currentOrganizationId} and d.marked_at <= r.started_at limit 1`.execute(tx);
  return rows.length > 0;
}

/** Stores how many tickets the tickets service has sent for a rebuild that still waits for them. */
export async function saveExpected(tx: AnalyticsTx, rebuild_id: string, expected: number): Promise<void> {
  await tx
    .updateTable('rebuilds')
    .set({ expected, started_at: sql<string>`now()` })
    .where('rebuild_id', '=', rebuild_id)
    .where('step', '=', 'history')
    .execute();
}

export const deleteRebuild = (tx: AnalyticsTx) => tx.deleteFrom('rebuilds').execute();

/** Whether a rebuild waits for histories, and all of them have arrived. */
export async function isHistoryComplete(tx: AnalyticsTx): Promise<boolean> {
  const { rows } = await sql`
    select from rebuilds r left join organizations o using (organization_id)
    where organization_id = ${currentOrganizationId} and r.step = 'history' and coalesce(o.total, 0) >= r.expected`.execute(tx);
  return rows.length > 0;
}

export const findNextFactsForUpdate = (tx: AnalyticsTx, after: string | null, limit: number) =>
  tx
    .selectFrom('ticket_facts')
    .select(['ticket_id', 'created_at', 'breached_at'])
    .$if(after !== null, (query) => query.where('ticket_id', '>', after!))
    .orderBy('ticket_id')
    .limit(limit)
    .forUpdate()
    .execute();

export const findMomentsOf = async (tx: AnalyticsTx, ticket_ids: string[]): Promise<Pick<TicketMomentRow, 'ticket_id' | 'kind' | 'at'>[]> =>
  ticket_ids.length === 0
    ? []
    : tx
        .selectFrom('ticket_moments')
        .select(['ticket_id', 'kind', 'at'])
        .where('ticket_id', '=', sql<string>`any(${ticket_ids}::uuid[])`)
        .execute();

/** Updates only rows that differ, so that a second rebuild writes nothing. */
export async function saveLocalTimes(
  tx: AnalyticsTx,
  facts: Pick<TicketFactRow, 'ticket_id' | 'created_day' | 'created_hour' | 'breached_day'>[],
  moments: Pick<TicketMomentRow, 'ticket_id' | 'kind' | 'at' | 'day'>[],
): Promise<void> {
  await sql`
    update ticket_facts f set created_day = l.created_day, created_hour = l.created_hour, breached_day = l.breached_day
    from unnest(${facts.map((fact) => fact.ticket_id)}::uuid[], ${facts.map((fact) => fact.created_day)}::date[],
      ${facts.map((fact) => fact.created_hour)}::smallint[], ${facts.map((fact) => fact.breached_day)}::date[])
      as l (ticket_id, created_day, created_hour, breached_day)
    where f.ticket_id = l.ticket_id
      and (f.created_day, f.created_hour, f.breached_day) is distinct from (l.created_day, l.created_hour, l.breached_day)`.execute(tx);
  await sql`
    update ticket_moments m set day = l.day
    from unnest(${moments.map((moment) => moment.ticket_id)}::uuid[], ${moments.map((moment) => moment.kind)}::text[],
      ${moments.map((moment) => moment.at)}::timestamptz[], ${moments.map((moment) => moment.day)}::date[]) as l (ticket_id, kind, at, day)
    where m.ticket_id = l.ticket_id and m.at = l.at and m.kind = l.kind and m.day is distinct from l.day`.execute(tx);
}

/** All days on which something was created or happened, and those that have roll-ups. */
export async function markAllDirty(tx: AnalyticsTx, organization_id: string): Promise<void> {
  await sql`
    insert into dirty_days (organization_id, day)
    select ${organization_id}::uuid, day from (
      select created_day as day from ticket_facts
      union select breached_day from ticket_facts where breached_day is not null
      union select day from ticket_moments
      union select day from day_roll_ups
      order by day) days
    on conflict (organization_id, day) do update set marked_at = dirty_days.marked_at`.execute(tx);
}

export const isRebuilding = async (tx: AnalyticsTx): Promise<boolean> =>
  (await tx.selectFrom('rebuilds').select('step').where('organization_id', '=', currentOrganizationId).executeTakeFirst()) !== undefined;

/** Whether a rebuild waits for histories. It keeps waiting until this transaction ends. */
export async function waitsForHistory(tx: AnalyticsTx): Promise<boolean> {
  const own = tx.selectFrom('rebuilds').where('organization_id', '=', currentOrganizationId);
  return (await executePrepared(tx, own.select('step').forShare().compile())).rows[0]?.step === 'history';
}
