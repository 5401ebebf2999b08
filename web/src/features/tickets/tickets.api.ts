import type { Comment, Ticket } from '@tandem/contracts';
import { priorityLabels, statusLabels, type TicketPriority, type TicketStatus } from '@tandem/contracts/values';
import { api } from '../../app/api';
import type { AppDispatch } from '../../app/store';
import { commentQuery, commentsOf, joined, pageOf, type Conversation } from './conversation/conversation';
import { addOwnTicket } from '../../lib/ticket-news';
import { showInLists } from './ticket-list.api';

export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name: string;
  category: string;
  priority: TicketPriority;
  tags: string[];
  attachment_ids?: string[];
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

/** Names a change that waits for the connection. */
function labelOf({ status, priority, ...others }: TicketChanges): string {
  if (status) return `Status ${statusLabels[status]}`;
  if (priority && Object.keys(others).length === 0) return `Priority ${priorityLabels[priority]}`;
  return 'assigned_to' in others ? 'Assignment' : 'Ticket change';
}

/** Spec part 2, section 4: resolved stamps, open and in progress clear, the others leave it. */
export function resolvedAt(status: TicketStatus | undefined): Partial<Ticket> {
  if (status === 'resolved') return { resolved_at: new Date().toISOString() };
  return status === 'open' || status === 'in_progress' ? { resolved_at: null } : {};
}

export const ticketsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicket: build.query<Ticket, string>({
      query: (id) => ({ path: `/tickets/${encodeURIComponent(id)}` }),
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }],
    }),
    listComments: build.query<Conversation, string>({
      query: (ticket_id) => ({ path: commentsOf(ticket_id), query: commentQuery }),
      transformResponse: (comments: Comment[], meta) => pageOf(comments, meta?.pagination),
      // A comment of somebody else reads the newest page again, however much of the conversation is on screen.
      merge: (known, fresh) => joined(known, fresh),
      providesTags: (_result, _error, id) => [{ type: 'Comments', id }],
    }),

    createTicket: build.mutation<Ticket, NewTicket & { key: string }>({
      query: ({ key, ...body }) => ({
        path: '/tickets',
        method: 'POST',
        body,
        headers: { 'idempotency-key': key },
        resend: { label: `New ticket “${body.subject}”` },
      }),
      invalidatesTags: ['TicketList', 'Stats', 'ViewCounts'],
      onQueryStarted: async (_ticket, { queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) addOwnTicket(answer.data.id);
      },
    }),
    updateTicket: build.mutation<Ticket, UpdateTicket>({
      query: ({ id, changes, version }) => ({
        path: `/tickets/${id}`,
        method: 'PATCH',
        body: changes,
        resend: { label: labelOf(changes) },
        ...(version === undefined ? {} : { headers: { 'if-match': `"v${version}"` } }),
      }),
      // The ticket itself is in the answer.
      invalidatesTags: ['TicketList', 'Stats', 'ViewCounts'],
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
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) takeTicket(dispatch, data);
        else patch.undo();
      },
    }),
  }),
});

/** Takes a ticket from an answer, unless a newer one is known. */
export function takeTicket(dispatch: AppDispatch, ticket: Ticket): void {
  dispatch(ticketsApi.util.updateQueryData('readTicket', ticket.id, (known) => (known.version > ticket.version ? undefined : ticket)));
}

export const { useReadTicketQuery, useCreateTicketMutation, useUpdateTicketMutation } = ticketsApi;
