import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { aTicket, backend } from '../testing/backend';
import { renderApp } from '../testing/render';
import { api, refuse, server } from '../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ subject: 'Wrong grind', ticket_number: 'NC-0042' })];
});
async function openPalette() {
  const view = renderApp('/dashboard');
  await screen.findByRole('heading', { name: 'Support Dashboard' });
  await view.person.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Commands' });
  return view;
}

it('opens with Mod+K and goes to a page by its name', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('ticke{ArrowDown}');
  expect(screen.getByRole('option', { name: /New Ticket/ })).toBeInTheDocument();
  await person.click(screen.getByRole('option', { name: /^Tickets/ }));
  await waitFor(() => expect(address()).toBe('/tickets'));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('opens a ticket from the search results', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('grind');
  await person.click(await screen.findByRole('option', { name: /Wrong grind/ }));
  await waitFor(() => expect(address()).toBe(`/tickets/${backend.tickets[0]?.id}`));
  expect(backend.calls).toContain('GET /tickets?search=grind&limit=6');
});

it('offers agents only pages that their role may open', async () => {
  backend.me.role = 'agent';
  backend.signIn();
  await openPalette();
  expect(screen.queryByRole('option', { name: /^Settings/ })).not.toBeInTheDocument();
});

it('finds tickets on a ticket’s page, whose merge dialog has a separate search', async () => {
  const { person } = renderApp(`/tickets/${backend.tickets[0]?.id}`);
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Merge into another ticket' }));
  await screen.findByRole('list', { name: 'Tickets of this customer' });
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  await person.keyboard('{Control>}k{/Control}');
  await person.keyboard('grind');
  expect(await screen.findByRole('option', { name: /Wrong grind/ })).toBeInTheDocument();
  expect(backend.calls).toContain('GET /tickets?search=grind&limit=6');
});

it('shows a rejected search as an error with a retry', async () => {
  const { person } = await openPalette();
  server.use(http.get(api('/tickets'), () => refuse('limit.exceeded'), { once: true }));
  await person.keyboard('grind');
  expect(await screen.findByRole('alert')).toHaveTextContent('Couldn’t search tickets.');
  expect(screen.queryByText('Nothing found')).not.toBeInTheDocument();
  await person.click(screen.getByRole('option', { name: 'Try again' }));
  expect(await screen.findByRole('option', { name: /Wrong grind/ })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('finds pages of the documentation', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('domain');
  await person.click(await screen.findByRole('option', { name: 'Domain setup' }));
  await waitFor(() => expect(address()).toBe('/docs/domain-setup'));
});
