import {
  accountChanged,
  AppError,
  listMembers,
  memberDeactivated,
  memberUpdated,
  resetMemberMfa,
  updateMember,
  type AuditType,
  type Context,
  type InputOf,
  type Member,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { endSessions, bumpAccessVersion } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import { removeMfa } from '../mfa/mfa.store';
import { changesOf, fromTo } from '../organization/changes';
import type { IdentityTables } from '../schema';
import { losesAnAdmin } from './member';
import { findMembers, getMember, hasOtherActiveAdmin, lockOrganization, saveMember } from './member.store';

type Standing = Pick<Member, 'role' | 'is_active'>;

/** Lists an organization's members, changes their role and status, and resets their second factor. */
@Controller()
export class MemberService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(listMembers)
  async listMembers(ctx: Context): Promise<Member[]> {
    return this.db.forTenant(ctx, (tx) => findMembers(tx, ctx.organization_id ?? ''));
  }

  @Handles(updateMember)
  async updateMember(ctx: Context, { params, body }: InputOf<typeof updateMember>): Promise<Member> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'team.write');
      const before = await getMember(tx, params.userId);
      const changes = changesOf<Standing, keyof Standing>(before, body);
      if (Object.keys(changes).length === 0) return before;
      if (losesAnAdmin(before, changes) && !(await hasOtherActiveAdmin(tx, before))) throw new AppError('member.last_admin');
      await saveMember(tx, before.user_id, changes);
      if (changes.is_active === false) await endSessions(tx, ctx, before.user_id, 'deactivated');
      else await bumpAccessVersion(tx, ctx, before.user_id);
      const member = await getMember(tx, before.user_id);
      await announceUpdate(tx, ctx, before, member);
      return member;
    });
  }

  @Handles(resetMemberMfa)
  async resetMemberMfa(ctx: Context, { params }: InputOf<typeof resetMemberMfa>): Promise<Member> {
    const user_id = params.userId;
    if (ctx.actor.type === 'user' && ctx.actor.user_id === user_id) throw new AppError('mfa.own');
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'team.write');
      return resetMfa(tx, ctx, user_id);
    });
  }
}

/** Turns off the member's second factor and ends their sessions. Also called by `tandem admin reset-2fa`, as the system. */
export async function resetMfa(tx: Tx<IdentityTables>, ctx: Context, user_id: string): Promise<Member> {
  const before = await getMember(tx, user_id);
  if (!(await removeMfa(tx, user_id))) return { ...before, mfa_enabled: false };
  await endSessions(tx, ctx, user_id, 'mfa_reset');
  const member = await getMember(tx, user_id);
  const { email, first_name, organization_id } = member;
  await recordAudit(tx, ctx, { type: 'mfa.reset', organization_id, target: email });
  await emit(tx, ctx, memberUpdated, user_id, { member });
  // The account belongs to the user: its emails are sent outside any organization.
  await emit(tx, { ...ctx, organization_id: null }, accountChanged, user_id, { user_id, email, first_name, what: 'mfa_disabled' });
  return member;
}

/** Emits the member's events and writes the log: one entry for the role, one for being active. */
async function announceUpdate(tx: Tx<IdentityTables>, ctx: Context, before: Member, member: Member): Promise<void> {
  const { user_id, organization_id, email: target } = member;
  await emit(tx, ctx, memberUpdated, user_id, { member });
  if (before.is_active && !member.is_active) await emit(tx, ctx, memberDeactivated, user_id, { member });
  const note = (type: AuditType, changed: Partial<Standing>) =>
    recordAudit(tx, ctx, { type, organization_id, target, changes: fromTo<Standing>(before, changed) });
  const { role, is_active } = member;
  if (role !== before.role) await note('member.role_changed', { role });
  if (is_active !== before.is_active) await note(is_active ? 'member.reactivated' : 'member.deactivated', { is_active });
}
