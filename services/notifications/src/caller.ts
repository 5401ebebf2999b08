import { AppError, type Context } from '@tandem/contracts';

/** The calling member and their organization. Notifications belong to a person, so an API token is refused with `permission.denied`. */
export function requireMember({ actor, organization_id }: Context): { organization_id: string; user_id: string } {
  if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This is not available to API tokens.' });
  if (organization_id === null) throw new AppError('organization.required');
  return { organization_id, user_id: actor.user_id };
}
