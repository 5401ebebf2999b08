import { customDomainLapsed, defaultPreferences, saveNotificationPreferences, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { mailbox } from '@tandem/testing';
import { addressOf, NotificationsUnderTest, type Place } from '../../test/notifications';

let house: NotificationsUnderTest;
let place: Place;
beforeAll(async () => (house = await NotificationsUnderTest.start()));
beforeEach(async () => {
  place = await house.aPlace();
});

const lapsed = () =>
  house.announce(systemContext(place.id, newId()), customDomainLapsed, place.id, {
    ...{ domain: 'help.acme.example', missing_since: '2026-11-19T10:00:00.000Z', releases_at: '2026-12-19T10:00:00.000Z' },
    record: { name: '_tandem.help.acme.example', value: 'tandem-verification=abc' },
  });

it('warns admins alone, in the list and by an email with the record and the settings page', async () => {
  await lapsed();
  const mail = await mailbox.waitFor({ to: addressOf(place.admin) });
  expect(mail.subject).toBe('The DNS record of help.acme.example is missing');
  for (const text of ['_tandem.help.acme.example', 'tandem-verification=abc', 'since Nov 19, 2026', 'until Dec 19, 2026'])
    expect(mail.text).toContain(text);
  expect(mail.links).toContain('http://localhost:3000/settings?tab=branding');
  await house.allIsConsumed();
  expect(await house.notices(place)).toEqual([
    expect.objectContaining({
      user_id: place.admin,
      kind: 'custom_domain_lapsed',
      ticket_id: null,
      subject: expect.stringContaining('help.acme.example'),
    }),
  ]);
  expect((await house.emails(place)).map(({ to_address }) => to_address)).toEqual([addressOf(place.admin)]);
});

it('goes the ways that the admin chose', async () => {
  const custom_domain = { in_app: true, mail: false };
  await house.call(saveNotificationPreferences, house.as(place, 'admin'), { body: { ...defaultPreferences, custom_domain } });
  await lapsed();
  await house.allIsConsumed();
  expect([(await house.notices(place)).length, await house.emails(place)]).toEqual([1, []]);
});
