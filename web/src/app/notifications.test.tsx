import { act, renderHook, waitFor } from '@testing-library/react';
import { http } from 'msw';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { aNotice, anId, backend } from '../testing/backend';
import { api as at, refuse, server } from '../testing/server';
import { api } from './api';
import { useMarkTicketRead } from './notifications';
import { createStore } from './store';

let visibility: DocumentVisibilityState = 'visible';
Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
beforeEach(() => {
  visibility = 'visible';
  backend.signIn();
});

const calls = () => backend.calls.filter((call) => call.includes('/notifications'));
const reads = () => calls().filter((call) => call === 'POST /notifications/read');
const settled = () => waitFor(() => expect(calls()).toContain('GET /notifications/unread'));

async function openTicket(ticket_id: string | undefined) {
  const store = createStore();
  await store.dispatch(api.endpoints.readSession.initiate());
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const view = renderHook(({ id }) => useMarkTicketRead(id), { wrapper, initialProps: { id: ticket_id } });
  const invalidateUnread = () =>
    act(() => void store.dispatch(api.util.invalidateTags([{ type: 'Notifications', id: backend.me.user_id }])));
  return { ...view, invalidateUnread };
}

it('marks the notifications of the open ticket as read, once', async () => {
  const notice = aNotice();
  backend.notices = [notice, aNotice({ ticket_id: notice.ticket_id! }), aNotice()];
  const { rerender } = await openTicket(notice.ticket_id!);
  await waitFor(() => expect(backend.notices.map(({ read_at }) => read_at !== null)).toEqual([true, true, false]));
  rerender({ id: notice.ticket_id! });
  expect(reads()).toHaveLength(1);
});

it('sends no request for a ticket without unread notifications', async () => {
  backend.notices = [aNotice()];
  const { rerender } = await openTicket(anId());
  await settled();
  rerender({ id: anId() });
  rerender({ id: undefined });
  expect(calls()).toEqual(['GET /notifications/unread']);
});

it('marks new notifications while the ticket is open and visible, but not while the page is hidden', async () => {
  const notice = aNotice();
  const { invalidateUnread } = await openTicket(notice.ticket_id!);
  await settled();
  visibility = 'hidden';
  backend.notices = [notice];
  invalidateUnread();
  await waitFor(() => expect(calls()).toHaveLength(2));
  expect(notice.read_at).toBeNull();
  visibility = 'visible';
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(notice.read_at).not.toBeNull());
  expect(reads()).toHaveLength(1);
});

it('does not retry if the server rejects the request', async () => {
  server.use(http.post(at('/notifications/read'), () => refuse('permission.denied')));
  const notice = aNotice();
  backend.notices = [notice];
  const { rerender } = await openTicket(notice.ticket_id!);
  await waitFor(() => expect(reads()).toHaveLength(1));
  rerender({ id: notice.ticket_id! });
  expect(reads()).toHaveLength(1);
});
