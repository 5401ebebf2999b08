import { AppError, may, memberJoined, type Context, type Member, type Organization, type Permission, type Role } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { recordAudit } from '../audit/audit.store';
import { getOrganizationByIdForUpdate } from '../organization/organization.store';
import type { IdentityTables } from '../schema';

type IdentityTx = Tx<IdentityTables>;

/** False if the user is already a member of an organization. */
export async function insertMember(tx: IdentityTx, member: { organization_id: string; user_id: string; role: Role }): Promise<boolean> {
  const inserted = await tx
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const membersOfOrganization = (tx: IdentityTx) =>
  tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('mfa', 'mfa.user_id', 'members.user_id')
    .select((row) => row('mfa.confirmed_at', 'is not', null).$castTo<boolean>().as('mfa_enabled'))
    .select([
      'members.user_id',
      'members.organization_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'members.role',
      'members.is_active',
      'members.created_at',
    ]);

export async function getMember(tx: IdentityTx, user_id: string): Promise<Member> {
  const found = await membersOfOrganization(tx).where('members.user_id', '=', user_id).executeTakeFirst();
  if (!found) throw new AppError('user.not_found');
  return found;
}

export const findMembers = (tx: IdentityTx, organization_id: string): Promise<Member[]> =>
  membersOfOrganization(tx)
    .where('members.organization_id', '=', organization_id)
    .orderBy('members.created_at')
    .orderBy('members.user_id')
    .execute();

/**
 * Starts a change to the caller's organization, its team or its branding. Such changes run one at a time, so that what each has read is
 * still true when it commits. A caller who lost their permission while waiting is rejected: if two admins demote each other at once, one
 * remains.
 */
export async function lockOrganization(tx: IdentityTx, ctx: Context, permission: Permission): Promise<Organization> {
  const organization = await getOrganizationByIdForUpdate(tx, ctx.organization_id ?? '');
  await assertStillAllowed(tx, ctx, permission);
  return organization;
}

/** Checks the caller's current role and status under the organization's lock: the request may be older than their demotion. */
export async function assertStillAllowed(tx: IdentityTx, { actor }: Context, permission: Permission): Promise<void> {
  if (actor.type !== 'user') return;
  const caller = await tx.selectFrom('members').select(['role', 'is_active']).where('user_id', '=', actor.user_id).executeTakeFirst();
  if (!caller?.is_active || !may(caller.role, permission)) throw new AppError('permission.denied');
}

export async function hasOtherActiveAdmin(tx: IdentityTx, member: Pick<Member, 'organization_id' | 'user_id'>): Promise<boolean> {
  const other = await tx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', member.organization_id)
    .where('user_id', '!=', member.user_id)
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .executeTakeFirst();
  return other !== undefined;
}

export async function saveMember(tx: IdentityTx, user_id: string, changes: Partial<Pick<Member, 'role' | 'is_active'>>): Promise<void> {
  await tx.updateTable('members').set(changes).where('user_id', '=', user_id).executeTakeFirstOrThrow();
}

export async function isMemberAddress(tx: IdentityTx, organization_id: string, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.user_id')
    .where('members.organization_id', '=', organization_id)
    .where('users.email', '=', email)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Makes a user a member, in `forTenant` of the organization; emits the event and writes the log entry. Throws
 * `organization.already_set_up` if the user is a member of any organization; a unique index decides between concurrent requests. Existing
 * access tokens stay valid, because they allow less than the new membership.
 */
export async function joinTeam(
  tx: IdentityTx,
  ctx: Context,
  place: { organization_id: string; user_id: string; role: Role },
  actor_id?: string,
): Promise<Member> {
  if (!(await insertMember(tx, place))) throw new AppError('organization.already_set_up');
  const member = await getMember(tx, place.user_id);
  await emit(tx, ctx, memberJoined, member.user_id, { member });
  await recordAudit(tx, ctx, {
    type: 'member.joined',
    organization_id: member.organization_id,
    ...(actor_id === undefined ? {} : { actor_id }),
    target: member.email,
    changes: { role: { from: null, to: member.role } },
  });
  return member;
}
