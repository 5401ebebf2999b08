import { AppError, type Context, type Role } from '@tandem/contracts';

/** The member who calls; null for an API token, a customer, a process of ours. */
export const personIdOf = ({ actor }: Context): string | null => (actor.type === 'user' ? actor.user_id : null);

/** The member who calls. What belongs to a person (a draft, a view) an API token cannot have: `permission.denied`. */
export function personOf({ actor }: Context): { user_id: string; role: Role | null } {
  if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This belongs to a person, not to an API token.' });
  return actor;
}
