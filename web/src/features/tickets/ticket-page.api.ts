import type { Draft, Pagination, TicketPage, TicketPagePart } from '@tandem/contracts';
import { api } from '../../app/api';
import type { AppDispatch, AppStore } from '../../app/store';
import { attachmentsApi } from './attachments/attachments.api';
import { pageOf } from './conversation/conversation';
import { customerApi } from './panel/customer.api';
import { panelApi } from './panel/panel.api';
import { taskApi } from './panel/task.api';
import { slaApi } from './sla.api';
import { ticketsApi } from './tickets.api';

/** What the page of a ticket knows beyond the caches of its parts. */
export interface OpenedTicket {
  unavailable: TicketPagePart[];
  draft: Draft | null;
  requested_at: number;
}

const ticketPageApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** One call for the whole page; its parts go into the caches of the queries that refresh them one by one. */
    openTicket: build.query<OpenedTicket, string>({
      queryFn: async (id, { dispatch, getState }, _options, baseQuery) => {
        const requested_at = Date.now();
        const { data, error } = await baseQuery({ path: `/tickets/${encodeURIComponent(id)}/page` });
        if (error) return { error };
        const page = data as TicketPage;
        seed(dispatch, getState() as State, page);
        return { data: { unavailable: page.unavailable, draft: page.draft, requested_at } };
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

type State = ReturnType<AppStore['getState']>;
const infinite = <Page>(page: Page) => ({ pages: [page], pageParams: [null] });
/** As the queries themselves keep a page. */
const listed = <T>({ items, pagination }: { items: T[]; pagination: Pagination }) => ({ items, pagination });

function seed(dispatch: AppDispatch, state: State, page: TicketPage): void {
  const { id, customer_email: email } = page.ticket;
  const isPresent = (part: TicketPagePart) => !page.unavailable.includes(part);
  const known = ticketsApi.endpoints.readTicket.select(id)(state).data;
  // A change that was made here while the page was on its way is newer.
  const ticket = known && known.version > page.ticket.version ? known : page.ticket;
  dispatch(ticketsApi.util.upsertQueryEntries([{ endpointName: 'readTicket', arg: id, value: ticket }]));
  if (page.comments) {
    const value = pageOf(page.comments.items, page.comments.pagination);
    dispatch(ticketsApi.util.upsertQueryEntries([{ endpointName: 'listComments', arg: id, value }]));
  }
  if (isPresent('sla')) dispatch(slaApi.util.upsertQueryEntries([{ endpointName: 'readTicketSla', arg: id, value: page.sla }]));
  if (page.attachments)
    dispatch(attachmentsApi.util.upsertQueryEntries([{ endpointName: 'listAttachments', arg: id, value: page.attachments }]));
  if (page.task) dispatch(taskApi.util.upsertQueryEntries([{ endpointName: 'readTicketTask', arg: id, value: page.task }]));
  if (page.emails) dispatch(customerApi.util.upsertQueryEntries([{ endpointName: 'listTicketEmails', arg: id, value: page.emails }]));
  if (isPresent('survey'))
    dispatch(customerApi.util.upsertQueryEntries([{ endpointName: 'readTicketSurvey', arg: id, value: page.survey }]));
  if (page.customer_tickets) {
    const value = listed(page.customer_tickets);
    dispatch(panelApi.util.upsertQueryEntries([{ endpointName: 'listCustomerTickets', arg: email, value }]));
  }
  if (page.timeline) {
    const value = infinite(listed(page.timeline));
    dispatch(panelApi.util.upsertQueryEntries([{ endpointName: 'readTimeline', arg: id, value }]));
  }
}

/** Whether every part is in the caches. Events remove what they make old from the caches of tickets that are not open. */
export function isCached(state: State, id: string): boolean {
  const ticket = ticketsApi.endpoints.readTicket.select(id)(state).data;
  if (!ticket) return false;
  const parts = [
    ticketsApi.endpoints.listComments.select(id)(state),
    slaApi.endpoints.readTicketSla.select(id)(state),
    attachmentsApi.endpoints.listAttachments.select(id)(state),
    taskApi.endpoints.readTicketTask.select(id)(state),
    customerApi.endpoints.listTicketEmails.select(id)(state),
    customerApi.endpoints.readTicketSurvey.select(id)(state),
    panelApi.endpoints.listCustomerTickets.select(ticket.customer_email)(state),
    panelApi.endpoints.readTimeline.select(id)(state),
  ];
  return parts.every(({ data }) => data !== undefined);
}

/** Calls for the same ticket that come together share one request. */
export const openTicket = (dispatch: AppDispatch, id: string) =>
  dispatch(ticketPageApi.endpoints.openTicket.initiate(id, { subscribe: false, forceRefetch: true }));
