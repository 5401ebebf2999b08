import { customDomainLapsed, defaultPreferences, saveNotificationPreferences, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { mailbox } from '@tandem/testing';
import { addressOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => {
  organization = await notifications.anOrganization();
});

const lapsed = () =>
  notifications.announce(systemContext(organization.id, newId()), customDomainLapsed, organization.id, {
    domain: 'help.acme.example',
    missing_since: '2026-11-19T10:00:00.000Z',
    releases_at: '2026-12-19T10:00:00.000Z',
    record: { name: '_tandem.help.acme.example', value: 'tandem-verification=abc' },
  });

it('notifies only admins, in the list and by an email with the DNS record and the settings page', async () => {
  await lapsed();
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('The DNS record of help.acme.example is missing');
  for (const text of ['_tandem.help.acme.example', 'tandem-verification=abc', 'since Nov 19, 2026', 'until Dec 19, 2026'])
    expect(mail.text).toContain(text);
  expect(mail.links).toContain('http://localhost:3000/settings?tab=branding');
  await notifications.allIsConsumed();
  expect(await notifications.notices(organization)).toEqual([
    expect.objectContaining({
      user_id: organization.admin,
      kind: 'custom_domain_lapsed',
      ticket_id: null,
      subject: expect.stringContaining('help.acme.example'),
    }),
  ]);
  expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.admin)]);
});

it('uses the channels that the admin chose', async () => {
  const custom_domain = { in_app: true, mail: false };
  await notifications.call(saveNotificationPreferences, notifications.as(organization, 'admin'), {
    body: { ...defaultPreferences, custom_domain },
  });
  await lapsed();
  await notifications.allIsConsumed();
  expect([(await notifications.notices(organization)).length, await notifications.emails(organization)]).toEqual([1, []]);
});
