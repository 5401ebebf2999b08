import { apiTokenChanged, organizationDeleted, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { bumpAccessVersion } from '../access/access.store';
import { findApiTokens } from '../api-token/api-token.store';
import type { IdentityTables } from '../schema';
import { getOrganizationByIdForUpdate } from './organization.store';

/**
 * Deletes an organization and the accounts of its members, in `forTenant` of the organization. Every gateway rejects their sessions and the
 * organization's API tokens immediately. The event makes every service, identity included, delete its other rows.
 *
 * @throws {AppError} `organization.not_found` if it is deleted already
 */
export async function deleteOrganization(tx: Tx<IdentityTables>, ctx: TenantContext): Promise<void> {
  const { id } = await getOrganizationByIdForUpdate(tx, ctx.organization_id);
  const members = await tx.selectFrom('members').select('user_id').where('organization_id', '=', id).orderBy('user_id').execute();
  for (const { user_id } of members) await bumpAccessVersion(tx, ctx, user_id);
  for (const token of await findApiTokens(tx, id)) await emit(tx, ctx, apiTokenChanged, token.id, { what: 'deleted', token, changes: {} });
  const user_ids = members.map(({ user_id }) => user_id);
  await emit(tx, ctx, organizationDeleted, id, { deleted_at: new Date().toISOString(), member_ids: user_ids });
  if (user_ids.length > 0) await tx.deleteFrom('users').where('id', 'in', user_ids).execute();
  await tx.deleteFrom('organizations').where('id', '=', id).execute();
}
