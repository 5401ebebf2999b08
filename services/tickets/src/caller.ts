import { AppError, type ActingToken, type Context, type Role } from '@tandem/contracts';

/** User id of the caller; null for an API token, a customer or a system process. */
export const userIdOf = ({ actor }: Context): string | null => (actor.type === 'user' ? actor.user_id : null);

/** The calling API token with its current name, which the timeline and comments keep; null for other callers. */
export const actingToken = ({ actor }: Context): ActingToken | null =>
  actor.type === 'token' ? { id: actor.token_id, name: actor.name, via: actor.via } : null;

/**
 * An assistant's token replies to customers only with `tickets:send`, even when it calls the API itself. Without it, the assistant drafts
 * replies, which an agent sends.
 */
export function assertMayReply({ actor }: Context): void {
  if (actor.type !== 'token' || !actor.permissions.includes('mcp') || actor.permissions.includes('tickets:send')) return;
  const detail = 'A token with the permission mcp needs tickets:send to reply to customers. Draft the reply instead.';
  throw new AppError('token.permission_missing', { detail });
}

/** The calling user. Throws `permission.denied` for API tokens, which cannot own drafts, views or macros. */
export function requireUser({ actor }: Context): { user_id: string; role: Role | null } {
  if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This is not available to API tokens.' });
  return actor;
}
