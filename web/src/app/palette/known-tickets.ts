import { useStore } from 'react-redux';
import { ticketListApi } from '../../features/tickets/list/ticket-list.api';
import { ticketsApi } from '../../features/tickets/tickets.api';
import { useRecentTickets, type RecentTicket } from '../../lib/recent-tickets';
import type { AppStore } from '../store';

/** The tickets that this page has loaded, for results before the server answers. */
export function useKnownTickets(): RecentTicket[] {
  const store = useStore() as AppStore;
  const recent = useRecentTickets();
  const state = store.getState();
  const lists = ticketListApi.util.selectCachedArgsForQuery(state, 'listTickets').flatMap(
    (filters) =>
      ticketListApi.endpoints.listTickets
        .select(filters)(state)
        .data?.pages.flatMap(({ items }) => items) ?? [],
  );
  const pages = ticketsApi.util
    .selectCachedArgsForQuery(state, 'readTicket')
    .flatMap((id) => ticketsApi.endpoints.readTicket.select(id)(state).data ?? []);
  return [...new Map<string, RecentTicket>([...lists, ...recent, ...pages].map((ticket) => [ticket.id, ticket])).values()];
}

/** Whether each word is in the number, the subject or the customer's name or address. */
export function matchesText(ticket: RecentTicket, text: string): boolean {
  const { ticket_number, subject, customer_name, customer_email } = ticket;
  const content = `${ticket_number} ${subject} ${customer_name ?? ''} ${customer_email}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => content.includes(word));
}
