import { formerMember } from '../lib/member-options';
import { nameOf } from '../lib/names';
import { useListMembersQuery } from './api';

/**
 * Returns the name of a member by id: “…” while the list of members loads, and “Former member” without an id or for an id that it lacks.
 * `skip`: the list is not needed, so that it is not loaded.
 */
export function useMemberName({ skip = false } = {}): (id: string | null) => string {
  const { data: members } = useListMembersQuery(undefined, { skip });
  const names = new Map(members?.map((member) => [member.user_id, nameOf(member)]));
  return (id) => (id === null ? formerMember : (names.get(id.toLowerCase()) ?? (members ? formerMember : '…')));
}
