import { act, screen, waitFor, within } from '@testing-library/react';
import type { LiveEventName } from '@tandem/contracts';
import { FakeEventSource } from '../../../testing/event-source';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => backend.signIn());
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aTicket({ subject: `Ticket ${index}`, created_at: new Date(Date.UTC(2026, 10, 20) - index * 60_000).toISOString() }),
  );
const lists = () => backend.calls.filter((call) => call.startsWith('GET /tickets?'));
const receive = (type: LiveEventName, subject: string) => act(() => FakeEventSource.last.send({ type, subject }));

async function openLongList() {
  backend.tickets = many(140);
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByRole('link', { name: 'Ticket 40' });
  backend.calls = [];
  return person;
}

it('refetches only the first page and the changed row, regardless of loaded pages and events', async () => {
  await openLongList();
  Object.assign(backend.tickets[45]!, { subject: 'Changed by a colleague', version: 2 });
  for (const type of ['ticket.updated', 'ticket.assigned', 'ticket.comment.added'] as const) receive(type, backend.tickets[45]!.id);
  expect(await screen.findByRole('link', { name: 'Changed by a colleague' })).toBeInTheDocument();
  expect(lists()).toEqual(['GET /tickets?limit=30', `GET /tickets?limit=100&ids=${backend.tickets[45]!.id}`]);
});

it('removes a row that no longer matches', async () => {
  await openLongList();
  const [gone] = backend.tickets.splice(40, 1);
  receive('ticket.updated', gone!.id);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Ticket 40' })).not.toBeInTheDocument());
  expect(screen.getByRole('link', { name: 'Ticket 41' })).toBeInTheDocument();
});

it('announces new rows above a scrolled list instead of moving it', async () => {
  const person = await openLongList();
  const box = screen.getByRole('region', { name: 'Ticket list' }).querySelector('[data-scrolls]')!;
  box.scrollTop = 1_600;
  act(() => void box.dispatchEvent(new Event('scroll')));
  const fresh = aTicket({ subject: 'Just arrived', created_at: '2026-11-21T00:00:00.000Z' });
  backend.tickets.unshift(fresh);
  receive('ticket.created', fresh.id);
  expect(await screen.findByRole('button', { name: '1 new ticket' })).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '1 new ticket' }));
});

it('does not count tickets that the user created, in any tab or device', async () => {
  await openLongList();
  const box = screen.getByRole('region', { name: 'Ticket list' }).querySelector('[data-scrolls]')!;
  box.scrollTop = 1_600;
  act(() => void box.dispatchEvent(new Event('scroll')));
  const [mine, theirs] = ['Mine', 'Theirs'].map((subject) => aTicket({ subject, created_at: '2026-11-21T00:00:00.000Z' }));
  backend.tickets.unshift(mine!, theirs!);
  act(() => FakeEventSource.last.send({ type: 'ticket.created', subject: mine!.id, own: true }));
  receive('ticket.created', theirs!.id);
  expect(await screen.findByRole('button', { name: /new tickets?$/ })).toHaveAccessibleName('1 new ticket');
});

it('refetches the first page and the loaded rows by ID after a reconnect', async () => {
  await openLongList();
  Object.assign(backend.tickets[50]!, { subject: 'Missed meanwhile', version: 2 });
  act(() => {
    FakeEventSource.last.break();
    FakeEventSource.last.open();
  });
  expect(await screen.findByRole('link', { name: 'Missed meanwhile' })).toBeInTheDocument();
  expect(lists().filter((call) => call.includes('ids='))).toHaveLength(1);
});

it('renders only the visible rows of a long list, with their position and the total', async () => {
  backend.tickets = many(130);
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('button', { name: 'Load more' }));
  const list = screen.getByRole('region', { name: 'Ticket list' });
  await waitFor(() => expect(within(list).queryByRole('link', { name: 'Ticket 129' })).not.toBeInTheDocument());
  const row = within(list).getByRole('link', { name: 'Ticket 20' }).closest('li');
  expect(row).toHaveAttribute('aria-posinset', '21');
  expect(row).toHaveAttribute('aria-setsize', '130');
});

it('keeps the elements of the first rows when the next page is loaded', async () => {
  backend.tickets = many(130);
  const { person } = renderApp('/tickets');
  const more = await screen.findByRole('button', { name: 'Load more' });
  const row = screen.getByRole('link', { name: 'Ticket 5' });
  await person.click(more);
  await waitFor(() => expect(more).not.toBeInTheDocument());
  expect(row).toBeInTheDocument();
});
