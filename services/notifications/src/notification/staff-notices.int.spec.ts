import {
  memberUpdated,
  notificationCreated,
  saveNotificationPreferences,
  systemContext,
  ticketAssigned,
  ticketCommentAdded,
  ticketEscalated,
  ticketSlaBreached,
  ticketSlaWarning,
  ticketWoken,
  defaultPreferences,
  type Comment,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { commentOf, eventually, mailbox } from '@tandem/testing';
import { sql } from 'kysely';
import { addressOf, envelopeOf, memberOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { StaffNotices } from './staff-notices';

let notifications: NotificationsUnderTest;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));

const assign = async (ctx: Context, organization: TestOrganization, assigned_to: string) => {
  const ticket = notifications.ticket(organization, { assigned_to });
  await notifications.announce(ctx, ticketAssigned, ticket.id, { ticket, from: null });
  return ticket;
};
const comment = (
  ctx: Context,
  organization: TestOrganization,
  what: Partial<Comment>,
  ticketIs: Parameters<typeof notifications.ticket>[1] = {},
) => {
  const ticket = notifications.ticket(organization, ticketIs);
  return notifications.announce(ctx, ticketCommentAdded, ticket.id, {
    ticket,
    comment: commentOf(ticket.id, { content: 'The safe word is “xylophone”.', user_id: null, ...what }),
  });
};
const expectNotices = (organization: TestOrganization, expected: string[]) =>
  eventually(async () => expect(await notifications.sentNotices(organization)).toEqual(expected));
/** Asserts that earlier events caused exactly the notices in `before`, and that a later assignment still notifies. */
async function expectOnlyNotices(organization: TestOrganization, before: string[]) {
  await assign(notifications.as(organization, 'admin'), organization, organization.other);
  await notifications.allIsConsumed();
  expect(await notifications.sentNotices(organization)).toEqual([...before, 'other assigned'].sort());
}

describe('an assignment', () => {
  it('notifies the assignee once in the list and by email, with actor and link', async () => {
    const organization = await notifications.anOrganization();
    const ticket = await assign(notifications.as(organization, 'admin'), organization, organization.agent);
    const mail = await mailbox.waitFor({ to: addressOf(organization.agent) });
    expect(mail.subject).toBe('NC-0042 is assigned to you: Wrong grind');
    expect(mail.text).toContain('Ada admin has assigned this ticket to you.');
    expect(mail.links).toEqual([`http://localhost:3000/tickets/${ticket.id}`, 'http://localhost:3000/account#notifications']);
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    expect(await notifications.notices(organization)).toMatchObject([
      {
        user_id: organization.agent,
        kind: 'assigned',
        ticket_id: ticket.id,
        ticket_number: 'NC-0042',
        actor_name: 'Ada admin',
        read_at: null,
      },
    ]);
    await eventually(async () =>
      expect(await notifications.emails(organization)).toMatchObject([{ kind: 'staff_assigned', state: 'sent', ticket_id: ticket.id }]),
    );
    expect(await mailbox.find({ to: addressOf(organization.agent) })).toHaveLength(1);
  });

  it('to oneself or of an imported ticket notifies no one', async () => {
    const organization = await notifications.anOrganization();
    await assign(notifications.as(organization, 'agent'), organization, organization.agent);
    await assign(systemContext(organization.id, 'demo'), organization, organization.agent);
    await expectOnlyNotices(organization, []);
    expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.other)]);
  });

  it('by automatic assignment notifies the new assignee', async () => {
    const organization = await notifications.anOrganization();
    await assign(systemContext(organization.id, newId()), organization, organization.agent);
    await expectNotices(organization, ['agent assigned']);
    expect(await notifications.notices(organization)).toMatchObject([{ actor_name: null }]);
  });

  it('updates the count in open browsers of the assignee', async () => {
    const organization = await notifications.anOrganization();
    await assign(notifications.as(organization, 'admin'), organization, organization.agent);
    await expectNotices(organization, ['agent assigned']);
    const events = await notifications.db.asSystem('test', (tx) =>
      tx.selectFrom('outbox').select(['type', 'organization_id']).where('subject', '=', organization.agent).execute(),
    );
    expect(events).toEqual([{ type: notificationCreated.type, organization_id: organization.id }]);
  });
});

describe('a comment', () => {
  it('with a mention sends the note to the mentioned colleague only', async () => {
    const organization = await notifications.anOrganization();
    await comment(
      notifications.as(organization, 'agent'),
      organization,
      { user_id: organization.agent, is_internal: true, mentions: [organization.manager, organization.agent] },
      { assigned_to: organization.agent, watchers: [organization.other] },
    );
    await expectNotices(organization, ['manager mention']);
    const mail = await mailbox.waitFor({ to: addressOf(organization.manager) });
    expect(mail.subject).toBe('You are mentioned in NC-0042: Wrong grind');
    expect(mail.text).toContain('Ada agent mentioned you');
    expect(mail.text).toContain('Internal note:\n\n> Wrong grind\n>\n> The safe word is “xylophone”.');
    expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.manager)]);
  });

  it('by a customer notifies assignee and watchers, and escapes markup in their name', async () => {
    const organization = await notifications.anOrganization();
    const from = { is_from_customer: true, customer_email: 'carla@example.com' };
    const customer: Context = { organization_id: organization.id, actor: { type: 'customer' }, request_id: newId() };
    await comment(customer, organization, from, {
      assigned_to: organization.agent,
      watchers: [organization.other],
      customer_name: '<b>Carla</b>',
    });
    await expectNotices(organization, ['agent customer_replied', 'other customer_replied']);
    const mail = await mailbox.waitFor({ to: addressOf(organization.other) });
    expect(mail.text).toContain('<b>Carla</b> has replied to this ticket.');
    expect(mail.html).toContain('&lt;b&gt;Carla&lt;/b&gt;');
    expect(mail.text).toContain('> The safe word is “xylophone”.');
  });
});

describe('SLA events', () => {
  it('notify their recipients of a warning, a breach and an escalation', async () => {
    const organization = await notifications.anOrganization();
    const ctx = systemContext(organization.id, 'sweep-sla');
    const mine = notifications.ticket(organization, { assigned_to: organization.agent });
    const due = {
      clock: 'resolution',
      due_at: '2026-11-27T10:00:00.000Z',
      time_zone: 'America/New_York',
      counts_working_time: true,
    } as const;
    await notifications.announce(ctx, ticketSlaWarning, mine.id, { ticket: mine, ...due });
    await expectNotices(organization, ['agent sla_warning']);
    const unassigned = notifications.ticket(organization);
    await notifications.announce(ctx, ticketSlaBreached, unassigned.id, { ticket: unassigned, ...due });
    await expectNotices(organization, ['admin sla_breached', 'agent sla_warning', 'manager sla_breached']);
    await notifications.announce(ctx, ticketEscalated, mine.id, { ticket: mine });
    await eventually(async () => expect(await notifications.sentNotices(organization)).toHaveLength(6));
    expect((await notifications.sentNotices(organization)).filter((line) => line.endsWith('escalated'))).toEqual([
      'admin escalated',
      'agent escalated',
      'manager escalated',
    ]);
    const mail = await mailbox.waitFor({ to: addressOf(organization.agent), subject: /is due soon/ });
    expect(mail.text).toContain('The resolution of this ticket is due Nov 27, 2026, 5:00 AM EST, counted in business hours.');
    expect((await mailbox.waitFor({ to: addressOf(organization.admin), subject: /escalated/ })).subject).toBe(
      'NC-0042 has been escalated: Wrong grind',
    );
  });
});

describe('a ticket whose snooze ends', () => {
  it('notifies its assignee when the time has come, but not when the customer replied or a user ended it', async () => {
    const organization = await notifications.anOrganization();
    const mine = notifications.ticket(organization, { assigned_to: organization.agent, watchers: [organization.other] });
    const customer = { ...systemContext(organization.id, 'test'), actor: { type: 'customer' as const } };
    for (const ctx of [customer, notifications.as(organization, 'admin')])
      await notifications.announce(ctx, ticketWoken, mine.id, { ticket: mine });
    const system = systemContext(organization.id, 'snooze');
    await notifications.announce(system, ticketWoken, mine.id, { ticket: notifications.ticket(organization) });
    await notifications.announce(system, ticketWoken, mine.id, { ticket: mine });
    await expectNotices(organization, ['agent snooze_ended']);
    const mail = await mailbox.waitFor({ to: addressOf(organization.agent), subject: /snooze/ });
    expect(mail.subject).toBe('NC-0042 is back from snooze: Wrong grind');
  });
});

describe('the recipient of a notification', () => {
  it('is not a deactivated member, in any order of identity’s events', async () => {
    const organization = await notifications.anOrganization();
    const admin = notifications.as(organization, 'admin');
    await notifications.announce(admin, memberUpdated, organization.agent, {
      member: memberOf(organization.id, organization.agent, { is_active: true }),
    });
    await notifications.announce(admin, memberUpdated, organization.agent, {
      member: memberOf(organization.id, organization.agent, { is_active: false }),
    });
    const isActive = () =>
      notifications.db.forTenant(admin, (tx) =>
        tx.selectFrom('members').select('is_active').where('user_id', '=', organization.agent).executeTakeFirstOrThrow(),
      );
    await eventually(async () => expect(await isActive()).toEqual({ is_active: false }));
    await assign(admin, organization, organization.agent);
    await expectOnlyNotices(organization, []);
    expect((await notifications.emails(organization)).map(({ to_address }) => to_address)).toEqual([addressOf(organization.other)]);
  });

  it('may be a member whose event arrives later', async () => {
    const organization = await notifications.anOrganization();
    const admin = notifications.as(organization, 'admin');
    const newcomer = newId();
    await assign(admin, organization, newcomer);
    await assign(admin, organization, organization.other);
    await expectNotices(organization, ['other assigned']);
    await notifications.announce(admin, memberUpdated, newcomer, { member: memberOf(organization.id, newcomer) });
    await expectNotices(organization, [`${newcomer} assigned`, 'other assigned'].sort());
  });

  it('is notified through the channels they chose', async () => {
    const organization = await notifications.anOrganization();
    for (const who of ['agent', 'other', 'manager'] as const) {
      const body = { ...defaultPreferences, mention: { in_app: who === 'other', mail: who === 'manager' } };
      expect((await notifications.call(saveNotificationPreferences, notifications.as(organization, who), { body })).status).toBe(200);
    }
    await comment(notifications.as(organization, 'admin'), organization, {
      user_id: organization.admin,
      mentions: [organization.agent, organization.other, organization.manager],
    });
    await expectNotices(organization, ['other mention']);
    const toStaff = (await notifications.emails(organization)).filter(({ kind }) => kind.startsWith('staff_'));
    expect(toStaff.map(({ to_address }) => to_address)).toEqual([addressOf(organization.manager)]);
  });

  it('is never a member of another organization, even if assigned to the ticket', async () => {
    const [organization, stranger] = [await notifications.anOrganization(), await notifications.anOrganization()];
    const ticket = notifications.ticket(organization, { assigned_to: stranger.agent });
    // Later than the minute in which a member's event may still arrive.
    const cause = envelopeOf(notifications.as(organization, 'admin'), { time: '2026-11-20T10:00:00.000Z' });
    await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
      notifications.service.app.get(StaffNotices).onAssigned(systemContext(organization.id, 'test'), { ticket, from: null }, tx, cause),
    );
    expect(await notifications.notices(organization)).toEqual([]);
    expect(await notifications.notices(stranger)).toEqual([]);
    expect(await notifications.emails(organization)).toEqual([]);
  });
});

describe('one notification and one email', () => {
  it('are created if an event is delivered again, even after its inbox row was deleted', async () => {
    const organization = await notifications.anOrganization();
    const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
    const cause = envelopeOf(notifications.as(organization, 'admin'));
    const deliver = () =>
      notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
        notifications.service.app.get(StaffNotices).onAssigned(systemContext(organization.id, 'test'), { ticket, from: null }, tx, cause),
      );
    await Promise.all([deliver(), deliver()]);
    await deliver();
    expect(await notifications.sentNotices(organization)).toEqual(['agent assigned']);
    expect(await notifications.emails(organization)).toHaveLength(1);
  });

  it('are created if the consumer lost its database while processing', async () => {
    const organization = await notifications.anOrganization();
    const admin = notifications.as(organization, 'admin');
    const stop = new Error('rolled back');
    await expect(
      notifications.db.forTenant(admin, async (tx) => {
        // Locks the row that numbers the assignee's events: the consumer waits for it with its commit, after writing its notice, and is killed there.
        await sql`insert into event_sequences (subject, last) values (${organization.agent}, 1)
          on conflict (subject) do update set last = event_sequences.last + 1`.execute(tx);
        await assign(admin, organization, organization.agent);
        await eventually(async () => {
          const { rows } = await notifications.db.asSystem('test', (other) =>
            sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%event_sequences%'`.execute(other),
          );
          expect(rows).toHaveLength(1);
        });
        throw stop;
      }),
    ).rejects.toBe(stop);
    await expectNotices(organization, ['agent assigned']);
    await mailbox.waitFor({ to: addressOf(organization.agent) });
    await expectOnlyNotices(organization, ['agent assigned']);
    expect(await mailbox.find({ to: addressOf(organization.agent) })).toHaveLength(1);
    expect(
      (await notifications.emails(organization)).filter(({ to_address }) => to_address === addressOf(organization.agent)),
    ).toHaveLength(1);
  });
});
