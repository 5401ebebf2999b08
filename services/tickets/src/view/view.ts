import type { Role, View } from '@tandem/contracts';

/** How many a person may save. */
export const maxViews = 100;

type Person = { user_id: string; role: Role | null };
type Owned = Pick<View, 'owner_id' | 'is_shared'>;

/** The own ones, and those that colleagues share. */
export const maySee = (view: Owned, person: Pick<Person, 'user_id'>): boolean => view.owner_id === person.user_id || view.is_shared;

/** The own ones; managers and admins also those that others share. */
export const mayChange = (view: Owned, { user_id, role }: Person): boolean =>
  view.owner_id === user_id || (view.is_shared && (role === 'manager' || role === 'admin'));
