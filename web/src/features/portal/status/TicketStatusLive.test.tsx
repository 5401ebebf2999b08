import type { PublicTicket } from '@tandem/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aPublicTicket, portal } from '../testing';

const reply = (id: string, content: string) => ({
  id,
  content,
  is_from_customer: false,
  author_name: 'Ada',
  attachments: [],
  created_at: '2026-11-20T11:00:00.000Z',
});
/** Mocks for scrolling and for the visibility of the end of the page. */
const scrolled = jest.fn();
let reportEnd: (isSeen: boolean) => void = () => undefined;

beforeEach(() => {
  portal();
  scrolled.mockClear();
  Object.assign(Element.prototype, { scrollIntoView: scrolled });
  Object.assign(globalThis, {
    IntersectionObserver: class {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        reportEnd = (isIntersecting) => tell([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'IntersectionObserver');
});

const reads = () => backend.calls.filter((call) => /^GET \/public\/tickets\/[^/]+\?/.test(call)).length;
async function open(overrides: Partial<PublicTicket> = {}) {
  const ticket = aPublicTicket(overrides);
  server.use(http.get(api('/public/tickets/:id'), () => answer(ticket)));
  const view = renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  await screen.findByRole('heading', { name: ticket.subject });
  return { ...view, ticket };
}
const event = () => act(() => FakeEventSource.last.send({ type: 'changed', subject: '' }));
const setVisibility = (state: 'visible' | 'hidden') => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

it('shows a reply immediately and announces it politely', async () => {
  const { ticket } = await open();
  expect(screen.getByText('No reply yet. New replies appear here.')).toBeInTheDocument();
  expect(FakeEventSource.last.url).toBe(`/api/v1/public/tickets/${ticket.id}/events?email=jonas%40example.com`);
  ticket.comments = [reply('c1', 'New bags are on the way.')];
  event();
  expect(await screen.findByText('New bags are on the way.')).toBeInTheDocument();
  await waitFor(() => expect(screen.getAllByRole('status').some((region) => region.textContent === 'New reply from Ada')).toBe(true));
});

it('scrolls to a reply only if the reader is at the end', async () => {
  const { ticket } = await open();
  act(() => reportEnd(false));
  ticket.comments = [reply('c1', 'First answer.')];
  event();
  await screen.findByText('First answer.');
  expect(scrolled).not.toHaveBeenCalled();
  act(() => reportEnd(true));
  ticket.comments = [...ticket.comments, reply('c2', 'Second answer.')];
  event();
  await screen.findByText('Second answer.');
  await waitFor(() => expect(scrolled).toHaveBeenCalledTimes(1));
});

it('shows a new status with its customer-facing name', async () => {
  const { ticket } = await open();
  Object.assign(ticket, { status: 'waiting_for_customer' });
  event();
  expect(await screen.findByText('Pending')).toBeInTheDocument();
  expect(screen.getByText(/please reply below/)).toBeInTheDocument();
});

it('refetches once when the stream opens, then relies on the stream', async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] });
  await open();
  act(() => FakeEventSource.last.open());
  await waitFor(() => expect(reads()).toBe(2));
  act(() => void jest.advanceTimersByTime(60_000));
  expect(reads()).toBe(2);
});

it('closes its connection after being hidden for long, and reopens it when visible', async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] });
  await open();
  const first = FakeEventSource.last;
  act(() => first.open());
  setVisibility('hidden');
  act(() => void jest.advanceTimersByTime(4 * 60_000));
  expect(first.readyState).toBe(FakeEventSource.OPEN);
  act(() => void jest.advanceTimersByTime(2 * 60_000));
  expect(first.readyState).toBe(FakeEventSource.CLOSED);
  setVisibility('visible');
  expect(FakeEventSource.last).not.toBe(first);
});

it('polls every 20 seconds if the stream is rejected', async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] });
  const { ticket } = await open();
  act(() => FakeEventSource.last.refuse());
  ticket.comments = [reply('c1', 'New bags are on the way.')];
  act(() => void jest.advanceTimersByTime(20_000));
  expect(await screen.findByText('New bags are on the way.')).toBeInTheDocument();
});

it('keeps the conversation after a failed refetch', async () => {
  const { ticket } = await open({ comments: [reply('c1', 'New bags are on the way.')] });
  server.use(http.get(api('/public/tickets/:id'), () => refuse('limit.exceeded')));
  const before = reads();
  event();
  await waitFor(() => expect(reads()).toBe(before + 1));
  expect(within(screen.getByRole('list', { name: 'Conversation' })).getByText('New bags are on the way.')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: ticket.subject })).toBeInTheDocument();
});
