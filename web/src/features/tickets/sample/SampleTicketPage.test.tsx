import { screen, within } from '@testing-library/react';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => backend.signIn());

it('explains the app from an empty list, without a request, until it is removed', async () => {
  const { person, address } = renderApp('/tickets');
  const link = await screen.findByRole('link', { name: 'See a sample ticket' });
  backend.calls = [];
  await person.click(link);
  expect(await screen.findByRole('heading', { name: 'Order arrived with the wrong grind' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1, name: 'Sample ticket' })).toBeInTheDocument();
  expect(within(screen.getByRole('list', { name: 'Conversation' })).getByText('Internal note')).toBeInTheDocument();
  expect(backend.calls).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Remove sample' }));
  expect(await screen.findByText('No tickets found')).toBeInTheDocument();
  expect(address()).toBe('/tickets');
  expect(screen.queryByRole('link', { name: 'See a sample ticket' })).not.toBeInTheDocument();
});

it('is offered on the dashboard, and not where there are tickets', async () => {
  const { unmount } = renderApp('/dashboard');
  expect(await screen.findByRole('link', { name: 'See a sample ticket' })).toHaveAttribute('href', '/sample-ticket');
  unmount();
  backend.tickets = [aTicket()];
  renderApp('/dashboard');
  await screen.findAllByRole('link', { name: /Wrong grind/ });
  expect(screen.queryByRole('link', { name: 'See a sample ticket' })).not.toBeInTheDocument();
});
