import {
  Comment,
  memberUpdated,
  notificationCreated,
  saveNotificationPreferences,
  systemContext,
  ticketAssigned,
  ticketCommentAdded,
  ticketEscalated,
  ticketSlaBreached,
  ticketSlaWarning,
  defaultPreferences,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually, mailbox } from '@tandem/testing';
import { sql } from 'kysely';
import { addressOf, envelopeOf, memberOf, NotificationsUnderTest, type Place } from '../../test/notifications';
import { StaffNotices } from './staff-notices';

let house: NotificationsUnderTest;
beforeAll(async () => (house = await NotificationsUnderTest.start()));

const commentOf = (ticket_id: string, overrides: Partial<Comment> = {}): Comment => ({
  ...Comment.parse({
    ...{ id: newId(), ticket_id, content: 'The safe word is “xylophone”.', is_internal: false, is_from_customer: false },
    ...{ user_id: null, customer_email: null, author: null, created_at: '2026-11-20T10:00:00.000Z' },
  }),
  ...overrides,
});
const assign = async (ctx: Context, place: Place, assigned_to: string) => {
  const ticket = house.ticket(place, { assigned_to });
  await house.announce(ctx, ticketAssigned, ticket.id, { ticket, from: null });
  return ticket;
};
const comment = (ctx: Context, place: Place, what: Partial<Comment>, ticketIs: Parameters<typeof house.ticket>[1] = {}) => {
  const ticket = house.ticket(place, ticketIs);
  return house.announce(ctx, ticketCommentAdded, ticket.id, { ticket, comment: commentOf(ticket.id, what) });
};
const toldOf = (place: Place, expected: string[]) => eventually(async () => expect(await house.told(place)).toEqual(expected));
/** Asserts that earlier events caused exactly the notices in `before`, and that a later assignment still notifies. */
async function settled(place: Place, before: string[]) {
  await assign(house.as(place, 'admin'), place, place.other);
  await house.allIsConsumed();
  expect(await house.told(place)).toEqual([...before, 'other assigned'].sort());
}

describe('an assignment', () => {
  it('is in the assignee’s list and mailbox, once, with who did it and where it is', async () => {
    const place = await house.aPlace();
    const ticket = await assign(house.as(place, 'admin'), place, place.agent);
    const mail = await mailbox.waitFor({ to: addressOf(place.agent) });
    expect(mail.subject).toBe('NC-0042 is assigned to you: Wrong grind');
    expect(mail.text).toContain('Ada admin has assigned this ticket to you.');
    expect(mail.links).toEqual([`http://localhost:3000/tickets/${ticket.id}`, 'http://localhost:3000/account#notifications']);
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    expect(await house.notices(place)).toMatchObject([
      { user_id: place.agent, kind: 'assigned', ticket_id: ticket.id, ticket_number: 'NC-0042', actor_name: 'Ada admin', read_at: null },
    ]);
    await eventually(async () =>
      expect(await house.emails(place)).toMatchObject([{ kind: 'staff_assigned', state: 'sent', ticket_id: ticket.id }]),
    );
    expect(await mailbox.find({ to: addressOf(place.agent) })).toHaveLength(1);
  });

  it('of a ticket to oneself is no news, and of one that is brought in neither', async () => {
    const place = await house.aPlace();
    await assign(house.as(place, 'agent'), place, place.agent);
    await assign(systemContext(place.id, 'demo'), place, place.agent);
    await settled(place, []);
    expect((await house.emails(place)).map(({ to_address }) => to_address)).toEqual([addressOf(place.other)]);
  });

  it('by the house itself is told: round robin acts as the system', async () => {
    const place = await house.aPlace();
    await assign(systemContext(place.id, newId()), place, place.agent);
    await toldOf(place, ['agent assigned']);
    expect(await house.notices(place)).toMatchObject([{ actor_name: null }]);
  });

  it('tells open browsers of the assignee to count again', async () => {
    const place = await house.aPlace();
    await assign(house.as(place, 'admin'), place, place.agent);
    await toldOf(place, ['agent assigned']);
    const events = await house.db.asSystem('test', (tx) =>
      tx.selectFrom('outbox').select(['type', 'organization_id']).where('subject', '=', place.agent).execute(),
    );
    expect(events).toEqual([{ type: notificationCreated.type, organization_id: place.id }]);
  });
});

describe('a comment', () => {
  it('tells the mentioned, and no word of an internal note leaves the house', async () => {
    const place = await house.aPlace();
    await comment(
      house.as(place, 'agent'),
      place,
      { user_id: place.agent, is_internal: true, mentions: [place.manager, place.agent] },
      { assigned_to: place.agent, watchers: [place.other] },
    );
    await toldOf(place, ['manager mention']);
    const mail = await mailbox.waitFor({ to: addressOf(place.manager) });
    expect(mail.subject).toBe('You are mentioned in NC-0042: Wrong grind');
    expect(mail.text).toContain('Ada agent has mentioned you');
    expect(mail.text + mail.html + JSON.stringify(await house.emails(place))).not.toContain('xylophone');
  });

  it('of a customer tells assignee and watchers, and what is markup in their name stays text', async () => {
    const place = await house.aPlace();
    const from = { is_from_customer: true, customer_email: 'carla@example.com' };
    const customer: Context = { organization_id: place.id, actor: { type: 'customer' }, request_id: newId() };
    await comment(customer, place, from, { assigned_to: place.agent, watchers: [place.other], customer_name: '<b>Carla</b>' });
    await toldOf(place, ['agent customer_replied', 'other customer_replied']);
    const mail = await mailbox.waitFor({ to: addressOf(place.other) });
    expect(mail.text).toContain('<b>Carla</b> has replied to this ticket.');
    expect(mail.html).toContain('&lt;b&gt;Carla&lt;/b&gt;');
    expect(mail.text + mail.html).not.toContain('xylophone');
  });
});

describe('the clocks', () => {
  it('tell of a warning, a breach and an escalation those whom it concerns', async () => {
    const place = await house.aPlace();
    const ctx = systemContext(place.id, 'sweep-sla');
    const mine = house.ticket(place, { assigned_to: place.agent });
    const due = {
      clock: 'resolution',
      due_at: '2026-11-27T10:00:00.000Z',
      time_zone: 'America/New_York',
      counts_working_time: true,
    } as const;
    await house.announce(ctx, ticketSlaWarning, mine.id, { ticket: mine, ...due });
    await toldOf(place, ['agent sla_warning']);
    const nobodys = house.ticket(place);
    await house.announce(ctx, ticketSlaBreached, nobodys.id, { ticket: nobodys, ...due });
    await toldOf(place, ['admin sla_breached', 'agent sla_warning', 'manager sla_breached']);
    await house.announce(ctx, ticketEscalated, mine.id, { ticket: mine });
    await eventually(async () => expect(await house.told(place)).toHaveLength(6));
    expect((await house.told(place)).filter((line) => line.endsWith('escalated'))).toEqual([
      'admin escalated',
      'agent escalated',
      'manager escalated',
    ]);
    const mail = await mailbox.waitFor({ to: addressOf(place.agent), subject: /is due soon/ });
    expect(mail.text).toContain('The resolution of this ticket is due Nov 27, 2026, 5:00 AM EST, counted in working time.');
    expect((await mailbox.waitFor({ to: addressOf(place.admin), subject: /escalated/ })).subject).toBe(
      'NC-0042 has been escalated: Wrong grind',
    );
  });
});

describe('who is told', () => {
  it('is nobody who was deactivated, in whatever order identity’s events arrive', async () => {
    const place = await house.aPlace();
    const admin = house.as(place, 'admin');
    await house.announce(admin, memberUpdated, place.agent, { member: memberOf(place.id, place.agent, { is_active: true }) });
    await house.announce(admin, memberUpdated, place.agent, { member: memberOf(place.id, place.agent, { is_active: false }) });
    const isActive = () =>
      house.db.forTenant(admin, (tx) =>
        tx.selectFrom('members').select('is_active').where('user_id', '=', place.agent).executeTakeFirstOrThrow(),
      );
    await eventually(async () => expect(await isActive()).toEqual({ is_active: false }));
    await assign(admin, place, place.agent);
    await settled(place, []);
    expect((await house.emails(place)).map(({ to_address }) => to_address)).toEqual([addressOf(place.other)]);
  });

  it('is also somebody of whom we hear only after the event', async () => {
    const place = await house.aPlace();
    const admin = house.as(place, 'admin');
    const newcomer = newId();
    await assign(admin, place, newcomer);
    await assign(admin, place, place.other);
    await toldOf(place, ['other assigned']);
    await house.announce(admin, memberUpdated, newcomer, { member: memberOf(place.id, newcomer) });
    await toldOf(place, [`${newcomer} assigned`, 'other assigned'].sort());
  });

  it('is told in the ways they chose', async () => {
    const place = await house.aPlace();
    for (const who of ['agent', 'other', 'manager'] as const) {
      const body = { ...defaultPreferences, mention: { in_app: who === 'other', mail: who === 'manager' } };
      expect((await house.call(saveNotificationPreferences, house.as(place, who), { body })).status).toBe(200);
    }
    await comment(house.as(place, 'admin'), place, { user_id: place.admin, mentions: [place.agent, place.other, place.manager] });
    await toldOf(place, ['other mention']);
    const toStaff = (await house.emails(place)).filter(({ kind }) => kind.startsWith('staff_'));
    expect(toStaff.map(({ to_address }) => to_address)).toEqual([addressOf(place.manager)]);
  });

  it('is nobody of another organization, also when its ticket names them', async () => {
    const [place, stranger] = [await house.aPlace(), await house.aPlace()];
    const ticket = house.ticket(place, { assigned_to: stranger.agent });
    // Later than the minute in which a member's event may still arrive.
    const cause = envelopeOf(house.as(place, 'admin'), { time: '2026-11-20T10:00:00.000Z' });
    await house.db.forTenant({ organization_id: place.id }, (tx) =>
      house.service.app.get(StaffNotices).onAssigned(systemContext(place.id, 'test'), { ticket, from: null }, tx, cause),
    );
    expect(await house.notices(place)).toEqual([]);
    expect(await house.notices(stranger)).toEqual([]);
    expect(await house.emails(place)).toEqual([]);
  });
});

describe('one notice and one mail', () => {
  it('come of an event that arrives again, also past the inbox', async () => {
    const place = await house.aPlace();
    const ticket = house.ticket(place, { assigned_to: place.agent });
    const cause = envelopeOf(house.as(place, 'admin'));
    const deliver = () =>
      house.db.forTenant({ organization_id: place.id }, (tx) =>
        house.service.app.get(StaffNotices).onAssigned(systemContext(place.id, 'test'), { ticket, from: null }, tx, cause),
      );
    await Promise.all([deliver(), deliver()]);
    await deliver();
    expect(await house.told(place)).toEqual(['agent assigned']);
    expect(await house.emails(place)).toHaveLength(1);
  });

  it('come of an event whose consumer lost its database in the middle', async () => {
    const place = await house.aPlace();
    const admin = house.as(place, 'admin');
    const stop = new Error('rolled back');
    await expect(
      house.db.forTenant(admin, async (tx) => {
        // Locks the row that numbers the assignee's events: the consumer waits for it after writing its notice, and is killed there.
        await emit(tx, admin, notificationCreated, place.agent, { user_id: place.agent });
        await assign(admin, place, place.agent);
        await eventually(async () => {
          const { rows } = await house.db.asSystem('test', (other) =>
            sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%event_sequences%'`.execute(other),
          );
          expect(rows).toHaveLength(1);
        });
        throw stop;
      }),
    ).rejects.toBe(stop);
    await toldOf(place, ['agent assigned']);
    await mailbox.waitFor({ to: addressOf(place.agent) });
    await settled(place, ['agent assigned']);
    expect(await mailbox.find({ to: addressOf(place.agent) })).toHaveLength(1);
    expect((await house.emails(place)).filter(({ to_address }) => to_address === addressOf(place.agent))).toHaveLength(1);
  });
});
