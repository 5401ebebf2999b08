import type { Draft, Pagination, TicketPage, TicketPagePart } from '@tandem/contracts';
import { readTicketPage } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { again } from '../../../app/read-again';
import type { AppDispatch, AppStore } from '../../../app/store';
import { call } from '../../../lib/call';
import { attachmentsApi } from '../attachments/attachments.api';
import { conversationPage } from '../conversation/conversation';
import { customerApi } from '../panel/customer.api';
import { panelApi } from '../panel/panel.api';
import { ticketTaskApi } from '../panel/ticket-task.api';
import { slaApi } from '../panel/sla.api';
import { readApi } from '../read/read.api';
import { ticketsApi } from '../tickets.api';

/** The parts of a ticket page response that are not in the caches of its parts. */
export interface OpenedTicket {
  unavailable: TicketPagePart[];
  draft: Draft | null;
  requested_at: number;
}

const ticketPageApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** Loads the whole page in one call and puts its parts into the caches of the queries that refresh them individually. */
    openTicket: build.query<OpenedTicket, string>({
      queryFn: async (id, { dispatch, getState }, _options, baseQuery) => {
        const requested_at = Date.now();
        const { data, error } = await baseQuery(call(readTicketPage, { params: { id } }));
        if (error) return { error };
        const page = data as TicketPage;
        seed(dispatch, getState() as State, page);
        return { data: { unavailable: page.unavailable, draft: page.draft, requested_at } };
      },
      // The page of a ticket that was requested before it was opened takes the response from here. Its draft must be recent.
      keepUnusedDataFor: 10,
      providesTags: (_answer, _error, id) => [{ type: 'Ticket', id }],
    }),
  }),
});

type State = ReturnType<AppStore['getState']>;
const infinite = <Page>(page: Page) => ({ pages: [page], pageParams: [null] });
/** In the shape that the queries cache. */
const listed = <T>({ items, pagination }: { items: T[]; pagination: Pagination }) => ({ items, pagination });

/** In one action: each copies the table of all cached queries. */
function seed(dispatch: AppDispatch, state: State, page: TicketPage): void {
  const { id, customer_email: email } = page.ticket;
  const isPresent = (part: TicketPagePart) => !page.unavailable.includes(part);
  const known = ticketsApi.endpoints.readTicket.select(id)(state).data;
  // A change made here while the page was loading is newer.
  const ticket = known && known.version > page.ticket.version ? known : page.ticket;
  const ofTicket = ticketsApi.util.upsertQueryEntries([{ endpointName: 'readTicket', arg: id, value: ticket }]);
  const parts = [
    page.read_position && readApi.util.upsertQueryEntries([{ endpointName: 'readPosition', arg: id, value: page.read_position }]),
    page.comments &&
      ticketsApi.util.upsertQueryEntries([
        { endpointName: 'listComments', arg: id, value: conversationPage(page.comments.items, page.comments.pagination) },
      ]),
    isPresent('sla') && slaApi.util.upsertQueryEntries([{ endpointName: 'readTicketSla', arg: id, value: page.sla }]),
    page.attachments && attachmentsApi.util.upsertQueryEntries([{ endpointName: 'listAttachments', arg: id, value: page.attachments }]),
    page.task && ticketTaskApi.util.upsertQueryEntries([{ endpointName: 'readTicketTask', arg: id, value: page.task }]),
    page.emails && customerApi.util.upsertQueryEntries([{ endpointName: 'listTicketEmails', arg: id, value: page.emails }]),
    isPresent('survey') && customerApi.util.upsertQueryEntries([{ endpointName: 'readTicketSurvey', arg: id, value: page.survey }]),
    page.customer_tickets &&
      panelApi.util.upsertQueryEntries([{ endpointName: 'listCustomerTickets', arg: email, value: listed(page.customer_tickets) }]),
    page.timeline && panelApi.util.upsertQueryEntries([{ endpointName: 'readTimeline', arg: id, value: infinite(listed(page.timeline)) }]),
  ];
  dispatch({ ...ofTicket, payload: [ofTicket, ...parts].flatMap((part) => (part ? part.payload : [])) });
}

/** Whether all parts are cached. Events remove outdated parts of tickets that are not open from the caches. */
function isCached(state: State, id: string): boolean {
  const ticket = ticketsApi.endpoints.readTicket.select(id)(state).data;
  if (!ticket) return false;
  const parts = [
    ticketsApi.endpoints.listComments.select(id)(state),
    slaApi.endpoints.readTicketSla.select(id)(state),
    attachmentsApi.endpoints.listAttachments.select(id)(state),
    ticketTaskApi.endpoints.readTicketTask.select(id)(state),
    customerApi.endpoints.listTicketEmails.select(id)(state),
    customerApi.endpoints.readTicketSurvey.select(id)(state),
    panelApi.endpoints.listCustomerTickets.select(ticket.customer_email)(state),
    panelApi.endpoints.readTimeline.select(id)(state),
  ];
  return parts.every(({ data }) => data !== undefined);
}

/**
 * The response of a moment ago, or only the time if all parts are cached: the page can be shown, and each part that an event has removed
 * is requested separately. Otherwise undefined.
 */
export const loadedPage = (state: State, id: string): Partial<OpenedTicket> | undefined =>
  ticketPageApi.endpoints.openTicket.select(id)(state).data ?? (isCached(state, id) ? { requested_at: Date.now() } : undefined);

/** Concurrent calls for the same ticket share one request. */
export const openTicket = (dispatch: AppDispatch, id: string) => dispatch(ticketPageApi.endpoints.openTicket.initiate(id, again));
