import { apiTokenChanged, type ApiToken, type DataOf } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { mailbox } from '@tandem/testing';
import { addressOf, envelopeOf, memberOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { saveMember } from '../member/member.store';
import { ApiTokenEmails } from './api-token-emails';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => (organization = await notifications.anOrganization()));

const aToken = (overrides: Partial<ApiToken> = {}): ApiToken => ({
  id: newId(),
  organization_id: organization.id,
  name: 'Billing import',
  last_four: 'x7Qd',
  is_active: true,
  networks: [],
  permissions: ['tickets:read', 'webhooks:manage'],
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  previous_valid_until: null,
  created_by: organization.admin,
  creator_name: 'Ada Lovelace',
  creator_is_active: true,
  created_at: '2026-11-23T10:00:00.000Z',
  ...overrides,
});
const announce = (what: DataOf<typeof apiTokenChanged>['what'], token = aToken()) =>
  notifications.announce(notifications.as(organization, 'admin'), apiTokenChanged, token.id, { what, token, changes: {} });

it('informs admins who created a token, when, and with which permissions, with a link to the settings', async () => {
  await announce('created', aToken({ networks: ['203.0.113.0/24', '2001:db8::/32'], expires_at: '2027-02-21T10:00:00.000Z' }));
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('New API token: Billing import');
  for (const text of [
    'Ada Lovelace created the API token “Billing import”',
    'on Nov 23, 2026, 10:00 AM UTC',
    'Permissions: Read tickets, Manage webhooks',
    'Networks: 203.0.113.0/24, 2001:db8::/32',
    'Expires: Feb 21, 2027, 10:00 AM UTC',
  ])
    expect(mail.text.replace(/\s+/g, ' ')).toContain(text);
  expect(mail.links).toContain('http://localhost:3000/settings?tab=api');
  await notifications.allIsConsumed();
  expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.admin)]);
});

it('states that a token is valid for all networks and never expires, and puts a hostile name on one line', async () => {
  await announce('created', aToken({ name: 'x\r\nBcc: everybody@example.com', creator_name: '<b>Ada</b>' }));
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('New API token: x Bcc: everybody@example.com');
  expect(mail.text).toContain('Networks: all');
  expect(mail.text).toContain('Expires: never');
  expect(mail.html).toContain('&lt;b&gt;Ada&lt;/b&gt;');
});

it('is sent once if the event is delivered again, even after its inbox row was deleted', async () => {
  const token = aToken();
  const ctx = notifications.as(organization, 'admin');
  const envelope = envelopeOf(ctx);
  const deliver = () =>
    notifications.db.forTenant(ctx, (tx) =>
      notifications.service.app.get(ApiTokenEmails).onApiTokenChanged(ctx, { what: 'created', token, changes: {} }, tx, envelope),
    );
  await deliver();
  await deliver();
  expect(await notifications.emails(organization)).toHaveLength(1);
});

it('is not sent for other changes, nor to deactivated admins', async () => {
  const token = aToken();
  for (const what of ['updated', 'rotated', 'deleted'] as const) await announce(what, token);
  await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
    saveMember(tx, memberOf(organization.id, organization.admin, { role: 'admin', is_active: false }), 2),
  );
  await announce('created', token);
  await notifications.allIsConsumed();
  expect(await notifications.emails(organization)).toEqual([]);
});
