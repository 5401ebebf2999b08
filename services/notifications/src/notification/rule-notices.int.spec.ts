import { ruleNeedsAttention, systemContext, type DataOf } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { mailbox } from '@tandem/testing';
import { addressOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => {
  organization = await notifications.anOrganization();
});

const rule = { id: newId(), name: 'Refunds to Ada' };
const ticket = { id: newId(), ticket_number: 'NORTH-0001' };
const announce = (data: DataOf<typeof ruleNeedsAttention>) =>
  notifications.announce(systemContext(organization.id, newId()), ruleNeedsAttention, rule.id, data);

it('notifies only admins of a rule that was turned off, with the reason and the page of the rules', async () => {
  await announce({ problem: 'disabled', rule, disabled_reason: { code: 'member_inactive', detail: 'Ada Lovelace' }, ticket });
  const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
  expect(mail.subject).toBe('A rule was turned off');
  expect(mail.text).toContain('The rule “Refunds to Ada” was turned off: Ada Lovelace is no longer an active member.');
  expect(mail.links).toContain('http://localhost:3000/settings?tab=rules');
  await notifications.allIsConsumed();
  expect(await notifications.notices(organization)).toMatchObject([
    { user_id: organization.admin, kind: 'rule_failing', ticket_id: null, subject: expect.stringContaining('Ada Lovelace') },
  ]);
  expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.admin)]);
});

it('names the ticket of a rule that was cut off, and of paused rules', async () => {
  await announce({ problem: 'cut_off', rule, disabled_reason: null, ticket });
  await announce({ problem: 'ticket_paused', rule, disabled_reason: null, ticket });
  await notifications.allIsConsumed();
  expect((await notifications.notices(organization)).map(({ subject }) => subject).sort()).toEqual([
    expect.stringMatching(/^More than 50 actions followed one change of NORTH-0001\./),
    expect.stringMatching(/^Rules took more than 200 actions on NORTH-0001 within an hour/),
  ]);
});
