import type { Member } from '@tandem/contracts';
import { Avatar } from '../ui/Avatar';
import type { SelectOption } from '../ui/Select';
import { nameOf } from './names';
import { t } from './staff-texts';

/** The name of an assignee who is not in the list of members. */
export const formerMember = t('lib.former_member');

/** Members as the options of a select. */
export const memberOptions = (members: readonly Member[]): SelectOption[] =>
  members.map((member) => ({ value: member.user_id, label: nameOf(member), mark: <Avatar name={nameOf(member)} size="xs" /> }));
