import {
  acceptInvitation,
  AppError,
  cancelInvitation,
  createInvitation,
  declineInvitation,
  invitationCreated,
  listInvitations,
  readInvitation,
  resendInvitation,
  type AuditType,
  type Context,
  type InputOf,
  type Invitation,
  type Member,
  type OfferedInvitation,
  type Organization,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { hashToken, newToken, Secrets } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import { getOrganizationByIdForUpdate } from '../organization/organization.store';
import type { Changes, IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { countEmail, invitationExpiry, teamRetryAfterSeconds, type MailCount } from './invitation';
import {
  cancelPendingInvitation,
  findAddressForUpdate,
  findInviterName,
  findLatestInvitation,
  findMailsOfHour,
  findInvitationOfLinkAcrossOrganizations,
  findPendingInvitations,
  getDatabaseTime,
  getPendingInvitation,
  insertInvitation,
  saveLink,
  closeInvitation,
  type Link,
} from './invitation.store';
import { isMemberAddress, joinTeam, lockOrganization } from './member.store';

type Offer = OfferedInvitation & { organization_id: string };

/**
 * Invitations: admins send and cancel them, holders of the link accept or decline them. Whether an address has an account is never revealed
 * to the inviting admins. Changes hold the organization's lock (`lockOrganization`).
 */
@Controller()
export class InvitationService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(listInvitations)
  async listInvitations(ctx: Context): Promise<Invitation[]> {
    return this.db.forTenant(ctx, (tx) => findPendingInvitations(tx, ctx.organization_id ?? ''));
  }

  @Handles(createInvitation)
  async createInvitation(ctx: Context, { body }: InputOf<typeof createInvitation>): Promise<Invitation> {
    return this.db.forTenant(ctx, async (tx) => {
      const organization = await lockOrganization(tx, ctx, 'team.write');
      const { id: organization_id } = organization;
      if (await isMemberAddress(tx, organization_id, body.email)) throw new AppError('invitation.already_member');
      const latest = await findLatestInvitation(tx, organization_id, body.email);
      if (latest?.status === 'pending') {
        if (latest.expires_at > latest.now) throw new AppError('invitation.pending');
        await cancelPendingInvitation(tx, latest.id);
      }
      await assertTeamMayMail(tx, organization_id);
      const created_at = latest?.now ?? (await getDatabaseTime(tx));
      const { token, link } = newLink(latest, created_at);
      const invitation = await insertInvitation(tx, { ...body, ...link, organization_id, invited_by: callerId(ctx), created_at });
      await this.announce(tx, ctx, organization, invitation, token);
      await note(tx, ctx, 'invitation.created', invitation, { role: { from: null, to: invitation.role } });
      return storeResponse(tx, invitation);
    });
  }

  @Handles(resendInvitation)
  async resendInvitation(ctx: Context, { params }: InputOf<typeof resendInvitation>): Promise<Invitation> {
    return this.db.forTenant(ctx, async (tx) => {
      const organization = await lockOrganization(tx, ctx, 'team.write');
      const before = await getPendingInvitation(tx, params.id);
      await assertTeamMayMail(tx, organization.id);
      const { token, link } = newLink(before, before.now);
      const invitation = await saveLink(tx, before.id, link);
      await this.announce(tx, ctx, organization, invitation, token);
      await note(tx, ctx, 'invitation.resent', invitation);
      return invitation;
    });
  }

  @Handles(cancelInvitation)
  async cancelInvitation(ctx: Context, { params }: InputOf<typeof cancelInvitation>): Promise<Invitation> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'team.write');
      const cancelled = await cancelPendingInvitation(tx, params.id);
      if (!cancelled) throw new AppError('invitation.not_found');
      await note(tx, ctx, 'invitation.cancelled', cancelled);
      return cancelled;
    });
  }

  @Handles(readInvitation)
  async readInvitation(_ctx: Context, { params }: InputOf<typeof readInvitation>): Promise<OfferedInvitation> {
    const { organization_id: _theirs, ...offer } = await this.getOffer(hashToken(params.token));
    return offer;
  }

  @Handles(acceptInvitation)
  async acceptInvitation(ctx: Context, { params }: InputOf<typeof acceptInvitation>): Promise<Member> {
    const { user_id } = requireUser(ctx);
    const token_hash = hashToken(params.token);
    const { organization_id } = await this.getOffer(token_hash);
    return this.db.forTenant({ organization_id }, async (tx) => {
      await getOrganizationByIdForUpdate(tx, organization_id);
      const email = await findAddressForUpdate(tx, user_id);
      if (email === undefined) throw new AppError('session.expired');
      const invitation = await closeInvitation(tx, token_hash, 'accepted');
      if (!invitation) throw new AppError('invitation.not_found');
      // Both addresses are stored in lower case.
      if (invitation.email !== email) throw new AppError('invitation.other_address');
      return joinTeam(tx, { ...ctx, organization_id }, { organization_id, user_id, role: invitation.role });
    });
  }

  @Handles(declineInvitation)
  async declineInvitation(ctx: Context, { params }: InputOf<typeof declineInvitation>): Promise<OutputOf<typeof declineInvitation>> {
    const token_hash = hashToken(params.token);
    const { organization_id } = await this.getOffer(token_hash);
    return this.db.forTenant({ organization_id }, async (tx) => {
      await getOrganizationByIdForUpdate(tx, organization_id);
      const declined = await closeInvitation(tx, token_hash, 'cancelled');
      if (!declined) throw new AppError('invitation.not_found');
      await note(tx, ctx, 'invitation.declined', declined);
      return {};
    });
  }

  private async getOffer(token_hash: string): Promise<Offer> {
    const offer = await this.db.asSystem('invitation link: identifies an invitation, not an organization', (tx) =>
      findInvitationOfLinkAcrossOrganizations(tx, token_hash),
    );
    if (!offer) throw new AppError('invitation.not_found');
    return offer;
  }

  private async announce(
    tx: Tx<IdentityTables>,
    ctx: Context,
    { name }: Organization,
    invitation: Invitation,
    token: string,
  ): Promise<void> {
    const invited_by = await findInviterName(tx, callerId(ctx));
    const sealed_token = this.secrets.seal('invitation', token);
    await emit(tx, ctx, invitationCreated, invitation.id, { invitation, organization_name: name, invited_by, sealed_token });
  }
}

/** An invitation by an API token has no inviter. */
const callerId = ({ actor }: Context): string | null => (actor.type === 'user' ? actor.user_id : null);

async function assertTeamMayMail(tx: Tx<IdentityTables>, organization_id: string): Promise<void> {
  const retryAfterSeconds = teamRetryAfterSeconds(await findMailsOfHour(tx, organization_id));
  if (retryAfterSeconds === undefined) return;
  throw new AppError('invitation.too_many', { detail: 'Too many invitations in one hour. Please try again later.', retryAfterSeconds });
}

/** Creates a new link and counts its email. */
function newLink(before: MailCount | undefined, now: string): { token: string; link: Link } {
  const count = countEmail(before, now);
  if ('retryAfterSeconds' in count) throw new AppError('invitation.too_many', count);
  const token = newToken();
  return { token, link: { ...count, token_hash: hashToken(token), expires_at: invitationExpiry(now) } };
}

const note = (tx: Tx<IdentityTables>, ctx: Context, type: AuditType, invitation: Invitation, changes?: Changes): Promise<void> =>
  recordAudit(tx, ctx, {
    type,
    organization_id: invitation.organization_id,
    target: invitation.email,
    ...(changes === undefined ? {} : { changes }),
  });
