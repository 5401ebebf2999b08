import {
  AppError,
  may,
  noOrganizationHere,
  permissions,
  type Allow,
  type Context,
  type Operation,
  type Permission,
} from '@tandem/contracts';

const isPermission = (allow: Allow): allow is Permission => (permissions as readonly string[]).includes(allow);

/**
 * Throws unless the context may call this operation: `session.required` without a user or token, `permission.denied` if the role lacks the
 * permission, `token.not_allowed` or `token.permission_missing` for tokens, `organization.required`, and `organization.not_found` if the
 * portal's host or the widget's key identifies no organization. The gateway calls it to reject requests early; the owner's check is the
 * authoritative one.
 */
export function assertAllowed({ allow, token }: Pick<Operation, 'allow' | 'token'>, ctx: Context): void {
  // Which users are operators is known to identity only. All others learn nothing, not even that the address exists.
  if (allow === 'operator' && ctx.actor.type !== 'user') throw new AppError('route.not_found');
  if (ctx.actor.type === 'token' && (isPermission(allow) || allow === 'signed-in' || allow === 'token')) return assertToken(token, ctx);
  if (isPermission(allow)) return assertPermission(allow, ctx);
  if (allow === 'token') throw new AppError('permission.denied', { detail: 'Only API tokens can do this.' });
  if (allow === 'signed-in' && ctx.actor.type !== 'user') throw new AppError('session.required');
  if ((allow === 'portal' || allow === 'widget') && ctx.organization_id === null) throw noOrganizationHere();
}

function assertPermission(permission: Permission, { actor, organization_id }: Context): void {
  if (actor.type === 'customer') throw new AppError('session.required');
  if (actor.type !== 'user') throw new AppError('permission.denied');
  if (organization_id === null) throw new AppError('organization.required');
  if (actor.role === null || !may(actor.role, permission)) throw new AppError('permission.denied');
}

function assertToken(required: Operation['token'], { actor, organization_id }: Context): void {
  if (required === null || actor.type !== 'token') throw new AppError('token.not_allowed');
  if (organization_id === null) throw new AppError('organization.required');
  if (!actor.permissions.includes(required)) {
    throw new AppError('token.permission_missing', { detail: `This needs the permission ${required}.` });
  }
}
