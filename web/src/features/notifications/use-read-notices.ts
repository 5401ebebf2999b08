import type { Notification } from '@tandem/contracts';
import { useDispatch } from 'react-redux';
import { useSession } from '../../app/api';
import { unreadApi, useMarkReadMutation } from '../../app/notifications';
import type { AppDispatch } from '../../app/store';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';

/** Marks a notification and the others of its ticket as read, or all. Shown immediately; undone if the server refuses. */
export function useReadNotices(): (notice?: Notification) => Promise<void> {
  const { user_id } = useSession().profile;
  const dispatch = useDispatch<AppDispatch>();
  const [markRead] = useMarkReadMutation();
  return async (notice) => {
    const ticket_id = notice?.ticket_id ?? undefined;
    const shown = dispatch(
      unreadApi.util.updateQueryData('countUnread', user_id, (count) => {
        const left = notice ? count.ticket_ids.filter((id) => id !== ticket_id) : [];
        // A ticket may have several notifications: the response contains the exact count.
        const isLess = ticket_id === undefined || left.length < count.ticket_ids.length;
        count.unread = notice ? Math.max(left.length, count.unread - (isLess ? 1 : 0)) : 0;
        count.ticket_ids = left;
      }),
    );
    const which = ticket_id === undefined ? (notice ? { ids: [notice.id] } : {}) : { ticket_id };
    const { error } = await markRead({ user_id, ...which });
    if (!error) return;
    shown.undo();
    // The user wanted to open the ticket: a notification that stays unread is not worth an error message.
    if (!notice) notify.problem(error, t('notifications.couldnt_mark_notifications_as_read'));
  };
}
