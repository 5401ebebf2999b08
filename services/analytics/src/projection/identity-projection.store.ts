import type { Member } from '@tandem/contracts';
import type { AnalyticsTx } from '../schema';

/** Saves the time zone and returns the row before; undefined if the event is not newer than it. */
export async function saveTimeZone(
  tx: AnalyticsTx,
  organization_id: string,
  time_zone: string,
  sequence: number,
): Promise<{ time_zone: string; sequence: number; total: number } | undefined> {
  await tx
    .insertInto('organizations')
    .values({ organization_id })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute();
  const before = await tx.selectFrom('organizations').select(['time_zone', 'sequence', 'total']).forUpdate().executeTakeFirstOrThrow();
  if (before.sequence >= sequence) return undefined;
  await tx
    .updateTable('organizations')
    .set((eb) => ({ time_zone, sequence, version: eb('version', '+', 1) }))
    .execute();
  return before;
}

/** Saves the newest state; false if the event is not newer than it. */
export async function saveMember(tx: AnalyticsTx, member: Member, sequence: number): Promise<boolean> {
  const { organization_id, user_id, email, first_name, last_name, role, is_active } = member;
  const state = { email, first_name, last_name, role, is_active, sequence };
  const saved = await tx
    .insertInto('members')
    .values({ organization_id, user_id, ...state })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(state).where('members.sequence', '<', sequence))
    .returning('user_id')
    .executeTakeFirst();
  return saved !== undefined;
}
