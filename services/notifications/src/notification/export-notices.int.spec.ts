import { exportChanged, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { mailbox } from '@tandem/testing';
import { addressOf, NotificationsUnderTest } from '../../test/notifications';

let notifications: NotificationsUnderTest;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));

it('notifies only the admin who requested the export, with a link to the settings and none to the archive', async () => {
  const organization = await notifications.anOrganization();
  const announce = (what: 'created' | 'finished' | 'deleted', created_by: string | null) =>
    notifications.announce(systemContext(organization.id, newId()), exportChanged, newId(), {
      what,
      has_files: true,
      reason: null,
      created_by,
      is_of_customer: false,
    });
  await announce('created', null);
  await announce('finished', null);
  await announce('finished', organization.agent);
  await announce('finished', organization.admin);
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('Your export is ready');
  expect(mail.links).toContain('http://localhost:3000/settings?tab=export');
  expect(mail.links.filter((link) => link.includes('export-files'))).toEqual([]);
  await notifications.allIsConsumed();
  expect(await notifications.notices(organization)).toMatchObject([{ user_id: organization.admin, kind: 'export_ready', ticket_id: null }]);
  expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.admin)]);
});
