import {
  defaultPreferences,
  readNotificationPreferences,
  saveNotificationPreferences,
  type NotificationPreferences,
} from '@tandem/contracts';
import { aToken, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => (organization = await notifications.anOrganization()));

const read = async (who: 'agent' | 'other' = 'agent', where = organization) =>
  (await notifications.call<NotificationPreferences>(readNotificationPreferences, notifications.as(where, who))).data;
const save = (body: unknown) =>
  notifications.call<NotificationPreferences>(saveNotificationPreferences, notifications.as(organization, 'agent'), { body });
const quiet: NotificationPreferences = {
  ...defaultPreferences,
  customer_replied: { in_app: true, mail: false },
  sla: { in_app: false, mail: false },
};

it('is every topic through both channels by default', async () => expect(await read()).toEqual(defaultPreferences));

it('returns the last saved choice', async () => {
  expect(await save({ ...defaultPreferences, mention: { in_app: false, mail: false } })).toMatchObject({ status: 200 });
  expect((await save(quiet)).data).toEqual(quiet);
  expect(await read()).toEqual(quiet);
});

it('applies to one member in one organization only', async () => {
  await save(quiet);
  expect(await read('other')).toEqual(defaultPreferences);
  const elsewhere = { ...(await notifications.anOrganization()), agent: organization.agent };
  expect(await read('agent', elsewhere)).toEqual(defaultPreferences);
});

it.each([
  ['sla', { ...defaultPreferences, sla: undefined }],
  ['mention.mail', { ...defaultPreferences, mention: { in_app: true, mail: 'yes' } }],
  ['gossip', { ...defaultPreferences, gossip: { in_app: true, mail: true } }],
])('refuses %s that does not fit, and changes nothing', async (path, body) => {
  await save(quiet);
  const { status, data } = await save(body);
  expect(status).toBe(422);
  expect(data.errors?.[0]?.path).toContain(path);
  expect(await read()).toEqual(quiet);
});

it('an API token has no preferences', async () => {
  for (const [op, body] of [[readNotificationPreferences], [saveNotificationPreferences, quiet]] as const) {
    const { status, data } = await notifications.call(op, aToken(organization), { body });
    expect({ status, code: data.code }).toEqual({ status: 403, code: 'token.not_allowed' });
  }
});
