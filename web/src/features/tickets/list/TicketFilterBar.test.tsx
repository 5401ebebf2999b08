import { screen, waitFor, within } from '@testing-library/react';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => backend.signIn());

it('accepts several values of one filter', async () => {
  backend.tickets = [aTicket({ subject: 'A' }), aTicket({ subject: 'B', status: 'closed' }), aTicket({ subject: 'C', status: 'resolved' })];
  const { person, address } = renderApp('/tickets?status=open');
  await person.click(await screen.findByRole('combobox', { name: 'Status' }));
  await person.click(await screen.findByRole('option', { name: 'Closed' }));
  expect(address()).toBe('/tickets?status=open,closed');
  expect(await screen.findByRole('link', { name: 'B' })).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'C' })).not.toBeInTheDocument());
  await person.click(screen.getByRole('option', { name: 'All statuses' }));
  expect(address()).toBe('/tickets');
});

it('has less frequent filters behind a button and shows active ones as chips', async () => {
  const { person, address } = renderApp('/tickets?status=open');
  await person.click(await screen.findByRole('button', { name: 'More filters' }));
  await person.type(await screen.findByLabelText('Tags'), 'vip{Enter}');
  await person.type(screen.getByLabelText('Category'), 'Orders');
  await person.type(screen.getByLabelText('Customer email'), 'jonas@example.com');
  await person.click(screen.getByRole('button', { name: 'Done' }));
  expect(address()).toBe('/tickets?status=open&category=Orders&tag=vip&customer_email=jonas%40example.com');
  const chips = await screen.findByRole('list', { name: 'Active filters' });
  expect(within(chips).getByText('vip')).toBeInTheDocument();
  await person.click(within(chips).getByRole('button', { name: 'Remove filter Tag vip' }));
  expect(address()).toBe('/tickets?status=open&category=Orders&customer_email=jonas%40example.com');
  await person.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(address()).toBe('/tickets');
});

it('filters by creation time and sorts', async () => {
  const { person, address } = renderApp('/tickets?created_from=2020-01-01&created_to=2020-02-01');
  expect(await screen.findByText('Jan 1, 2020 to Jan 31, 2020')).toBeInTheDocument();
  await person.click(screen.getByRole('combobox', { name: 'Sort' }));
  await person.click(await screen.findByRole('option', { name: 'Due first' }));
  expect(address()).toBe('/tickets?created_from=2020-01-01&created_to=2020-02-01&sort=due');
  await waitFor(() => expect(backend.calls.at(-1)).toContain('sort=due'));
});
