import {
  listTicketEmails,
  mailBounced,
  retryEmail,
  saveNotificationPreferences,
  ticketAssigned,
  ticketCommentAdded,
  ticketCreated,
  ticketUpdated,
  type Ticket,
  type TicketEmail,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { commentOf, customer, enableMetrics, eventually, mailbox } from '@tandem/testing';
import { addressOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { findComposeInputs } from './compose';
import type { Email } from './email.store';

interface Log {
  emails: TicketEmail[];
  bounced: { address: string; reason: string | null }[];
}
let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  notifications = await NotificationsUnderTest.start();
});
beforeEach(async () => {
  organization = await notifications.anOrganization();
});

const logOf = async (ticket: Pick<Ticket, 'id'>) =>
  (await notifications.call<Log>(listTicketEmails, notifications.as(organization, 'agent'), { params: { id: ticket.id } })).data;
async function aMailedTicket(changes: Partial<Ticket> = {}): Promise<{ ticket: Ticket; email: TicketEmail }> {
  const ticket = notifications.ticket(organization, { customer_email: `${newId()}@Example.com`, ...changes });
  await notifications.announce(notifications.as(organization, 'agent'), ticketCreated, ticket.id, { ticket });
  const email = await eventually(async () => {
    const { emails } = await logOf(ticket);
    expect(emails).toMatchObject([
      { kind: 'ticket_created', state: 'sent', attempts: 1, to_address: ticket.customer_email, last_error: null },
    ]);
    return emails[0]!;
  });
  return { ticket, email };
}
const bounce = (email_id: string, permanent = true, at = organization, is_final = permanent) =>
  notifications.announce(customer(at.id), mailBounced, email_id, {
    email_id,
    address: 'forwarded@elsewhere.example',
    permanent,
    is_final,
    status: '5.1.1',
    diagnostic: 'smtp; 550 No such user',
  });
const retry = (id: string, at = organization) =>
  notifications.call<TicketEmail>(retryEmail, notifications.as(at, 'agent'), { params: { id } });

describe('a bounced email', () => {
  it('marks its row and its address, and sends no further email there until a retry', async () => {
    const { ticket, email } = await aMailedTicket();
    await bounce(email.id);
    await eventually(async () =>
      expect(await logOf(ticket)).toMatchObject({
        emails: [{ id: email.id, state: 'bounced', last_error: '5.1.1 smtp; 550 No such user' }],
        bounced: [{ address: ticket.customer_email.toLowerCase(), reason: '5.1.1 smtp; 550 No such user' }],
      }),
    );
    const comment = commentOf(ticket.id, { user_id: organization.agent });
    await notifications.announce(notifications.as(organization, 'agent'), ticketCommentAdded, ticket.id, { ticket, comment });
    const reply = await eventually(async () => {
      const [latest] = (await logOf(ticket)).emails;
      expect(latest).toMatchObject({
        kind: 'ticket_reply',
        state: 'failed',
        last_error: expect.stringContaining('An earlier email to this address bounced') as string,
      });
      return latest!;
    });
    expect(await mailbox.find({ to: ticket.customer_email })).toHaveLength(1);

    expect(await retry(reply.id)).toMatchObject({ status: 200, data: { id: reply.id, state: 'pending', last_error: null } });
    await mailbox.waitFor({ to: ticket.customer_email, subject: /reply/ });
    await eventually(async () => expect((await logOf(ticket)).emails[0]).toMatchObject({ id: reply.id, state: 'sent' }));
    expect((await logOf(ticket)).bounced).toEqual([]);
  });

  it('stops only the emails to its address in a batch of several addresses and languages', async () => {
    const { ticket, email } = await aMailedTicket();
    await bounce(email.id);
    await eventually(async () => expect((await logOf(ticket)).bounced).toHaveLength(1));
    const bounced = ticket.customer_email.toUpperCase();
    const emails = (
      [
        ['a@example.com', 'de'],
        [bounced, 'de'],
        ['b@example.com', 'de'],
        ['c@example.com', 'fr'],
        [bounced, 'fr'],
        ['full@example.com', 'de'],
        ['d@example.com', null],
      ] as const
    ).map(([to_address, language]) => ({
      ...{ organization_id: organization.id, ticket_id: null, kind: 'ticket_created', to_address },
      data: { language },
    }));
    const inputs = await notifications.db.forTenant(notifications.as(organization, 'agent'), async (tx) => {
      const own = { organization_id: organization.id, key: 'greeting', sequence: 1 };
      await tx
        .insertInto('wording')
        .values([
          { ...own, language: 'de', text: 'Hallo' },
          { ...own, language: 'fr', text: 'Salut' },
        ])
        .execute();
      await tx
        .insertInto('bounced_addresses')
        .values({ organization_id: organization.id, address: 'full@example.com', reason: 'full', bounced_at: new Date().toISOString() })
        .execute();
      return findComposeInputs(tx, emails as unknown as Email[]);
    });
    const unknown = '5.1.1 smtp; 550 No such user';
    expect(inputs.map((input) => [input.bounce?.reason, input.organization?.wording.map(({ text }) => text)])).toEqual([
      [undefined, ['Hallo']],
      [unknown, ['Hallo']],
      [undefined, ['Hallo']],
      [undefined, ['Salut']],
      [unknown, ['Salut']],
      ['full', ['Hallo']],
      [undefined, []],
    ]);
  });

  it('is recorded without a notification if it is temporary', async () => {
    const { ticket, email } = await aMailedTicket({ assigned_to: organization.agent });
    await bounce(email.id, false);
    await eventually(async () =>
      expect((await logOf(ticket)).emails[0]).toMatchObject({ state: 'sent', last_error: expect.any(String) as string }),
    );
    await notifications.allIsConsumed();
    expect((await logOf(ticket)).bounced).toEqual([]);
    expect(await notifications.sentNotices(organization)).toEqual([]);
  });

  it('is reported if the email was given up for a temporary cause, and the address gets further emails', async () => {
    const { ticket, email } = await aMailedTicket({ assigned_to: organization.agent });
    await bounce(email.id, false, organization, true);
    await eventually(async () => expect((await logOf(ticket)).emails[0]).toMatchObject({ state: 'bounced' }));
    await eventually(async () => expect(await notifications.sentNotices(organization)).toEqual(['agent delivery_failed']));
    expect((await logOf(ticket)).bounced).toEqual([]);
    const comment = commentOf(ticket.id, { user_id: organization.agent });
    await notifications.announce(notifications.as(organization, 'agent'), ticketCommentAdded, ticket.id, { ticket, comment });
    await eventually(async () => expect((await logOf(ticket)).emails[0]).toMatchObject({ kind: 'ticket_reply', state: 'sent' }));
  });

  it('of another organization changes nothing', async () => {
    const { ticket, email } = await aMailedTicket();
    const other = await notifications.anOrganization();
    await bounce(email.id, true, other);
    const theirs = notifications.ticket(other, { customer_email: `${newId()}@example.com` });
    await notifications.announce(notifications.as(other, 'agent'), ticketCreated, theirs.id, { ticket: theirs });
    await mailbox.waitFor({ to: theirs.customer_email });
    await bounce(email.id, true, other);
    await notifications.allIsConsumed();
    expect((await logOf(ticket)).emails[0]).toMatchObject({ state: 'sent', last_error: null });
  });

  it('notifies the current assignee and the watchers, in the app and by email', async () => {
    const { ticket, email } = await aMailedTicket({ assigned_to: organization.other });
    const now = { ...ticket, assigned_to: organization.agent, watchers: [organization.manager], version: 2 };
    const changes = { assigned_to: { from: organization.other, to: organization.agent } };
    await notifications.announce(notifications.as(organization, 'agent'), ticketUpdated, ticket.id, { ticket: now, changes });
    await eventually(async () => {
      const [kept] = await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
        tx.selectFrom('ticket_followers').selectAll().execute(),
      );
      expect(kept).toMatchObject({ assigned_to: organization.agent, version: 2 });
    });
    await bounce(email.id);
    await eventually(async () =>
      expect(await notifications.sentNotices(organization)).toEqual(['agent delivery_failed', 'manager delivery_failed']),
    );
    const mail = await mailbox.waitFor({ to: addressOf(organization.agent) });
    expect(mail.subject).toBe('We couldn’t deliver an email for NC-0042: Wrong grind');
  });

  it('notifies managers and admins of an unassigned ticket', async () => {
    const { email } = await aMailedTicket();
    await bounce(email.id);
    await eventually(async () =>
      expect(await notifications.sentNotices(organization)).toEqual(['admin delivery_failed', 'manager delivery_failed']),
    );
  });

  it('uses the channels of each member, and both if their choice is older than this topic', async () => {
    const both = { in_app: true, mail: true };
    const none = { in_app: false, mail: false };
    const chosen = { assigned: none, mention: none, customer_replied: none, sla: none };
    const save = (who: 'admin' | 'manager', body: object) =>
      notifications.call(saveNotificationPreferences, notifications.as(organization, who), { body });
    expect((await save('admin', chosen)).data).toMatchObject({ delivery_failed: both });
    expect((await save('manager', { ...chosen, delivery_failed: { in_app: true, mail: false } })).status).toBe(200);
    const { email } = await aMailedTicket();
    await bounce(email.id);
    await mailbox.waitFor({ to: addressOf(organization.admin) });
    await eventually(async () =>
      expect(await notifications.sentNotices(organization)).toEqual(['admin delivery_failed', 'manager delivery_failed']),
    );
    expect(await mailbox.find({ to: addressOf(organization.manager) })).toEqual([]);
  });
});

describe('the delivery log of a ticket', () => {
  it('lists emails to the customer, but not to staff', async () => {
    const { ticket } = await aMailedTicket({ assigned_to: organization.agent });
    await notifications.announce(notifications.as(organization, 'admin'), ticketAssigned, ticket.id, { ticket, from: null });
    await mailbox.waitFor({ to: addressOf(organization.agent) });
    expect((await logOf(ticket)).emails.map(({ kind }) => kind)).toEqual(['ticket_created']);
  });
  it('excludes other organizations', async () => {
    const { ticket, email } = await aMailedTicket();
    const other = await notifications.anOrganization();
    const { data } = await notifications.call<Log>(listTicketEmails, notifications.as(other, 'admin'), { params: { id: ticket.id } });
    expect(data).toEqual({ emails: [], bounced: [] });
    expect(await retry(email.id, other)).toMatchObject({ status: 404, data: { code: 'email.not_found' } });
  });
  it('refuses an invalid ID', async () =>
    expect(await notifications.call(listTicketEmails, notifications.as(organization, 'agent'), { params: { id: 'x' } })).toMatchObject({
      status: 422,
    }));
});

describe('a retry', () => {
  it('is allowed for failed emails', async () => {
    const { email } = await aMailedTicket();
    expect(await retry(email.id)).toMatchObject({ status: 409, data: { code: 'email.not_retryable' } });
    expect(await retry(newId())).toMatchObject({ status: 404, data: { code: 'email.not_found' } });
  });
  it('is refused for emails to staff', async () => {
    const ticket = notifications.ticket(organization, { assigned_to: organization.agent });
    await notifications.announce(notifications.as(organization, 'admin'), ticketAssigned, ticket.id, { ticket, from: null });
    const [row] = await eventually(async () => {
      const rows = await notifications.emails(organization);
      expect(rows).toHaveLength(1);
      return rows;
    });
    expect(await retry(row!.id)).toMatchObject({ status: 404 });
  });
  it('requires write permission', async () => {
    const { email } = await aMailedTicket();
    const reader = {
      ...notifications.as(organization, 'agent'),
      actor: { type: 'token' as const, token_id: newId(), name: 'Importer', permissions: ['tickets:read' as const], via: 'api' as const },
    };
    expect(await notifications.call(retryEmail, reader, { params: { id: email.id } })).toMatchObject({ status: 403 });
  });
});

describe('the metrics of emails', () => {
  it('count sent and bounced emails, and report unsent ones and since when they wait', async () => {
    const scrape = await enableMetrics();
    const { ticket, email } = await aMailedTicket();
    await bounce(email.id);
    await eventually(async () => expect((await logOf(ticket)).emails[0]!.state).toBe('bounced'));
    const unsent = (row: { id: string; attempts: number; due_at: string | null }) =>
      notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
        tx
          .insertInto('emails')
          .values({
            ...row,
            organization_id: organization.id,
            kind: 'ticket_created',
            to_address: `${row.id}@example.com`,
            data: '{}',
            event_id: newId(),
            message_id: row.id,
            state: 'sending',
            claimed_until: new Date(Date.now() + 3_600_000).toISOString(),
          } as never)
          .execute(),
      );
    const hour = 3_600_000;
    await unsent({ id: newId(), attempts: 0, due_at: new Date(Date.now() - hour).toISOString() });
    await unsent({ id: newId(), attempts: 2, due_at: null });
    await unsent({ id: newId(), attempts: 0, due_at: new Date(Date.now() + hour).toISOString() });
    await eventually(async () => {
      const now = await scrape();
      expect(now.value('tandem_emails_total', { outcome: 'bounced' })).toBe(1);
      expect(now.value('tandem_emails_total', { outcome: 'sent' })).toBeGreaterThan(0);
      expect(now.value('tandem_email_delay_seconds_count')).toBeGreaterThan(0);
      for (const state of ['due', 'deferred', 'scheduled']) expect(now.value('tandem_emails_unsent', { state })).toBeGreaterThan(0);
      expect(now.value('tandem_emails_oldest_unsent_seconds')).toBeGreaterThan(3_599);
    });
    await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('emails').set({ state: 'failed', claimed_until: null }).where('state', '=', 'sending').execute(),
    );
    await eventually(async () => expect((await scrape()).value('tandem_emails_oldest_unsent_seconds')).toBeLessThan(3_599));
  });
});
