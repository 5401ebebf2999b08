import { addWatcher, listTickets, mergeTicket, readTimeline, removeWatcher, unmergeTicket } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint, pageEndpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { takeTicket } from '../tickets.api';

const timelinePageSize = 20;
/** One more than is shown, because the ticket itself is in the result. */
const customerTicketsRead = 6;

/** The cached data that a merge, or its undo, invalidates. */
const mergeTags = (ids: string[]) => [
  ...ids.flatMap((id) => [{ type: 'Ticket', id } as const, { type: 'Comments', id } as const]),
  'TicketList' as const,
  'Stats' as const,
  'ViewCounts' as const,
];

/** The side panel's own requests, kept out of the page's first chunk. */
export const panelApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTimeline: build.infiniteQuery(
      infiniteEndpoint((ticket_id: string, cursor) =>
        call(readTimeline, { params: { id: ticket_id }, query: { limit: timelinePageSize, cursor } }),
      ),
    ),
    listCustomerTickets: build.query(
      pageEndpoint((customer_email: string) => call(listTickets, { query: { customer_email, limit: customerTicketsRead } })),
    ),
    /** For merging: finds tickets whose subject, number or customer contains the search text. */
    findTickets: build.query({
      ...endpoint((query: { search?: string; customer_email?: string }) => call(listTickets, { query: { ...query, limit: 8 } })),
      keepUnusedDataFor: 30,
    }),
    setWatcher: build.mutation({
      ...endpoint(({ ticket_id, user_id, watches }: { ticket_id: string; user_id: string; watches: boolean }) =>
        call(watches ? addWatcher : removeWatcher, { params: { id: ticket_id, userId: user_id } }),
      ),
      onQueryStarted: async (_argument, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) takeTicket(dispatch, data);
      },
    }),
    mergeTicket: build.mutation({
      ...endpoint(({ ticket_id, into_id }: { ticket_id: string; into_id: string }) =>
        call(mergeTicket, { params: { id: ticket_id }, body: { into_id } }),
      ),
      invalidatesTags: (_result, error, { ticket_id, into_id }) => (error ? [] : mergeTags([ticket_id, into_id])),
    }),
    unmergeTicket: build.mutation({
      ...endpoint(({ ticket_id }: { ticket_id: string; into_id: string }) => call(unmergeTicket, { params: { id: ticket_id } })),
      invalidatesTags: (_result, error, { ticket_id, into_id }) => (error ? [] : mergeTags([ticket_id, into_id])),
    }),
  }),
});

export const {
  useReadTimelineInfiniteQuery,
  useListCustomerTicketsQuery,
  useFindTicketsQuery,
  useSetWatcherMutation,
  useMergeTicketMutation,
} = panelApi;
