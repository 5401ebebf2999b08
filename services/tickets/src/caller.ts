import { AppError, type ActingToken, type Context, type Role } from '@tandem/contracts';

/** User id of the caller; null for an API token, a customer or a system process. */
export const userIdOf = ({ actor }: Context): string | null => (actor.type === 'user' ? actor.user_id : null);

/** The calling API token with its current name, which the timeline and comments keep; null for other callers. */
export const actingToken = ({ actor }: Context): ActingToken | null =>
  actor.type === 'token' ? { id: actor.token_id, name: actor.name, via: actor.via } : null;

/** The calling user. Throws `permission.denied` for API tokens, which cannot own drafts, views or macros. */
export function requireUser({ actor }: Context): { user_id: string; role: Role | null } {
  if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This is not available to API tokens.' });
  return actor;
}
