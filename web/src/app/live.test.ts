import type { LiveEventName } from '@tandem/contracts';
import { FakeEventSource } from '../testing/event-source';
import { backend } from '../testing/backend';
import { announce } from '../lib/announce';
import { isOwnTicket, onTicketChange, type TicketChange } from '../lib/ticket-changes';
import { api } from './api';
import { openLive, tagsOf } from './live';
import { createStore } from './store';

jest.mock('../lib/announce');

const sessions = () => backend.calls.filter((call) => call === 'GET /auth/session').length;
const until = async (claim: () => boolean) => {
  for (let tries = 0; !claim() && tries < 200; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(claim()).toBe(true);
};

async function openWithSession() {
  backend.signIn();
  const store = createStore();
  await store.dispatch(api.endpoints.readSession.initiate());
  const close = openLive(store.dispatch);
  FakeEventSource.last.open();
  return close;
}

it('invalidates the ticket, the lists and its comments when a comment is added', () => {
  expect(tagsOf({ type: 'ticket.comment.added', subject: 't' })).toEqual([
    { type: 'Comments', id: 't' },
    { type: 'Ticket', id: 't' },
    'TicketList',
  ]);
  expect(tagsOf({ type: 'ticket.created', subject: 't' })).toEqual(['TicketList', 'ViewCounts']);
  expect(tagsOf({ type: 'metrics.updated', subject: 't' })).toEqual(['Stats', 'Analytics']);
});

it('invalidates the task tools, but no ticket, when their sync has failed', () => {
  expect(tagsOf({ type: 'task.sync_failed', subject: 'i' })).toEqual(['TaskTools', 'Integrations']);
});

it('asks for the events since the page began, and for at most 15 seconds of them', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(2_345.6);
  (await openWithSession())();
  now.mockReturnValue(60_000);
  (await openWithSession())();
  now.mockRestore();
  expect(FakeEventSource.all.map(({ url }) => new URL(url, 'http://tandem.test').searchParams.get('since_ms'))).toEqual(['2346', '15000']);
});

it('invalidates an article, its versions and the lists when it is published or unpublished', () => {
  for (const type of ['article.published', 'article.unpublished'] as const)
    expect(tagsOf({ type, subject: 'a' })).toEqual(['ArticleList', { type: 'Article', id: 'a' }, { type: 'ArticleVersions', id: 'a' }]);
});

it('ignores an unknown event', () => {
  expect(tagsOf({ type: 'ticket.teleported' as LiveEventName, subject: 't' })).toEqual([]);
});

it('invalidates only the task section while a ticket is synced', () => {
  for (const type of ['task.synced', 'task.linked', 'task.unlinked'] as const)
    expect(tagsOf({ type, subject: 't' })).toEqual([{ type: 'TicketTask', id: 't' }]);
});

it('does not notify lists of a sync, because a newly linked ticket emits its own event', async () => {
  const news: TicketChange[] = [];
  const leave = onTicketChange((each) => news.push(each));
  const close = await openWithSession();
  FakeEventSource.last.send({ type: 'task.synced', subject: 'synced' });
  FakeEventSource.last.send({ type: 'task.linked', subject: 'linked' });
  FakeEventSource.last.send({ type: 'ticket.updated', subject: 'linked' });
  expect(news).toEqual([{ id: 'linked', isNew: false }]);
  close();
  leave();
});

it('reloads the lists when an import has created tickets or its undo has deleted them', async () => {
  const news: TicketChange[] = [];
  const leave = onTicketChange((each) => news.push(each));
  const close = await openWithSession();
  FakeEventSource.last.send({ type: 'tickets.deleted', subject: 'o' });
  FakeEventSource.last.send({ type: 'tickets.imported', subject: 'i' });
  expect(news).toEqual(['gap', 'gap']);
  expect(tagsOf({ type: 'tickets.deleted', subject: 'o' })).toEqual(['Ticket', 'TicketList', 'Stats', 'ViewCounts', 'Analytics']);
  close();
  leave();
});

it('announces a new ticket unless the user created it, in this tab or elsewhere', async () => {
  const close = await openWithSession();
  FakeEventSource.last.send({ type: 'ticket.created', subject: 'mine', own: true });
  expect(announce).not.toHaveBeenCalled();
  expect(isOwnTicket('mine')).toBe(true);
  FakeEventSource.last.send({ type: 'ticket.created', subject: 'theirs' });
  expect(announce).toHaveBeenCalledWith('A new ticket has arrived');
  expect(isOwnTicket('theirs')).toBe(false);
  close();
});

it('refetches the data that an event invalidated', async () => {
  const close = await openWithSession();
  expect(sessions()).toBe(1);
  FakeEventSource.last.send({ type: 'organization.updated', subject: 'o' });
  await until(() => sessions() === 2);
  close();
});

it('refetches everything after a reconnect, because events may have been missed', async () => {
  const close = await openWithSession();
  FakeEventSource.last.break();
  FakeEventSource.last.open();
  await until(() => sessions() === 2);
  close();
});

it('refreshes the session and reconnects after a rejection', async () => {
  const close = await openWithSession();
  const refused = FakeEventSource.last;
  refused.refuse();
  await until(() => FakeEventSource.last !== refused);
  expect(sessions()).toBe(2);
  close();
});

it('refreshes the session and reconnects immediately after an access change', async () => {
  const close = await openWithSession();
  const ended = FakeEventSource.last;
  ended.endAccess();
  expect(ended.readyState).toBe(FakeEventSource.CLOSED);
  await until(() => FakeEventSource.last !== ended);
  expect(sessions()).toBe(2);
  FakeEventSource.last.open();
  // Events may have been missed during the gap, so everything is read again.
  await until(() => sessions() === 3);
  close();
});

it('opens no connection after the page was left', async () => {
  const close = await openWithSession();
  const ended = FakeEventSource.last;
  ended.endAccess();
  close();
  await until(() => sessions() === 2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(FakeEventSource.last).toBe(ended);
});

it('invalidates the unread count of the notified user only', () =>
  expect(tagsOf({ type: 'notification.created', subject: 'somebody' })).toEqual([{ type: 'Notifications', id: 'somebody' }]));
