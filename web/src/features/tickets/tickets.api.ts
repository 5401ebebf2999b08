import type { Comment, Pagination, Ticket, TicketSummary } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { api } from '../../app/api';
import type { TicketFilters } from './ticket-filters';

export const pageSize = 30;

export interface TicketPage {
  items: TicketSummary[];
  pagination: Pagination;
}
export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name: string;
  category: string;
  priority: TicketPriority;
  tags: string[];
}
export type TicketChanges = Partial<NewTicket> & { status?: TicketStatus; assigned_to?: string | null };

interface UpdateTicket {
  id: string;
  changes: TicketChanges;
  /** What the page shows until the server has answered, beyond the changes themselves. */
  shown?: Partial<Ticket>;
  /** The version that the person saw: refused with 412 when somebody was faster. */
  version?: number;
}
interface AddComment {
  ticket_id: string;
  content: string;
  is_internal: boolean;
  /** The same for every repeat of the same text, so that it is added once. */
  key: string;
  author: Pick<Comment, 'user_id' | 'author'>;
}

const noPages: Pagination = { page: null, limit: pageSize, total: 0, next_cursor: null };

/** Spec part 2, section 4: resolved stamps, open and in progress clear, the others leave it. */
function resolvedAt(status: TicketStatus | undefined): Partial<Ticket> {
  if (status === 'resolved') return { resolved_at: new Date().toISOString() };
  return status === 'open' || status === 'in_progress' ? { resolved_at: null } : {};
}

export const ticketsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTickets: build.infiniteQuery<TicketPage, TicketFilters, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination.next_cursor },
      query: ({ queryArg, pageParam }) => ({ path: '/tickets', query: { ...queryArg, limit: pageSize, cursor: pageParam ?? undefined } }),
      transformResponse: (items: TicketSummary[], meta) => ({ items, pagination: meta?.pagination ?? noPages }),
      providesTags: ['TicketList'],
    }),
    readTicket: build.query<Ticket, string>({
      query: (id) => ({ path: `/tickets/${encodeURIComponent(id)}` }),
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }],
    }),
    listComments: build.query<Comment[], string>({
      // The whole conversation, whatever its length: hundred by hundred.
      queryFn: async (id, _api, _options, baseQuery) => {
        const comments: Comment[] = [];
        let cursor: string | null = null;
        do {
          const answer: Awaited<ReturnType<typeof baseQuery>> = await baseQuery({
            path: `/tickets/${encodeURIComponent(id)}/comments`,
            query: { limit: 100, cursor: cursor ?? undefined },
          });
          if (answer.error) return { error: answer.error };
          comments.push(...(answer.data as Comment[]));
          cursor = answer.meta?.pagination?.next_cursor ?? null;
        } while (cursor);
        return { data: comments };
      },
      providesTags: (_result, _error, id) => [{ type: 'Comments', id }],
    }),

    createTicket: build.mutation<Ticket, NewTicket & { key: string }>({
      query: ({ key, ...body }) => ({ path: '/tickets', method: 'POST', body, headers: { 'idempotency-key': key } }),
      invalidatesTags: ['TicketList', 'Stats'],
    }),
    updateTicket: build.mutation<Ticket, UpdateTicket>({
      query: ({ id, changes, version }) => ({
        path: `/tickets/${id}`,
        method: 'PATCH',
        body: changes,
        ...(version === undefined ? {} : { headers: { 'if-match': `"v${version}"` } }),
      }),
      invalidatesTags: (_result, _error, { id }) => [{ type: 'Ticket', id }, 'TicketList', 'Stats'],
      // Shown at once in the page and in every list; taken back when the server refuses.
      onQueryStarted: async ({ id, changes, shown }, cache) => {
        const { dispatch, queryFulfilled } = cache;
        const now: Partial<Ticket> = { ...changes, ...resolvedAt(changes.status), ...shown };
        const lists = ticketsApi.util.selectCachedArgsForQuery(cache.getState(), 'listTickets');
        const patches = [
          dispatch(ticketsApi.util.updateQueryData('readTicket', id, (ticket) => void Object.assign(ticket, now))),
          ...lists.map((filters) =>
            dispatch(
              ticketsApi.util.updateQueryData('listTickets', filters, ({ pages }) => {
                for (const ticket of pages.flatMap(({ items }) => items)) if (ticket.id === id) Object.assign(ticket, now);
              }),
            ),
          ),
        ];
        await queryFulfilled.catch(() => patches.forEach((patch) => patch.undo()));
      },
    }),
    addComment: build.mutation<Comment, AddComment>({
      query: ({ ticket_id, content, is_internal, key }) => ({
        path: `/tickets/${ticket_id}/comments`,
        method: 'POST',
        body: { content, is_internal },
        headers: { 'idempotency-key': key },
      }),
      invalidatesTags: (_result, _error, { ticket_id }) => [
        { type: 'Comments', id: ticket_id },
        { type: 'Ticket', id: ticket_id },
        'TicketList',
      ],
      onQueryStarted: async ({ ticket_id, content, is_internal, key, author }, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          ticketsApi.util.updateQueryData('listComments', ticket_id, (comments) => {
            comments.push({
              id: `${pendingPrefix}${key}`,
              ticket_id,
              content,
              is_internal,
              is_from_customer: false,
              customer_email: null,
              mentions: [],
              attachments: [],
              merged_from_id: null,
              created_at: new Date().toISOString(),
              ...author,
            });
          }),
        );
        await queryFulfilled.catch(() => patch.undo());
      },
    }),
  }),
});

const pendingPrefix = 'pending-';
/** Shown, but not yet answered by the server. */
export const isPending = (comment: Comment): boolean => comment.id.startsWith(pendingPrefix);

export const {
  useListTicketsInfiniteQuery,
  useReadTicketQuery,
  useListCommentsQuery,
  useCreateTicketMutation,
  useUpdateTicketMutation,
  useAddCommentMutation,
} = ticketsApi;
export const usePrefetchTicket: typeof ticketsApi.usePrefetch = (...args) => ticketsApi.usePrefetch(...args);
