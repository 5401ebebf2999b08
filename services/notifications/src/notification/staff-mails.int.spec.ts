import {
  Comment,
  readNotifications,
  saveNotificationPreferences,
  ticketAssigned,
  ticketCommentAdded,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { connectRedis } from '@tandem/messaging';
import { customer, eventually, mailbox, testServers } from '@tandem/testing';
import { sql } from 'kysely';
import type { EmailData } from '../schema';
import { addressOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

const prefix = `staff-mails-${newId()}`;
let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start({ REDIS_PREFIX: prefix })));
beforeEach(async () => (organization = await notifications.anOrganization()));

const mailsTo = async (user_id: string) =>
  (await notifications.emails(organization))
    .filter(({ to_address }) => to_address === addressOf(user_id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
const noticesOf = async (user_id: string) => (await notifications.notices(organization)).filter((notice) => notice.user_id === user_id);
const reply = (ticket: Ticket) =>
  notifications.announce(customer(organization.id), ticketCommentAdded, ticket.id, {
    ticket,
    comment: Comment.parse({
      id: newId(),
      ticket_id: ticket.id,
      content: 'Hello?',
      is_internal: false,
      is_from_customer: true,
      user_id: null,
      customer_email: ticket.customer_email,
      author: null,
      created_at: '2026-11-20T10:00:00.000Z',
    }),
  });
const assign = async (count: number, assigned_to = organization.agent) => {
  for (let n = 0; n < count; n++) {
    const ticket = notifications.ticket(organization, { assigned_to, ticket_number: `NC-${n}` });
    await notifications.announce(notifications.as(organization, 'admin'), ticketAssigned, ticket.id, { ticket, from: null });
  }
};
const make = (user_id: string, change: string) =>
  notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
    sql`update emails set ${sql.raw(change)} where organization_id = ${organization.id} and to_address = ${addressOf(user_id)}`.execute(tx),
  );

/** Deletes the email jobs from Redis. */
async function forgetJobs() {
  const redis = connectRedis(testServers().redisUrl);
  const keys = await redis.keys(`${prefix}:jobs:email:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

describe('a customer who writes line by line', () => {
  it('causes one email per ticket until it is read, while the unread count includes each comment', async () => {
    const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
    for (let n = 0; n < 4; n++) await reply(ticket);
    await eventually(async () => expect(await noticesOf(organization.agent)).toHaveLength(4));
    expect((await mailsTo(organization.agent)).map(({ kind }) => kind)).toEqual(['staff_customer_replied']);

    await reply(notifications.ticket(organization, { assigned_to: organization.agent }));
    await eventually(async () => expect(await mailsTo(organization.agent)).toHaveLength(2));

    await notifications.call(readNotifications, notifications.as(organization, 'agent'), { body: { ticket_id: ticket.id } });
    await reply(ticket);
    await eventually(async () => expect(await mailsTo(organization.agent)).toHaveLength(3));
  });
  it('causes another email after ten minutes', async () => {
    const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
    await reply(ticket);
    await eventually(async () => expect(await mailsTo(organization.agent)).toHaveLength(1));
    await make(organization.agent, `created_at = now() - interval '11 minutes'`);
    await reply(ticket);
    await eventually(async () => expect(await mailsTo(organization.agent)).toHaveLength(2));
  });
  it('sends one email in ten minutes to a member without in-app notifications', async () => {
    const [both, mailOnly] = [
      { in_app: true, mail: true },
      { in_app: false, mail: true },
    ];
    const body = { assigned: both, mention: both, customer_replied: mailOnly, sla: both };
    await notifications.call(saveNotificationPreferences, notifications.as(organization, 'agent'), { body });
    const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
    await reply(ticket);
    await reply(ticket);
    await notifications.allIsConsumed();
    expect(await mailsTo(organization.agent)).toHaveLength(1);
  });
});

afterAll(forgetJobs);

describe('many notifications within ten minutes', () => {
  it('cause five emails and a digest, which is sent when it is due', async () => {
    await assign(9);
    await eventually(async () => expect(await noticesOf(organization.agent)).toHaveLength(9));
    const rows = await mailsTo(organization.agent);
    expect(rows.map(({ kind }) => kind).sort()).toEqual([...Array<string>(5).fill('staff_assigned'), 'staff_digest']);
    const digest = rows.find(({ kind }) => kind === 'staff_digest')!;
    // Tickets are processed independently, so which four come last varies.
    const gathered = (digest.data as EmailData['staff_digest']).items.map(({ ticket_number }) => ticket_number);
    expect(gathered).toHaveLength(4);
    expect(digest).toMatchObject({ state: 'pending' });
    expect(Date.parse(digest.due_at!) - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(await mailbox.find({ to: addressOf(organization.agent), subject: /updates on your tickets/ })).toEqual([]);

    // The digest is due but its job is lost: the sweeper finds the row.
    await forgetJobs();
    await make(organization.agent, `due_at = now(), created_at = now() - interval '11 minutes'`);
    const mail = await mailbox.waitFor({ to: addressOf(organization.agent), subject: '4 updates on your tickets' });
    for (const number of gathered) expect(mail.text).toContain(`${number} Wrong grind\n- Ada admin assigned it to you`);
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    await eventually(async () => expect((await mailsTo(organization.agent)).every(({ state }) => state === 'sent')).toBe(true));
    expect(await mailbox.find({ to: addressOf(organization.agent), subject: /updates on your tickets/ })).toHaveLength(1);
  });
  it('are all sent if many events arrive at the same time', async () => {
    await Promise.all(Array.from({ length: 12 }, () => assign(1)));
    await eventually(async () => expect(await noticesOf(organization.agent)).toHaveLength(12));
    const rows = await mailsTo(organization.agent);
    expect(rows.filter(({ kind }) => kind === 'staff_assigned')).toHaveLength(5);
    const digests = rows.filter(({ kind }) => kind === 'staff_digest');
    expect(digests).toHaveLength(1);
    expect((digests[0]!.data as EmailData['staff_digest']).items).toHaveLength(7);
  });
});
