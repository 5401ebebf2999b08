import type { Activity, Pagination, Ticket, TicketSummary } from '@tandem/contracts';
import { api } from '../../../app/api';
import { takeTicket } from '../tickets.api';

interface Page<T> {
  items: T[];
  pagination: Pagination | undefined;
}
const timelinePageSize = 20;
/** One more than is shown, because the ticket itself is in the result. */
const customerTicketsRead = 6;

const pathOf = (ticket_id: string) => `/tickets/${encodeURIComponent(ticket_id)}`;

/** The side panel's own requests, kept out of the page's first chunk. */
export const panelApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTimeline: build.infiniteQuery<Page<Activity>, string, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination?.next_cursor ?? null },
      query: ({ queryArg, pageParam }) => ({
        path: `${pathOf(queryArg)}/timeline`,
        query: { limit: timelinePageSize, cursor: pageParam ?? undefined },
      }),
      transformResponse: (items: Activity[], meta) => ({ items, pagination: meta?.pagination }),
    }),
    listCustomerTickets: build.query<Page<TicketSummary>, string>({
      query: (customer_email) => ({ path: '/tickets', query: { customer_email, limit: customerTicketsRead } }),
      transformResponse: (items: TicketSummary[], meta) => ({ items, pagination: meta?.pagination }),
    }),
    /** For merging: finds tickets whose subject, number or customer contains the search text. */
    findTickets: build.query<TicketSummary[], { search?: string; customer_email?: string }>({
      query: (query) => ({ path: '/tickets', query: { ...query, limit: 8 } }),
      keepUnusedDataFor: 30,
    }),
    setWatcher: build.mutation<Ticket, { ticket_id: string; user_id: string; watches: boolean }>({
      query: ({ ticket_id, user_id, watches }) => ({
        path: `${pathOf(ticket_id)}/watchers/${user_id}`,
        method: watches ? 'PUT' : 'DELETE',
        body: {},
      }),
      onQueryStarted: async (_argument, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) takeTicket(dispatch, data);
      },
    }),
    mergeTicket: build.mutation<Ticket, { ticket_id: string; into_id: string }>({
      query: ({ ticket_id, into_id }) => ({ path: `${pathOf(ticket_id)}/merge`, method: 'POST', body: { into_id } }),
      invalidatesTags: (_result, error, { ticket_id, into_id }) =>
        error
          ? []
          : [
              { type: 'Ticket', id: ticket_id },
              { type: 'Ticket', id: into_id },
              { type: 'Comments', id: ticket_id },
              { type: 'Comments', id: into_id },
              'TicketList',
              'Stats',
              'ViewCounts',
            ],
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
