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

it('makes a ticket, the lists and its comments old when somebody comments', () => {
  expect(tagsOf({ type: 'ticket.comment.added', subject: 't' })).toEqual([
    { type: 'Comments', id: 't' },
    { type: 'Ticket', id: 't' },
    'TicketList',
  ]);
  expect(tagsOf({ type: 'ticket.created', subject: 't' })).toEqual(['TicketList', 'ViewCounts']);
  expect(tagsOf({ type: 'metrics.updated', subject: 't' })).toEqual(['Stats']);
});

it('makes the task tools old when their sync has failed, and no ticket: its subject is an integration', () => {
  expect(tagsOf({ type: 'task.sync_failed', subject: 'i' })).toEqual(['TaskTools', 'Integrations']);
});

it('makes only what is shown of its task old while a ticket is synced', () => {
  for (const type of ['task.synced', 'task.linked', 'task.unlinked'])
    expect(tagsOf({ type, subject: 't' })).toEqual([{ type: 'TicketTask', id: 't' }]);
});

it('tells no list of a sync: a ticket that has got a task says so itself', async () => {
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

it('announces a new ticket, unless the user created it, in this tab or elsewhere', async () => {
  const close = await openWithSession();
  FakeEventSource.last.send({ type: 'ticket.created', subject: 'mine', own: true });
  expect(announce).not.toHaveBeenCalled();
  expect(isOwnTicket('mine')).toBe(true);
  FakeEventSource.last.send({ type: 'ticket.created', subject: 'theirs' });
  expect(announce).toHaveBeenCalledWith('A new ticket has arrived');
  expect(isOwnTicket('theirs')).toBe(false);
  close();
});

it('reads again what an event made old', async () => {
  const close = await openWithSession();
  expect(sessions()).toBe(1);
  FakeEventSource.last.send({ type: 'organization.updated', subject: 'o' });
  await until(() => sessions() === 2);
  close();
});

it('reads everything again after a break, because events may be missed', async () => {
  const close = await openWithSession();
  FakeEventSource.last.break();
  FakeEventSource.last.open();
  await until(() => sessions() === 2);
  close();
});

it('asks for the session and connects again after a refusal', async () => {
  const close = await openWithSession();
  const refused = FakeEventSource.last;
  refused.refuse();
  await until(() => FakeEventSource.last !== refused);
  expect(sessions()).toBe(2);
  close();
});

it('asks for the session at once when it hears that access has changed, and connects anew', async () => {
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

it('opens nothing any more once the page has left', async () => {
  const close = await openWithSession();
  const ended = FakeEventSource.last;
  ended.endAccess();
  close();
  await until(() => sessions() === 2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(FakeEventSource.last).toBe(ended);
});

it('tells a person that was told something to count again, and nobody else', () =>
  expect(tagsOf({ type: 'notification.created', subject: 'somebody' })).toEqual([{ type: 'Notifications', id: 'somebody' }]));
