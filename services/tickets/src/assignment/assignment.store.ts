import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { ReleaseRow, TicketsTx } from '../schema';

const open = ['open', 'in_progress', 'waiting_for_customer'] as const;

/** Whether tickets of this organization find their agent by themselves. */
export async function assignsAutomatically(tx: TicketsTx): Promise<boolean> {
  const organization = await tx.selectFrom('organizations').select('auto_assign').executeTakeFirst();
  return organization?.auto_assign ?? false;
}

/**
 * From here to the end of the transaction nobody else chooses in this organization, so that each sees the choice before its own. Not the
 * rows of `member_loads`: every change of an assigned ticket writes those, and would wait.
 */
export async function lockChoice(tx: TicketsTx, organization_id: string): Promise<void> {
  await lockName(tx, `assignment ${organization_id}`);
}

/** Agents before managers before admins; of these the one with the least open work, of equals whoever was given a ticket longest ago. */
export async function findNextAssignee(tx: TicketsTx): Promise<string | undefined> {
  const member = await tx
    .selectFrom('members as m')
    .leftJoin('member_loads as l', (join) => join.onRef('l.organization_id', '=', 'm.organization_id').onRef('l.user_id', '=', 'm.user_id'))
    .select('m.user_id')
    .where('m.is_active', '=', true)
    .orderBy(sql`array_position(array['agent', 'manager', 'admin'], m.role)`)
    .orderBy(sql`coalesce(l.open_tickets, 0)`)
    .orderBy('l.last_assigned_at', (order) => order.asc().nullsFirst())
    .orderBy('m.user_id')
    .limit(1)
    .executeTakeFirst();
  return member?.user_id;
}

/** Notes that a member's open tickets are to be taken back. Undefined where the member is active: an older event of one who is back. */
export async function insertRelease(tx: TicketsTx, member: Pick<ReleaseRow, 'organization_id' | 'user_id'>): Promise<true | undefined> {
  const { rows } = await sql<object>`
    insert into releases (organization_id, user_id)
    select organization_id, user_id from members where user_id = ${member.user_id} and not is_active
    on conflict (organization_id, user_id) do update set created_at = now()
    returning user_id`.execute(tx);
  return rows.length > 0 || undefined;
}

export const findReleasesAcrossOrganizations = (tx: TicketsTx): Promise<Pick<ReleaseRow, 'organization_id' | 'user_id'>[]> =>
  tx.selectFrom('releases').select(['organization_id', 'user_id']).orderBy('created_at').limit(500).execute();

/** Locked: whoever is given a ticket holds the same row until that is committed, and whoever comes back waits. */
export async function isInactiveMember(tx: TicketsTx, user_id: string): Promise<boolean> {
  const member = await tx.selectFrom('members').select('is_active').where('user_id', '=', user_id).forShare().executeTakeFirst();
  return member?.is_active === false;
}

export async function findOpenTicketsOf(tx: TicketsTx, user_id: string, limit: number): Promise<string[]> {
  const tickets = await tx
    .selectFrom('tickets')
    .select('id')
    .where('assigned_to', '=', user_id)
    .where('status', 'in', open)
    .orderBy('id')
    .limit(limit)
    .execute();
  return tickets.map(({ id }) => id);
}

export const isOpen = ({ status }: { status: string }): boolean => (open as readonly string[]).includes(status);

export async function deleteRelease(tx: TicketsTx, user_id: string): Promise<void> {
  await tx.deleteFrom('releases').where('user_id', '=', user_id).execute();
}
