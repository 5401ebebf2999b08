import { AppError, may, noOrganizationHere, permissions, type Allow, type Context, type Permission } from '@tandem/contracts';

const isPermission = (allow: Allow): allow is Permission => (permissions as readonly string[]).includes(allow);

/**
 * Throws unless the context may call an operation with this `allow`: `session.required` without a user or token,
 * `permission.denied`, `organization.required`, and `organization.not_found` if the portal's host or the widget's key identifies no organization.
 * The gateway calls it to reject requests early; the owner's check is the authoritative one.
 */
export function assertAllowed(allow: Allow, ctx: Context): void {
  if (isPermission(allow)) return assertPermission(allow, ctx);
  if (allow === 'signed-in' && ctx.actor.type !== 'user') throw new AppError('session.required');
  if ((allow === 'portal' || allow === 'widget') && ctx.organization_id === null) throw noOrganizationHere();
}

function assertPermission(permission: Permission, { actor, organization_id }: Context): void {
  if (actor.type === 'customer') throw new AppError('session.required');
  if (actor.type !== 'user' && actor.type !== 'token') throw new AppError('permission.denied');
  if (organization_id === null) throw new AppError('organization.required');
  const granted = actor.type === 'token' ? actor.permissions.includes(permission) : actor.role !== null && may(actor.role, permission);
  if (!granted) throw new AppError('permission.denied');
}
