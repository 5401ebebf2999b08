import type { Unread } from '@tandem/contracts';
import { countUnreadNotifications, readNotifications } from '@tandem/contracts/endpoints';
import { useEffect } from 'react';
import { call } from '../lib/call';
import { useTabVisible } from '../lib/tab-visible';
import { api, useSession } from './api';
import { endpoint } from './endpoint';

/** The server counts up to this number: then the bell shows '99+', and `ticket_ids` may be incomplete. */
export const unreadCap = 100;

/** Whether this ticket may have unread notifications; for a notification without a ticket, whether there are any at all. */
export const isUnread = ({ unread, ticket_ids }: Unread, { ticket_id }: { ticket_id: string | null }): boolean =>
  unread >= unreadCap || (ticket_id === null ? unread > 0 : ticket_ids.includes(ticket_id));

/** Notification endpoints that several features use: the bell, and the ticket page, where notifications are marked as read. */
export const unreadApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Cached per user: an event names its recipient, so other users need not count again.
    countUnread: build.query({
      ...endpoint((_user_id: string) => call(countUnreadNotifications)),
      providesTags: (_, __, user_id) => [{ type: 'Notifications', id: user_id }],
      keepUnusedDataFor: 3_600,
    }),
    /** Marks the notifications of one ticket, those with the given ids, or all of them. */
    markRead: build.mutation({
      ...endpoint(({ user_id: _, ...body }: { user_id: string; ticket_id?: string; ids?: string[] }) => call(readNotifications, { body })),
      onQueryStarted: async ({ user_id }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(unreadApi.util.updateQueryData('countUnread', user_id, () => answer.data));
      },
    }),
  }),
});
export const { useCountUnreadQuery, useMarkReadMutation } = unreadApi;

/**
 * Marks a ticket's notifications as read while its page is open, including those that arrive later. Only calls the server if there is
 * something unread, and only while the tab is visible.
 */
export function useMarkTicketRead(ticket_id: string | undefined): void {
  const { user_id } = useSession().profile;
  const { data } = useCountUnreadQuery(user_id);
  const isSeen = useTabVisible();
  const [markRead] = useMarkReadMutation();
  const isNew = ticket_id !== undefined && data !== undefined && isUnread(data, { ticket_id });
  useEffect(() => {
    // Do not retry after a failure: the notification simply stays unread.
    if (isNew && isSeen) void markRead({ user_id, ticket_id });
  }, [isNew, isSeen, markRead, ticket_id, user_id]);
}
