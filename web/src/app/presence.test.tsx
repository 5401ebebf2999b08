import { act, render, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { Provider } from 'react-redux';
import { FakeEventSource } from '../testing/event-source';
import { anId, backend } from '../testing/backend';
import { answer, api as address, refuse, server } from '../testing/server';
import { api } from './api';
import { openLive } from './live';
import { usePresence, type PersonPresent, type PresenceState } from './presence';
import { createStore } from './store';

const marek: PersonPresent = { user_id: anId(), state: 'viewing' };

function Page({ id, state = 'viewing' }: { id?: string; state?: PresenceState }) {
  const people = usePresence(id, state);
  return <p>{people.map(({ user_id, state }) => `${user_id === marek.user_id ? 'Marek' : 'another'} ${state}`).join(', ') || 'none'}</p>;
}

let ticket: string;
let reported: { state: string; visit: string }[];
let others: PersonPresent[];
let close: () => void;
let store: ReturnType<typeof createStore>;
beforeEach(async () => {
  ticket = anId();
  reported = [];
  others = [];
  server.use(
    http.put(address('/tickets/:id/presence'), async ({ request, params }) => {
      // The page of the previous test may still be sending its 'left'.
      if (params.id === ticket) reported.push((await request.json()) as (typeof reported)[number]);
      return answer(others);
    }),
  );
  backend.signIn();
  store = createStore();
  await store.dispatch(api.endpoints.readSession.initiate());
  close = openLive(store.dispatch);
  act(() => FakeEventSource.last.open());
});
afterEach(() => close());

const show = (page: React.ReactElement) => render(page, { wrapper: ({ children }) => <Provider store={store}>{children}</Provider> });
const states = () => reported.map(({ state }) => state);

it('shows the other users, first from the response, then from the stream, and never the user themselves', async () => {
  others = [marek];
  show(<Page id={ticket} />);
  expect(await screen.findByText('Marek viewing')).toBeVisible();
  act(() =>
    FakeEventSource.last.sendPresence(ticket, [
      { ...marek, state: 'writing' },
      { user_id: backend.me.user_id, state: 'viewing' },
    ]),
  );
  expect(screen.getByText('Marek writing')).toBeVisible();
  act(() => FakeEventSource.last.sendPresence(anId(), [{ ...marek, state: 'viewing' }]));
  expect(screen.getByText('Marek writing')).toBeVisible();
  act(() => FakeEventSource.last.sendPresence(ticket, []));
  expect(screen.getByText('none')).toBeVisible();
});

it('reports immediately when writing starts and stops and when the user leaves, with a new visit ID after that', async () => {
  const { rerender, unmount } = show(<Page id={ticket} />);
  await waitFor(() => expect(states()).toEqual(['viewing']));
  rerender(<Page id={ticket} state="writing" />);
  await waitFor(() => expect(states()).toEqual(['viewing', 'writing']));
  unmount();
  await waitFor(() => expect(states()).toEqual(['viewing', 'writing', 'left']));
  expect(new Set(reported.map(({ visit }) => visit)).size).toBe(1);
  show(<Page id={ticket} />);
  await waitFor(() => expect(reported).toHaveLength(4));
  expect(reported[3]!.visit).not.toBe(reported[0]!.visit);
});

it('renews presence only while the page is visible', async () => {
  const intervals = jest.spyOn(globalThis, 'setInterval');
  const visibility = jest.spyOn(document, 'visibilityState', 'get');
  show(<Page id={ticket} />);
  await waitFor(() => expect(reported).toHaveLength(1));
  const [renew] = intervals.mock.calls.find(([, ms]) => ms === 25_000)!;
  visibility.mockReturnValue('hidden');
  renew();
  visibility.mockReturnValue('visible');
  renew();
  await waitFor(() => expect(reported).toHaveLength(2));
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(reported).toHaveLength(3));
  expect(new Set(states())).toEqual(new Set(['viewing']));
  jest.restoreAllMocks();
});

it('shows no users if presence is unavailable, and sends no request without a ticket', async () => {
  others = [marek];
  const { rerender } = show(<Page id={ticket} />);
  await screen.findByText('Marek viewing');
  server.use(http.put(address('/tickets/:id/presence'), () => refuse('service.unavailable')));
  rerender(<Page id={ticket} state="writing" />);
  expect(await screen.findByText('none')).toBeVisible();
  backend.calls.length = 0;
  rerender(<Page />);
  await waitFor(() => expect(backend.calls).toHaveLength(1)); // The 'left' of the previous visit.
});
