import {
  AppError,
  cancelOrganizationDeletion,
  organizationUpdated,
  requestOrganizationDeletion,
  type FieldProblem,
  type InputOf,
  type Organization,
  type TenantContext,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { lockUser } from '../access/access.store';
import { verifyPassword } from '../account/verify-password';
import { recordAudit } from '../audit/audit.store';
import { getOrganizationById, getOrganizationByIdForUpdate } from '../organization/organization.store';
import { requireUser } from '../require-user';
import type { IdentityTables } from '../schema';
import { assertStillAllowed } from '../team/member.store';
import { announceDeletion } from './deletion-emails';
import { isSameName } from './organization-deletion';
import { findDeletionRequestForUpdate, removeDeletionRequest, saveDeletionRequest } from './organization-deletion.store';

/** Admins request that their organization is deleted, and cancel that until it is (decision 0054). In between, nothing is restricted. */
@Controller()
export class OrganizationDeletionService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(requestOrganizationDeletion)
  async request(ctx: TenantContext, { params, body }: InputOf<typeof requestOrganizationDeletion>): Promise<Organization> {
    const { user_id } = requireUser(ctx);
    // Before the password is compared: an attempt with a wrong one counts.
    assertDeletable(await this.db.forTenant(ctx, (tx) => getOrganizationById(tx, params.id)), body.name);
    const { password_hash } = await verifyPassword(this.db, ctx, body.current_password);
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getOrganizationByIdForUpdate(tx, params.id);
      await assertStillAllowed(tx, ctx, 'organization.write');
      assertDeletable(before, body.name);
      // The password may have been changed since it was verified.
      if ((await lockUser(tx, user_id))?.password_hash !== password_hash) throw new AppError('password.wrong');
      const organization = await saveDeletionRequest(tx, before.id, user_id);
      await announceDeletion(tx, ctx, 'deletion_requested', await getRequest(tx, before.id), user_id);
      await record(tx, ctx, 'organization.deletion_requested', before, organization);
      return organization;
    });
  }

  /** Also after the date, until the organization is deleted. A second cancellation changes nothing. */
  @Handles(cancelOrganizationDeletion)
  async cancel(ctx: TenantContext, { params }: InputOf<typeof cancelOrganizationDeletion>): Promise<Organization> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getOrganizationByIdForUpdate(tx, params.id);
      await assertStillAllowed(tx, ctx, 'organization.write');
      if (before.deletion_at === null) return before;
      await announceDeletion(tx, ctx, 'deletion_cancelled', await getRequest(tx, before.id), user_id);
      const organization = await removeDeletionRequest(tx, before.id);
      await record(tx, ctx, 'organization.deletion_cancelled', before, organization);
      return organization;
    });
  }
}

async function getRequest(tx: Tx<IdentityTables>, id: string) {
  const request = await findDeletionRequestForUpdate(tx, id);
  if (!request) throw new AppError('organization.not_found');
  return request;
}

const wrongName: FieldProblem = { path: 'name', code: 'name_mismatch', message: 'This is not the name of your organization' };

function assertDeletable({ name, demo_ends_at, deletion_at }: Organization, typed: string): void {
  if (demo_ends_at !== null) throw new AppError('demo.not_deletable');
  if (deletion_at !== null) throw new AppError('organization.deletion_requested');
  if (!isSameName(typed, name)) throw new AppError('request.invalid', { detail: wrongName.message, fields: [wrongName] });
}

async function record(
  tx: Tx<IdentityTables>,
  ctx: TenantContext,
  type: 'organization.deletion_requested' | 'organization.deletion_cancelled',
  before: Organization,
  organization: Organization,
): Promise<void> {
  await emit(tx, ctx, organizationUpdated, organization.id, { organization });
  await recordAudit(tx, ctx, {
    type,
    organization_id: organization.id,
    target: organization.name,
    changes: { deletion_at: { from: before.deletion_at, to: organization.deletion_at } },
  });
}
