import { markTicketRead, markTicketUnread, readPosition } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { lists } from '../list/loaded-lists';

export const readApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** How far the user had read a ticket when they opened it. It stays the same until they leave the ticket. */
    readPosition: build.query(endpoint((id: string) => call(readPosition, { params: { id } }))),
    markTicketRead: build.mutation({
      ...endpoint(({ id, until }: { id: string; until: string }) => call(markTicketRead, { params: { id }, body: { until } })),
      onQueryStarted: ({ id }, cache) => lists.showUnread(cache, id, false),
    }),
    markTicketUnread: build.mutation({
      ...endpoint((id: string) => call(markTicketUnread, { params: { id } })),
      onQueryStarted: (id, cache) => lists.showUnread(cache, id, true),
    }),
  }),
});

export const { useMarkTicketReadMutation, useMarkTicketUnreadMutation } = readApi;
