import { listNotifications } from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { infiniteEndpoint } from '../../app/endpoint';
import { call } from '../../lib/call';

export const noticesPerPage = 20;

export const { useListNotificationsInfiniteQuery } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Cached per user, like the count: an event for another user does not refetch an open list.
    listNotifications: build.infiniteQuery({
      ...infiniteEndpoint((_user_id: string, cursor) => call(listNotifications, { query: { limit: noticesPerPage, cursor } })),
      providesTags: (_, __, user_id) => [{ type: 'Notifications', id: user_id }],
      // Refetch whenever the list is opened.
      keepUnusedDataFor: 0,
    }),
  }),
});
