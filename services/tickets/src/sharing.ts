import type { Role } from '@tandem/contracts';

/** What belongs to a person, who may share it with everybody: a saved view, a canned reply. */
export interface Shareable {
  owner_id: string;
  is_shared: boolean;
}
type Person = { user_id: string; role: Role | null };

/** The own ones, and those that colleagues share; others' private ones are as if they were not there. */
export const maySee = ({ owner_id, is_shared }: Shareable, { user_id }: Pick<Person, 'user_id'>): boolean =>
  is_shared || owner_id === user_id;

/** The own ones; managers and admins also those that others share. */
export const mayChange = ({ owner_id, is_shared }: Shareable, { user_id, role }: Person): boolean =>
  owner_id === user_id || (is_shared && (role === 'manager' || role === 'admin'));
