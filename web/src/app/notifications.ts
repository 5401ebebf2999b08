import type { Unread } from '@tandem/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import { api, useSession } from './api';

/** Counted no further: then the bell says '99+', and `ticket_ids` need not have all. */
export const unreadCap = 100;

/** Whether something about this ticket may be unread; where a notice is about none, whether anything is. */
export const isUnread = ({ unread, ticket_ids }: Unread, { ticket_id }: { ticket_id: string | null }): boolean =>
  unread >= unreadCap || (ticket_id === null ? unread > 0 : ticket_ids.includes(ticket_id));

/** What more than one feature knows of notices: the bell, and the ticket's page, which is where they are read. */
export const unreadApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // By person: an event names whom it was for, and nobody else counts again.
    countUnread: build.query<Unread, string>({
      query: () => ({ path: '/notifications/unread' }),
      providesTags: (_, __, user_id) => [{ type: 'Notifications', id: user_id }],
      keepUnusedDataFor: 3_600,
    }),
    /** Those of one ticket, these, or all. */
    markRead: build.mutation<Unread, { user_id: string; ticket_id?: string; ids?: string[] }>({
      query: ({ user_id: _, ...body }) => ({ path: '/notifications/read', method: 'POST', body }),
      onQueryStarted: async ({ user_id }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(unreadApi.util.updateQueryData('countUnread', user_id, () => answer.data));
      },
    }),
  }),
});
export const { useCountUnreadQuery, useMarkReadMutation } = unreadApi;

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/**
 * Whoever looks at a ticket has read its notices, also those that come meanwhile: for the ticket's page. Costs a call only where there is
 * something unread about it, and waits while the tab is in the background: what nobody sees is not read.
 */
export function useMarkTicketRead(ticket_id: string | undefined): void {
  const { user_id } = useSession().profile;
  const { data } = useCountUnreadQuery(user_id);
  const isSeen = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const [markRead] = useMarkReadMutation();
  const isNew = ticket_id !== undefined && data !== undefined && isUnread(data, { ticket_id });
  useEffect(() => {
    // A refusal is not repeated: nothing changes by it, and the notice stays unread.
    if (isNew && isSeen) void markRead({ user_id, ticket_id });
  }, [isNew, isSeen, markRead, ticket_id, user_id]);
}
