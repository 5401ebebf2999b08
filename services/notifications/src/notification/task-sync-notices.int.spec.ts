import {
  Comment,
  countUnreadNotifications,
  defaultPreferences,
  listNotifications,
  readNotifications,
  saveNotificationPreferences,
  systemContext,
  taskSyncFailed,
  ticketCreated,
  ticketCommentAdded,
  type DataOf,
  type Notification,
  type Unread,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually, mailbox } from '@tandem/testing';
import { sql } from 'kysely';
import { addressOf, memberOf, NotificationsUnderTest, type Place } from '../../test/notifications';
import { keepMember } from '../member/member.store';

let house: NotificationsUnderTest;
let place: Place;
beforeAll(async () => (house = await NotificationsUnderTest.start()));
beforeEach(async () => {
  place = await house.aPlace();
});

const message = 'ClickUp no longer takes the token of Ada. Connect ClickUp again: everything that waits goes on then.';
const failed = (subject: string, overrides: Partial<DataOf<typeof taskSyncFailed>> = {}) =>
  house.announce(systemContext(place.id, newId()), taskSyncFailed, subject, {
    ...{ problem: 'connection_broken', provider: 'clickup', message, integration_id: null, ticket_id: null },
    ...overrides,
  });
const mailsTo = async (user_id: string) => (await house.emails(place)).filter(({ to_address }) => to_address === addressOf(user_id));

it('tells every active admin and nobody else, in the list and by a mail that leads to the integration', async () => {
  const [second, gone] = [newId(), newId()];
  await house.db.forTenant({ organization_id: place.id }, async (tx) => {
    await keepMember(tx, memberOf(place.id, second, { role: 'admin' }), 1);
    await keepMember(tx, memberOf(place.id, gone, { role: 'admin', is_active: false }), 1);
  });
  await failed(newId());
  const mail = await mailbox.waitFor({ to: addressOf(place.admin) });
  expect(mail.subject).toBe('The task tool needs you');
  expect(mail.text).toContain(message);
  expect(mail.links).toEqual(['http://localhost:3000/integration', 'http://localhost:3000/account#notifications']);
  expect(mail.headers['auto-submitted']).toBe('auto-generated');
  await house.allIsConsumed();
  const notices = await house.notices(place);
  expect(notices.map(({ user_id }) => user_id).sort()).toEqual([place.admin, second].sort());
  expect(notices[0]).toMatchObject({ kind: 'task_sync_failed', ticket_id: null, ticket_number: null, subject: message, actor_name: null });
  expect((await house.emails(place)).map(({ to_address }) => to_address).sort()).toEqual(
    [addressOf(place.admin), addressOf(second)].sort(),
  );
});

it('tells of the same problem once in an hour, and of another one, or of another integration, at once', async () => {
  const integration = newId();
  for (let n = 0; n < 4; n += 1) await failed(integration, { message: `Attempt ${n}` });
  await failed(integration, { problem: 'list_gone', integration_id: integration, message: 'The list is gone.' });
  await failed(newId(), { message: 'Another one' });
  await house.allIsConsumed();
  const notices = await house.notices(place);
  const subjects = notices.map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('Attempt'))).toHaveLength(1);
  expect(subjects).toEqual(expect.arrayContaining(['The list is gone.', 'Another one']));
  expect(await mailsTo(place.admin)).toHaveLength(3);
  await house.db.forTenant({ organization_id: place.id }, (tx) =>
    tx
      .updateTable('task_sync_alerts')
      .set({ told_at: sql<string>`now() - interval '61 minutes'` })
      .execute(),
  );
  await failed(integration, { message: 'An hour later' });
  await eventually(async () => expect((await house.notices(place)).map(({ subject }) => subject)).toContain('An hour later'));
});

it('goes the ways that each admin chose', async () => {
  const task_sync = { in_app: false, mail: true };
  await house.call(saveNotificationPreferences, house.as(place, 'admin'), { body: { ...defaultPreferences, task_sync } });
  await failed(newId());
  await house.allIsConsumed();
  expect([await house.notices(place), (await mailsTo(place.admin)).length]).toEqual([[], 1]);
});

it('names the ticket whose changes went round in a circle, where it is known', async () => {
  const ticket = house.ticket(place, { assigned_to: place.agent });
  await house.announce(house.as(place, 'admin'), ticketCreated, ticket.id, { ticket });
  await house.allIsConsumed();
  await failed(newId(), { problem: 'loop', ticket_id: ticket.id });
  await failed(newId(), { problem: 'loop', ticket_id: newId() });
  await house.allIsConsumed();
  const told = (await house.notices(place)).filter(({ kind }) => kind === 'task_sync_failed');
  expect(told.map(({ ticket_number }) => ticket_number).sort()).toEqual(['NC-0042', null].sort());
});

it('is listed, counted and read for itself', async () => {
  await failed(newId());
  await house.allIsConsumed();
  const admin = house.as(place, 'admin');
  const { data } = await house.call<Notification[]>(listNotifications, admin);
  expect(data).toMatchObject([{ kind: 'task_sync_failed', ticket_id: null, subject: message }]);
  expect((await house.call<Unread>(countUnreadNotifications, admin)).data).toEqual({ unread: 1, ticket_ids: [] });
  const read = await house.call<Unread>(readNotifications, admin, { body: { ids: [data[0]!.id] } });
  expect(read.data).toEqual({ unread: 0, ticket_ids: [] });
});

it('rings for no note that comes from a task: neither staff nor the customer hear of it', async () => {
  const ticket = house.ticket(place, { assigned_to: place.agent, watchers: [place.other] });
  const ctx = { ...systemContext(place.id, newId()), actor: { type: 'task-tool' as const } };
  const comment = Comment.parse({
    ...{ id: newId(), ticket_id: ticket.id, content: 'Secret of the workshop', is_internal: true, is_from_customer: false, user_id: null },
    ...{ customer_email: null, author: null, tool_author: { name: 'Bea', tool_name: 'ClickUp' }, created_at: ticket.created_at },
  });
  await house.announce(ctx, ticketCommentAdded, ticket.id, { ticket, comment });
  await house.allIsConsumed();
  expect([await house.notices(place), await house.emails(place)]).toEqual([[], []]);
});
