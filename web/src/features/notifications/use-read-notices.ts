import type { Notification } from '@tandem/contracts';
import { useDispatch } from 'react-redux';
import { useSession } from '../../app/api';
import { unreadApi, useMarkReadMutation } from '../../app/notifications';
import type { AppDispatch } from '../../app/store';
import { notify } from '../../lib/notify';

/** Marks a notice as read with the others of its ticket, or all: shown at once, taken back where the server refuses. */
export function useReadNotices(): (notice?: Notification) => Promise<void> {
  const { user_id } = useSession().profile;
  const dispatch = useDispatch<AppDispatch>();
  const [markRead] = useMarkReadMutation();
  return async (notice) => {
    const ticket_id = notice?.ticket_id ?? undefined;
    const shown = dispatch(
      unreadApi.util.updateQueryData('countUnread', user_id, (count) => {
        const left = notice ? count.ticket_ids.filter((id) => id !== ticket_id) : [];
        // Of one ticket there may be several: the answer says how many are left.
        const isLess = ticket_id === undefined || left.length < count.ticket_ids.length;
        count.unread = notice ? Math.max(left.length, count.unread - (isLess ? 1 : 0)) : 0;
        count.ticket_ids = left;
      }),
    );
    const which = ticket_id === undefined ? (notice ? { ids: [notice.id] } : {}) : { ticket_id };
    const { error } = await markRead({ user_id, ...which });
    if (!error) return;
    shown.undo();
    // Opening a ticket is what was asked for; that its mark stays is not worth a word.
    if (!notice) notify.problem(error, 'Your notifications could not be marked as read');
  };
}
