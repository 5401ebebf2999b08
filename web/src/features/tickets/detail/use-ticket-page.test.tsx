import { renderHook, waitFor } from '@testing-library/react';
import { useEffect, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { api } from '../../../app/api';
import { createStore } from '../../../app/store';
import { aTicket, backend } from '../../../testing/backend';
import { ticketsApi } from '../tickets.api';
import { openTicket } from './ticket-page.api';
import { useTicketPage } from './use-ticket-page';

it('loads a cached ticket again that an event removes from the cache while its page opens', async () => {
  backend.signIn();
  const { id } = aTicket();
  backend.tickets = [aTicket({ id })];
  const store = createStore();
  await openTicket(store.dispatch, id);
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const seen: boolean[] = [];
  const view = renderHook(
    () => {
      const { ticket } = useTicketPage(id, 0);
      seen.push(ticket !== undefined);
      // After the effects of the page, before it is rendered again: the first render has not subscribed to the ticket yet.
      useEffect(() => void store.dispatch(api.util.invalidateTags([{ type: 'Ticket', id }])), []);
      return ticket;
    },
    { wrapper },
  );
  expect(seen).toEqual([true, false]);
  await waitFor(() => expect(view.result.current?.id).toBe(id));
  expect(ticketsApi.endpoints.readTicket.select(id)(store.getState()).isSuccess).toBe(true);
});
