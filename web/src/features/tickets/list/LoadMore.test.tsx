import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';

/**
 * An observer for a scroll position kept at the end of the list, as with the End key. New rows push the end out of view and scrolling
 * brings it back; a busy page receives both changes in one callback and nothing afterwards.
 */
class FakeIntersectionObserver {
  static at: FakeIntersectionObserver[] = [];
  constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
  observe() {
    FakeIntersectionObserver.at.push(this);
    this.see(false, true);
  }
  disconnect() {
    FakeIntersectionObserver.at = FakeIntersectionObserver.at.filter((each) => each !== this);
  }
  see(...changes: boolean[]) {
    setTimeout(() => act(() => this.tell(changes.map((isIntersecting) => ({ isIntersecting })))));
  }
}
const see = (isIntersecting: boolean) => FakeIntersectionObserver.at.forEach((each) => each.see(isIntersecting));
const loadMore = () => screen.queryByRole('button', { name: 'Load more' });

beforeEach(() => {
  backend.signIn();
  backend.tickets = Array.from({ length: 150 }, (_, index) =>
    aTicket({ subject: `Ticket ${index}`, status: index % 2 ? 'open' : 'closed' }),
  );
  Object.assign(globalThis, { IntersectionObserver: FakeIntersectionObserver });
});
afterEach(() => {
  Object.assign(globalThis, { IntersectionObserver: undefined });
});

it('loads pages while the end of the list is visible', async () => {
  renderApp('/tickets');
  expect(await screen.findByText('150 tickets')).toBeInTheDocument();
  await waitFor(() => expect(loadMore()).not.toBeInTheDocument());
});

it('keeps loading at the end after a filter change', async () => {
  const { person } = renderApp('/tickets');
  expect(await screen.findByText('150 tickets')).toBeInTheDocument();
  await waitFor(() => expect(loadMore()).not.toBeInTheDocument());
  await person.click(screen.getByRole('combobox', { name: 'Status' }));
  await person.click(await screen.findByRole('option', { name: 'Open' }));
  expect(await screen.findByText('75 tickets')).toBeInTheDocument();
  await waitFor(() => expect(loadMore()).not.toBeInTheDocument());
});

it('does not retry a failed page until the end becomes visible again', async () => {
  let asked = 0;
  const refused = http.get(api('/tickets'), ({ request }) => {
    if (!new URL(request.url).searchParams.has('cursor')) return undefined;
    asked += 1;
    return refuse('permission.denied');
  });
  server.use(refused);
  renderApp('/tickets');
  await waitFor(() => expect(asked).toBe(1));
  await waitFor(() => expect(loadMore()).not.toHaveAttribute('aria-busy'));
  expect(loadMore()).toBeInTheDocument();
  see(false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(1);
  server.resetHandlers();
  see(true);
  await waitFor(() => expect(loadMore()).not.toBeInTheDocument());
});
