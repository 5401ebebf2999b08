import type { Assignee, Page, PageQuery } from '@tandem/contracts';
import { executePrepared, fixedQuery, lockName, paginate } from '@tandem/db';
import { sql } from 'kysely';
import type { PendingUnassignmentRow, TicketsTx } from '../schema';

const open = ['open', 'in_progress', 'waiting_for_customer'] as const;

const autoAssign = fixedQuery((tx: TicketsTx) => tx.selectFrom('organizations').select('auto_assign'));

/** Whether the organization has automatic assignment turned on. */
export async function assignsAutomatically(tx: TicketsTx): Promise<boolean> {
  const { rows } = await executePrepared(tx, autoAssign(tx));
  return rows[0]?.auto_assign ?? false;
}

/**
 * Serializes the choice of an assignee per organization until the transaction ends, so that each choice sees the one before it. A named
 * lock, because assigning, resolving and reopening tickets write rows of `member_loads` and would wait for a lock on those.
 */
export async function lockChoice(tx: TicketsTx, organization_id: string): Promise<void> {
  await lockName(tx, `assignment ${organization_id}`);
}

/** Agents before managers before admins; within a role the fewest open tickets, then the longest time since the last assignment. */
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

/** Active members by email address, whose name or address contains `search`, ignoring case. */
export const findAssignees = (tx: TicketsTx, { search, ...page }: PageQuery & { search?: string | undefined }): Promise<Page<Assignee>> =>
  paginate(
    tx,
    tx
      .selectFrom('members')
      .select(['user_id', 'first_name', 'last_name', 'email'])
      .where('is_active', '=', true)
      .$if(search !== undefined, (qb) =>
        qb.where(sql<boolean>`strpos(lower(concat_ws(' ', first_name, last_name, email)), lower(${search})) > 0`),
      ),
    { ...page, orderBy: ['email', 'user_id'], direction: 'asc' },
  );

/** Records that a member's open tickets must be unassigned. Undefined if the member is active: the event is older than a reactivation. */
export async function insertPendingUnassignment(
  tx: TicketsTx,
  member: Pick<PendingUnassignmentRow, 'organization_id' | 'user_id'>,
): Promise<true | undefined> {
  const { rows } = await sql<object>`
    insert into pending_unassignments (organization_id, user_id)
    select organization_id, user_id from members where user_id = ${member.user_id} and not is_active
    on conflict (organization_id, user_id) do update set created_at = now()
    returning user_id`.execute(tx);
  return rows.length > 0 || undefined;
}

export const findPendingUnassignmentsAcrossOrganizations = (
  tx: TicketsTx,
): Promise<Pick<PendingUnassignmentRow, 'organization_id' | 'user_id'>[]> =>
  tx.selectFrom('pending_unassignments').select(['organization_id', 'user_id']).orderBy('created_at').limit(500).execute();

/** Takes a share lock: an assignment in another transaction locks the same row, and a reactivation waits for this transaction. */
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

export async function deletePendingUnassignment(tx: TicketsTx, user_id: string): Promise<void> {
  await tx.deleteFrom('pending_unassignments').where('user_id', '=', user_id).execute();
}
