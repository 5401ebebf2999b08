import { screen, waitFor } from '@testing-library/react';
import { aTicket, house } from '../testing/house';
import { renderApp } from '../testing/render';

beforeEach(() => {
  house.signIn();
  house.tickets = [aTicket({ subject: 'Wrong grind', ticket_number: 'NC-0042' })];
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

it('opens a ticket that the search finds', async () => {
  const { person, address } = await openPalette();
  await person.keyboard('grind');
  await person.click(await screen.findByRole('option', { name: /Wrong grind/ }));
  await waitFor(() => expect(address()).toBe(`/tickets/${house.tickets[0]?.id}`));
  expect(house.calls).toContain('GET /tickets?search=grind&limit=6');
});

it('leads agents to no page that is not theirs', async () => {
  house.me.role = 'agent';
  house.signIn();
  await openPalette();
  expect(screen.queryByRole('option', { name: /^Settings/ })).not.toBeInTheDocument();
});
