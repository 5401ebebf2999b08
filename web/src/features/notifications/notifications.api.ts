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
    // Cached per user, like the count: an event for another user does not refetch an open list.
    listNotifications: build.infiniteQuery<NotificationPage, string, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination.next_cursor },
      query: ({ pageParam }) => ({ path: '/notifications', query: { limit: noticesPerPage, cursor: pageParam ?? undefined } }),
      transformResponse: (items: Notification[], meta) => ({ items, pagination: meta?.pagination ?? noPages }),
      providesTags: (_, __, user_id) => [{ type: 'Notifications', id: user_id }],
      // Refetch whenever the list is opened.
      keepUnusedDataFor: 0,
    }),
  }),
});
