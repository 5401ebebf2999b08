import type { Erasure } from '@tandem/contracts';
import { useListMembersQuery } from '../../../app/api';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

/** Returns the name of the admin who has requested an erasure. */
export function useRequestedBy(): (erasure: Pick<Erasure, 'requested_by'>) => string {
  const { data: members = [] } = useListMembersQuery();
  return ({ requested_by }) =>
    nameOf(
      members.find(({ user_id }) => user_id === requested_by),
      t('settings.privacy.former_member'),
    );
}
