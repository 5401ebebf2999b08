import type { Comment, Ticket } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { api } from '../../app/api';
import { showInLists } from './ticket-list.api';

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

/** Spec part 2, section 4: resolved stamps, open and in progress clear, the others leave it. */
function resolvedAt(status: TicketStatus | undefined): Partial<Ticket> {
  if (status === 'resolved') return { resolved_at: new Date().toISOString() };
  return status === 'open' || status === 'in_progress' ? { resolved_at: null } : {};
}

export const ticketsApi = api.injectEndpoints({
  endpoints: (build) => ({
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
      invalidatesTags: (_result, _error, { id }) => [{ type: 'Ticket', id }, 'TicketList', 'Stats', 'ViewCounts'],
      // Shown at once in the page and in every list; taken back when the server refuses.
      onQueryStarted: async ({ id, changes, shown }, cache) => {
        const { dispatch, queryFulfilled } = cache;
        const now: Partial<Ticket> = { ...changes, ...resolvedAt(changes.status), ...shown };
        const patch = dispatch(ticketsApi.util.updateQueryData('readTicket', id, (ticket) => void Object.assign(ticket, now)));
        void showInLists(
          cache,
          [id],
          () => now,
          queryFulfilled.then(({ data }) => [{ id, ticket: data }]),
        );
        await queryFulfilled.catch(() => patch.undo());
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

export const { useReadTicketQuery, useListCommentsQuery, useCreateTicketMutation, useUpdateTicketMutation, useAddCommentMutation } =
  ticketsApi;
export const usePrefetchTicket: typeof ticketsApi.usePrefetch = (...args) => ticketsApi.usePrefetch(...args);
