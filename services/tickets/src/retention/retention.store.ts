import type { RetentionPolicy } from '@tandem/contracts';
import { sql, type Insertable } from 'kysely';
import type { RetentionPolicyRow, TicketsTx } from '../schema';

export const noPolicy: RetentionPolicy = { is_active: false, action: 'delete', months: 24, kept_categories: [], updated_at: null };

// Filters by organization in addition to row-level security, because the sweep may read this table too (attachment.store.ts).
const policyOf = (tx: TicketsTx, organization_id: string) =>
  tx
    .selectFrom('retention_policies')
    .select(['is_active', 'action', 'months', 'kept_categories', 'updated_at'])
    .where('organization_id', '=', organization_id);

export const findPolicy = (tx: TicketsTx, organization_id: string): Promise<RetentionPolicy | undefined> =>
  policyOf(tx, organization_id).executeTakeFirst();

/** The policy if it is due; another run waits for the row. */
export const findDuePolicyForUpdate = (tx: TicketsTx, organization_id: string): Promise<RetentionPolicy | undefined> =>
  policyOf(tx, organization_id)
    .where('next_run_at', '<=', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst();

export async function savePolicy(tx: TicketsTx, row: Insertable<RetentionPolicyRow>): Promise<void> {
  const { organization_id: _, ...changes } = row;
  await tx
    .insertInto('retention_policies')
    .values(row)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(changes))
    .execute();
}

export async function scheduleNext(tx: TicketsTx, organization_id: string, next_run_at: string): Promise<void> {
  await tx.updateTable('retention_policies').set({ next_run_at }).where('organization_id', '=', organization_id).execute();
}

export const findDueAcrossOrganizations = (tx: TicketsTx): Promise<{ organization_id: string }[]> =>
  tx
    .selectFrom('retention_policies')
    .select('organization_id')
    .where('next_run_at', '<=', sql<string>`now()`)
    .orderBy('next_run_at')
    .limit(100)
    .execute();

type Rule = Pick<RetentionPolicy, 'action' | 'months' | 'kept_categories'>;
/** A ticket is anonymized once. A policy that deletes also deletes anonymized ones. */
const hasExpired = ({ action, months, kept_categories }: Rule) => sql`status in ('closed', 'resolved')
  and updated_at < now() - make_interval(months => ${months}) and (category is null or not category = any(${kept_categories}::text[]))
  ${action === 'anonymize' ? sql`and anonymized_at is null` : sql``}`;
/** A query per status, each of which an index serves in its order. */
const expired = (rule: Rule, limit: number) => {
  const of = (status: string) => sql`(
    select id, updated_at from tickets where status = ${sql.lit(status)} and ${hasExpired(rule)} order by updated_at limit ${limit})`;
  return sql`${of('closed')} union all ${of('resolved')} limit ${limit}`;
};

/** Locks the tickets. One that was changed since the statement began is read again, and left out if it has not expired any more. */
export async function findExpiredTicketsForUpdate(tx: TicketsTx, rule: Rule, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tickets where id in (select id from (${expired(rule, limit)}) x) and ${hasExpired(rule)} order by id for update`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

export async function countExpiredTickets(tx: TicketsTx, rule: Rule, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${expired(rule, limit)}) x`.execute(tx);
  return rows[0]!.count;
}

/** The organization's time zone, in which the nights are. */
export async function findTimeZone(tx: TicketsTx): Promise<string> {
  return (await tx.selectFrom('organizations').select('time_zone').executeTakeFirst())?.time_zone ?? 'UTC';
}
