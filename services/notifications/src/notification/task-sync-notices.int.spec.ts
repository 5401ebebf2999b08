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
import { addressOf, memberOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { saveMember } from '../member/member.store';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => {
  organization = await notifications.anOrganization();
});

const message = 'ClickUp no longer accepts the token of Ada. Connect ClickUp again: waiting changes are then sent.';
const failed = (subject: string, overrides: Partial<DataOf<typeof taskSyncFailed>> = {}) =>
  notifications.announce(systemContext(organization.id, newId()), taskSyncFailed, subject, {
    problem: 'connection_broken',
    provider: 'clickup',
    message,
    integration_id: null,
    ticket_id: null,
    ...overrides,
  });
const mailsTo = async (user_id: string) =>
  (await notifications.emails(organization)).filter(({ to_address }) => to_address === addressOf(user_id));

it('notifies only active admins, in the list and by an email that links to the integration', async () => {
  const [second, gone] = [newId(), newId()];
  await notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await saveMember(tx, memberOf(organization.id, second, { role: 'admin' }), 1);
    await saveMember(tx, memberOf(organization.id, gone, { role: 'admin', is_active: false }), 1);
  });
  await failed(newId());
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('Your integration needs attention');
  expect(mail.text).toContain(message);
  expect(mail.links).toEqual(['http://localhost:3000/integration', 'http://localhost:3000/account#notifications']);
  expect(mail.headers['auto-submitted']).toBe('auto-generated');
  await notifications.allIsConsumed();
  const notices = await notifications.notices(organization);
  expect(notices.map(({ user_id }) => user_id).sort()).toEqual([organization.admin, second].sort());
  expect(notices[0]).toMatchObject({ kind: 'task_sync_failed', ticket_id: null, ticket_number: null, subject: message, actor_name: null });
  expect((await notifications.emails(organization)).map(({ to_address }) => to_address).sort()).toEqual(
    [addressOf(organization.admin), addressOf(second)].sort(),
  );
});

it('reports the same problem once per hour, and another problem or integration immediately', async () => {
  const integration = newId();
  for (let n = 0; n < 4; n += 1) await failed(integration, { message: `Attempt ${n}` });
  await failed(integration, { problem: 'list_gone', integration_id: integration, message: 'The list is gone.' });
  await failed(newId(), { message: 'Another one' });
  await notifications.allIsConsumed();
  const notices = await notifications.notices(organization);
  const subjects = notices.map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('Attempt'))).toHaveLength(1);
  expect(subjects).toEqual(expect.arrayContaining(['The list is gone.', 'Another one']));
  expect(await mailsTo(organization.admin)).toHaveLength(3);
  await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('task_sync_alerts')
      .set({ notified_at: sql<string>`now() - interval '61 minutes'` })
      .execute(),
  );
  await failed(integration, { message: 'An hour later' });
  await eventually(async () =>
    expect((await notifications.notices(organization)).map(({ subject }) => subject)).toContain('An hour later'),
  );
});

it('uses the channels that each admin chose', async () => {
  const task_sync = { in_app: false, mail: true };
  await notifications.call(saveNotificationPreferences, notifications.as(organization, 'admin'), {
    body: { ...defaultPreferences, task_sync },
  });
  await failed(newId());
  await notifications.allIsConsumed();
  expect([await notifications.notices(organization), (await mailsTo(organization.admin)).length]).toEqual([[], 1]);
});

it('contains the ticket of a sync loop if it is known', async () => {
  const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
  await notifications.announce(notifications.as(organization, 'admin'), ticketCreated, ticket.id, { ticket });
  await notifications.allIsConsumed();
  await failed(newId(), { problem: 'loop', ticket_id: ticket.id });
  await failed(newId(), { problem: 'loop', ticket_id: newId() });
  await notifications.allIsConsumed();
  const notices = (await notifications.notices(organization)).filter(({ kind }) => kind === 'task_sync_failed');
  expect(notices.map(({ ticket_number }) => ticket_number).sort()).toEqual(['NC-0042', null].sort());
});

it('is listed, counted and marked as read separately', async () => {
  await failed(newId());
  await notifications.allIsConsumed();
  const admin = notifications.as(organization, 'admin');
  const { data } = await notifications.call<Notification[]>(listNotifications, admin);
  expect(data).toMatchObject([{ kind: 'task_sync_failed', ticket_id: null, subject: message }]);
  expect((await notifications.call<Unread>(countUnreadNotifications, admin)).data).toEqual({ unread: 1, ticket_ids: [] });
  const read = await notifications.call<Unread>(readNotifications, admin, { body: { ids: [data[0]!.id] } });
  expect(read.data).toEqual({ unread: 0, ticket_ids: [] });
});

it('notifies neither staff nor the customer of a note from a task', async () => {
  const ticket = notifications.ticket(organization, { assigned_to: organization.agent, watchers: [organization.other] });
  const ctx = { ...systemContext(organization.id, newId()), actor: { type: 'task-tool' as const } };
  const comment = Comment.parse({
    id: newId(),
    ticket_id: ticket.id,
    content: 'Secret of the workshop',
    is_internal: true,
    is_from_customer: false,
    user_id: null,
    customer_email: null,
    author: null,
    tool_author: { name: 'Bea', tool_name: 'ClickUp' },
    created_at: ticket.created_at,
  });
  await notifications.announce(ctx, ticketCommentAdded, ticket.id, { ticket, comment });
  await notifications.allIsConsumed();
  expect([await notifications.notices(organization), await notifications.emails(organization)]).toEqual([[], []]);
});
