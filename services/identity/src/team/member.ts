import type { Member } from '@tandem/contracts';

type Standing = Pick<Member, 'role' | 'is_active'>;
const isActiveAdmin = ({ role, is_active }: Standing): boolean => role === 'admin' && is_active;

/** Whether a change takes away an active admin. You cannot demote or deactivate the last active admin. */
export const losesAnAdmin = (before: Standing, changes: Partial<Standing>): boolean =>
  isActiveAdmin(before) && !isActiveAdmin({ ...before, ...changes });
