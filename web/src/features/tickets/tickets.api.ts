import type { Comment, Ticket, TicketSummary } from '@tandem/contracts';
import { listComments, readTicket, updateTicket } from '@tandem/contracts/endpoints';
import { priorityLabels, statusLabels, type TicketStatus } from '@tandem/contracts/values';
import { api } from '../../app/api';
import { knownCustomFields } from '../../app/custom-fields/custom-fields.api';
import { valuesOf, withChanges } from '../../app/custom-fields/ticket-values';
import { endpoint, type ResponseMeta } from '../../app/endpoint';
import { again, readAgain } from '../../app/read-again';
import type { AppDispatch, AppStore, RootState } from '../../app/store';
import { call } from '../../lib/call';
import { t } from '../../lib/staff-texts';
import { beginChange } from '../../lib/undo';
import { commentQuery, conversationPage, joined } from './conversation/conversation';
import { lists } from './list/loaded-lists';
import type { TicketChanges } from './undo-change';

interface UpdateTicket {
  id: string;
  changes: TicketChanges;
  /** Shown on the page until the server responds, in addition to the changes. */
  shown?: Partial<Ticket>;
  /** The version that the user saw: the server refuses with 412 if the ticket has changed since. */
  version?: number;
  /** Reverts an earlier change: reported by the caller, and not offered for undo itself. */
  isUndo?: boolean;
}

/** Names a change that waits for the connection. */
function labelOf({ status, priority, ...others }: TicketChanges): string {
  if (status) return t('tickets.status_status_name', { statusName: statusLabels[status] });
  if (priority && Object.keys(others).length === 0) return t('tickets.priority_priority_name', { priorityName: priorityLabels[priority] });
  return 'assigned_to' in others ? t('tickets.assignment') : t('tickets.ticket_change');
}

/** Resolving sets `resolved_at`, open and in progress clear it, and other statuses leave it unchanged. */
export function resolvedAt(status: TicketStatus | undefined): Partial<Ticket> {
  if (status === 'resolved') return { resolved_at: new Date().toISOString() };
  return status === 'open' || status === 'in_progress' ? { resolved_at: null } : {};
}

export const ticketsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readTicket: build.query({
      ...endpoint((id: string) => call(readTicket, { params: { id } })),
      providesTags: (_result, _error, id) => [{ type: 'Ticket', id }],
    }),
    listComments: build.query({
      ...endpoint((ticket_id: string) => call(listComments, { params: { id: ticket_id }, query: commentQuery })),
      transformResponse: (comments: Comment[], meta: ResponseMeta | undefined) => conversationPage(comments, meta?.pagination),
      // A new comment by another person reloads only the newest page, even if more of the conversation is loaded.
      merge: (known, fresh) => joined(known, fresh),
      providesTags: (_result, _error, id) => [{ type: 'Comments', id }],
    }),

    updateTicket: build.mutation({
      ...endpoint(({ id, changes, version }: UpdateTicket) =>
        call(updateTicket, {
          params: { id },
          body: changes,
          resend: { label: labelOf(changes) },
          ...(version === undefined ? {} : { headers: { 'if-match': `"v${version}"` } }),
        }),
      ),
      // The response contains the ticket itself.
      invalidatesTags: ['TicketList', 'Stats', 'ViewCounts'],
      // Shown immediately on the page and in all lists; reverted if the server refuses.
      onQueryStarted: async ({ id, changes, shown, isUndo }, cache) => {
        const { dispatch, queryFulfilled } = cache;
        const reported = isUndo ? undefined : beginChange();
        const before = knownTicket(cache, id);
        const { custom_fields, ...others } = changes;
        const now: Partial<Ticket> = { ...others, ...resolvedAt(changes.status), ...shown };
        const patch = dispatch(
          ticketsApi.util.updateQueryData(
            'readTicket',
            id,
            (ticket) => void Object.assign(ticket, now, custom_fields && { custom_fields: withChanges(valuesOf(ticket), custom_fields) }),
          ),
        );
        void lists.showInLists(
          cache,
          [id],
          () => now,
          queryFulfilled.then(({ data }) => [{ id, ticket: data }]),
        );
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) takeTicket(dispatch, data);
        else patch.undo();
        if (!data || isUndo) return reported?.();
        const { reportChange } = await import('./undo-change');
        const { readTicket: read, updateTicket: update } = ticketsApi.endpoints;
        reportChange(
          before,
          data,
          { changes, fields: knownCustomFields(cache.getState() as RootState) },
          {
            read: () => readAgain(() => dispatch(read.initiate(id, again))),
            restore: async (values, assignee, version) =>
              dispatch(update.initiate({ id, changes: values, shown: assignee, version, isUndo: true }, { track: false })),
          },
        );
        reported?.();
      },
    }),
  }),
});

/** A ticket as this page shows it now: loaded for its own page, or as a row of a list. */
const knownTicket = (cache: { dispatch: AppDispatch; getState: () => unknown }, id: string): Ticket | TicketSummary | undefined =>
  ticketsApi.endpoints.readTicket.select(id)(cache.getState() as ReturnType<AppStore['getState']>).data ??
  lists.findRows(cache, [id]).get(id);

/** Caches a ticket from a response, unless a newer version is known. */
export function takeTicket(dispatch: AppDispatch, ticket: Ticket): void {
  dispatch(ticketsApi.util.updateQueryData('readTicket', ticket.id, (known) => (known.version > ticket.version ? undefined : ticket)));
}

export const { useReadTicketQuery, useUpdateTicketMutation } = ticketsApi;
