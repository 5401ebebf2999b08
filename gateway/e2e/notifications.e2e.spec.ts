import type { Notification, NotificationPreferences, Unread } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { EventReader } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { colleague, type Colleague } from './team';

let app: TestApp;
let ada: OwnerSession;
let grace: Colleague;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUpOwner('Analytical Engines');
  grace = await colleague(app, ada, 'agent');
});

const unread = async () => (await grace.browser.get<Unread>('/notifications/unread')).data.unread;
/** Assigns a new ticket to Grace as soon as the tickets service knows her. */
async function assigned(): Promise<string> {
  const ticket = await app.ticket(ada.browser, { subject: 'No steam' });
  await eventually(async () => {
    const answer = await ada.browser.patch(`/tickets/${ticket.id}`, { assigned_to: grace.user_id });
    expect(answer.status).toBe(200);
  });
  return ticket.id;
}

it('an assignment notifies the new assignee in the open page, in the list and by email', async () => {
  const events = await EventReader.open(grace.browser);
  await eventually(() => expect(events.raw.length).toBeGreaterThan(0));
  const ticket_id = await assigned();
  await eventually(() =>
    expect(events.events).toContainEqual(expect.objectContaining({ type: 'notification.created', subject: grace.user_id })),
  );
  const list = await grace.browser.get<Notification[]>('/notifications');
  expect(list.data).toMatchObject([{ kind: 'assigned', ticket_id, subject: 'No steam', actor_name: 'Ada', read_at: null }]);
  const mail = await mailbox.waitFor({ to: grace.email, subject: /is assigned to you: No steam$/ });
  expect(mail.links).toContain(`http://localhost:3000/tickets/${ticket_id}`);
  expect(await unread()).toBe(1);
  const read = await grace.browser.post<Unread>('/notifications/read', { ticket_id });
  expect(read.data).toEqual({ unread: 0, ticket_ids: [] });
  expect((await ada.browser.get<Notification[]>('/notifications')).data).toEqual([]);
});

it('a notification whose email is turned off sends none', async () => {
  const path = '/notification-preferences';
  const before = await grace.browser.get<NotificationPreferences>(path);
  const body = { ...before.data, mention: { in_app: true, mail: false } };
  expect((await grace.browser.send('PUT', path, { body })).status).toBe(200);
  const ticket_id = await assigned();
  const comment = { content: 'Grace, have you seen this?', is_internal: true, mentions: [grace.user_id] };
  expect((await ada.browser.post(`/tickets/${ticket_id}/comments`, comment)).status).toBe(201);
  await eventually(async () => expect(await unread()).toBe(2));
  // Two emails: the first is for the previous ticket.
  await eventually(async () => expect(await mailbox.find({ to: grace.email, subject: /is assigned to you/ })).toHaveLength(2));
  expect(await mailbox.find({ to: grace.email, subject: /mentioned/ })).toEqual([]);
});

it('a new ticket does not notify its creator on other devices, in the list or by email', async () => {
  const [creators, colleagues] = await Promise.all([grace, ada].map(({ browser }) => EventReader.open(browser)));
  await eventually(() => expect([creators!, colleagues!].every(({ raw }) => raw.length > 0)).toBe(true));
  const { browser: phone } = await app.signIn(grace.email);
  const { id } = await app.ticket(phone, { subject: 'Reported by phone' });
  expect((await phone.patch(`/tickets/${id}`, { assigned_to: grace.user_id })).status).toBe(200);
  const created = ({ events }: EventReader) => events.find(({ type, subject }) => type === 'ticket.created' && subject === id);
  await eventually(() => expect([creators!, colleagues!].map((reader) => created(reader)?.own)).toEqual([true, false]));
  // The event does not contain the creator.
  expect(JSON.stringify(created(colleagues!))).not.toContain(grace.user_id);
  // The notices of a later ticket exist by now, so those of the first one would exist, too.
  const later = await assigned();
  const noticed = async () => (await grace.browser.get<Notification[]>('/notifications')).data.map(({ ticket_id }) => ticket_id);
  await eventually(async () => expect(await noticed()).toContain(later));
  expect(await noticed()).not.toContain(id);
  expect(await mailbox.find({ to: grace.email, subject: /Reported by phone/ })).toEqual([]);
});

it('notifications require a session', async () => {
  expect(codeOf(await app.browser().get('/notifications'))).toBe('401 session.required');
});
