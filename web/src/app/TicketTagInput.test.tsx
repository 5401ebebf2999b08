import { screen, waitFor, within } from '@testing-library/react';
import { aTicket, backend } from '../testing/backend';
import { renderApp } from '../testing/render';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ tags: ['refund', 'grinder'] }), aTicket({ tags: ['refund', 'delivery'] })];
});
const suggested = (field: HTMLElement) => [...(field as HTMLInputElement).list!.options].map(({ value }) => value);

it('suggests tags of the newest tickets for a new ticket, except those already added', async () => {
  const { person } = renderApp('/tickets/new');
  const field = await screen.findByLabelText(/^Tags/);
  expect(backend.calls.filter((call) => call.includes('limit=100'))).toEqual([]);
  await person.click(field);
  await waitFor(() => expect(field).toHaveAttribute('list'));
  expect(suggested(field)).toEqual(['delivery', 'grinder', 'refund']);
  await person.type(field, 'grinder{Enter}');
  expect(suggested(field)).toEqual(['delivery', 'refund']);
});

it('suggests tags of the newest tickets for an open ticket', async () => {
  const [ticket] = backend.tickets;
  const { person } = renderApp(`/tickets/${ticket!.id}`);
  const panel = within(await screen.findByRole('complementary', { name: 'Ticket details' }));
  await person.click(await panel.findByRole('button', { name: 'Edit tags' }));
  const field = await panel.findByLabelText('Tags');
  await waitFor(() => expect(field).toHaveAttribute('list'));
  expect(suggested(field)).toEqual(['delivery']);
});
