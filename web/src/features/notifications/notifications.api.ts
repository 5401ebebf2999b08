import type { Notification, Pagination } from '@tandem/contracts';
import { api } from '../../app/api';

export const noticesPerPage = 20;

export interface NotificationPage {
  items: Notification[];
  pagination: Pagination;
}
const noPages: Pagination = { page: null, limit: noticesPerPage, total: 0, next_cursor: null };

export const { useListNotificationsInfiniteQuery } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // By person, as the count: while the list is open, an event for somebody else does not read it again.
    listNotifications: build.infiniteQuery<NotificationPage, string, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination.next_cursor },
      query: ({ pageParam }) => ({ path: '/notifications', query: { limit: noticesPerPage, cursor: pageParam ?? undefined } }),
      transformResponse: (items: Notification[], meta) => ({ items, pagination: meta?.pagination ?? noPages }),
      providesTags: (_, __, user_id) => [{ type: 'Notifications', id: user_id }],
      // Whoever opens it again reads what has come since.
      keepUnusedDataFor: 0,
    }),
  }),
});
