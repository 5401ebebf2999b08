import type { Macro, Role } from '@tandem/contracts';

/** Others' private ones are as if they were not there. */
export const maySee = (macro: Pick<Macro, 'owner_id' | 'is_shared'>, user_id: string): boolean =>
  macro.is_shared || macro.owner_id === user_id;

/** The own ones; managers and admins also those that others share. */
export const mayChange = (macro: Pick<Macro, 'owner_id' | 'is_shared'>, person: { user_id: string; role: Role | null }): boolean =>
  macro.owner_id === person.user_id || (macro.is_shared && (person.role === 'manager' || person.role === 'admin'));
