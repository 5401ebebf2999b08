import type { Role } from '@tandem/contracts';

/** An item with an owner who may share it with the organization: a saved view or a canned reply. */
export interface Shareable {
  owner_id: string;
  is_shared: boolean;
}
type Person = { user_id: string; role: Role | null };

/** Own items and shared ones. Other people's private items are treated as not found. */
export const canSee = ({ owner_id, is_shared }: Shareable, { user_id }: Pick<Person, 'user_id'>): boolean =>
  is_shared || owner_id === user_id;

/** Users may change their own items; managers and admins also the shared ones. */
export const canChange = ({ owner_id, is_shared }: Shareable, { user_id, role }: Person): boolean =>
  owner_id === user_id || (is_shared && (role === 'manager' || role === 'admin'));
