import type { AddComment, Comment, Ticket } from '@tandem/contracts';
import { addComment, listComments } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { valuesOf, withChanges } from '../../../app/custom-fields/ticket-values';
import { endpoint, type ResponseMeta } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { ticketsApi } from '../tickets.api';
import { commentQuery, conversationPage } from './conversation';

interface SendComment extends Omit<AddComment, 'last_seen_comment_id'> {
  ticket_id: string;
  last_seen_comment_id?: string | null | undefined;
  /** Idempotency key, the same for each retry of a text, so that it is added once. */
  key: string;
  /** Names the change while it waits for the connection. */
  label: string;
  /** The page is closing, so the browser has to finish the request without it. */
  keepalive?: boolean;
}

export const conversationApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /**
     * Loads the previous page of comments and prepends it. A mutation rather than a query, because its result is stored only in
     * `listComments`.
     */
    readEarlier: build.mutation({
      ...endpoint(({ ticket_id, cursor }: { ticket_id: string; cursor: string }) =>
        call(listComments, { params: { id: ticket_id }, query: { ...commentQuery, cursor } }),
      ),
      transformResponse: (comments: Comment[], meta: ResponseMeta | undefined) => conversationPage(comments, meta?.pagination),
      onQueryStarted: async ({ ticket_id, cursor }, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (!data) return;
        dispatch(
          ticketsApi.util.updateQueryData('listComments', ticket_id, (conversation) => {
            // A refresh may have replaced the conversation in the meantime; then this page no longer precedes it.
            if (conversation.earlier !== cursor) return;
            conversation.comments.unshift(...data.comments);
            conversation.earlier = data.earlier;
          }),
        );
      },
    }),
    addComment: build.mutation({
      ...endpoint(({ ticket_id, key, keepalive, label, ...body }: SendComment) =>
        call(addComment, {
          params: { id: ticket_id },
          body,
          headers: { 'idempotency-key': key },
          resend: { label, isStored: true },
          ...(keepalive ? { keepalive } : {}),
        }),
      ),
      // Without changes only the ticket's comment counter differs, so it is not reloaded.
      invalidatesTags: (comment, _error, { ticket_id, changes }) =>
        comment ? ['TicketList', ...(Object.keys(changes).length > 0 ? [{ type: 'Ticket' as const, id: ticket_id }] : [])] : [],
      onQueryStarted: async ({ ticket_id, changes, is_internal }, { dispatch, queryFulfilled }) => {
        // A reply clears the "task finished" reminder.
        const { custom_fields, ...others } = changes;
        const now: Partial<Ticket> = { ...others, ...(is_internal ? {} : { task_finished_at: null }) };
        const shown = dispatch(
          ticketsApi.util.updateQueryData(
            'readTicket',
            ticket_id,
            (ticket: Ticket) =>
              void Object.assign(ticket, now, custom_fields && { custom_fields: withChanges(valuesOf(ticket), custom_fields) }),
          ),
        );
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (!data) return shown.undo();
        dispatch(
          ticketsApi.util.updateQueryData('listComments', ticket_id, (conversation) => {
            if (conversation.comments.some(({ id }) => id === data.id)) return;
            conversation.comments.push(data);
            conversation.total += 1;
          }),
        );
      },
    }),
  }),
});

export const { useReadEarlierMutation } = conversationApi;
