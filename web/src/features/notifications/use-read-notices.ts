import { useDispatch } from 'react-redux';
import { useSession } from '../../app/api';
import { unreadApi, useMarkReadMutation } from '../../app/notifications';
import type { AppDispatch } from '../../app/store';
import { notify } from '../../lib/notify';

/** Marks the notices of one ticket as read, or all: shown at once, taken back where the server refuses. */
export function useReadNotices(): (ticket_id?: string) => Promise<void> {
  const { user_id } = useSession().profile;
  const dispatch = useDispatch<AppDispatch>();
  const [markRead] = useMarkReadMutation();
  return async (ticket_id) => {
    const shown = dispatch(
      unreadApi.util.updateQueryData('countUnread', user_id, (count) => {
        const left = ticket_id === undefined ? [] : count.ticket_ids.filter((id) => id !== ticket_id);
        // Of one ticket there may be several: the answer says how many are left.
        const isLess = left.length < count.ticket_ids.length;
        count.unread = left.length === 0 ? 0 : Math.max(left.length, count.unread - (isLess ? 1 : 0));
        count.ticket_ids = left;
      }),
    );
    const { error } = await markRead({ user_id, ...(ticket_id === undefined ? {} : { ticket_id }) });
    if (!error) return;
    shown.undo();
    // Opening a ticket is what was asked for; that its mark stays is not worth a word.
    if (ticket_id === undefined) notify.problem(error, 'Your notifications could not be marked as read');
  };
}
