import type { Member } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

/** Saves the newest state; an older event changes nothing. */
export async function saveMember(tx: Tx<NotificationsSchema>, member: Member, sequence: number): Promise<void> {
  const { organization_id, user_id, email, first_name, last_name, role, is_active } = member;
  await tx
    .insertInto('members')
    .values({ organization_id, user_id, email, first_name, last_name, role, is_active, sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id'])
        .doUpdateSet({ email, first_name, last_name, role, is_active, sequence })
        .where(sql<boolean>`members.sequence < excluded.sequence`),
    )
    .execute();
}

/**
 * The given members, active or not, and also all managers and admins if `leads` is true; each with their notification preferences (null if
 * never set).
 */
export const findTeam = (tx: Tx<NotificationsSchema>, organization_id: string, user_ids: string[], leads: boolean) =>
  tx
    .selectFrom('members')
    .leftJoin('notification_preferences as chosen', (join) =>
      join.onRef('chosen.organization_id', '=', 'members.organization_id').onRef('chosen.user_id', '=', 'members.user_id'),
    )
    .select(['members.user_id', 'email', 'first_name', 'last_name', 'role', 'is_active', 'preferences'])
    .where('members.organization_id', '=', organization_id)
    .where((eb) =>
      eb.or([
        ...(user_ids.length > 0 ? [eb('members.user_id', 'in', user_ids)] : []),
        ...(leads ? [eb('role', 'in', ['admin', 'manager'])] : []),
      ]),
    )
    .execute();
export type Teammate = Awaited<ReturnType<typeof findTeam>>[number];
