import {
  brandingUpdated,
  Branding,
  mailReceived,
  mailRefused,
  organizationUpdated,
  replyDelimiter,
  sendEmail,
  surveySent,
  ticketClosed,
  ticketCommentAdded,
  ticketCreated,
  ticketResolved,
  ticketUpdated,
  wordingChanged,
  type Comment,
  type Context,
  type Envelope,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { EmailTokens } from '@tandem/platform';
import { commentOf, customer, eventually, mailbox, organizationOf } from '@tandem/testing';
import { sql } from 'kysely';
import { OrganizationProjection } from '../organization/organization.consumer';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
let agent: Context & { organization_id: string };
let tokens: EmailTokens;

beforeAll(async () => {
  notifications = await NotificationsUnderTest.start();
  organization = await notifications.anOrganization();
  agent = notifications.as(organization, 'agent');
  tokens = new EmailTokens([notifications.env.LINK_SECRET!], 'tandem.localhost');
});

const aTicket = (changes: Partial<Ticket> = {}): Ticket =>
  notifications.ticket(organization, { customer_email: `${newId()}@example.com`, ...changes });
const aComment = (ticket: Ticket, changes: Partial<Comment> = {}): Comment =>
  commentOf(ticket.id, {
    content: 'Have you tried it again?',
    user_id: organization.agent,
    author: { first_name: 'Grace', last_name: 'Hopper' },
    created_at: ticket.updated_at,
    ...changes,
  });
/** The `survey.sent` events of a ticket. */
const invitations = (ticket: Ticket) =>
  notifications.db.asSystem('test', async (tx) => {
    const rows = await tx
      .selectFrom('outbox')
      .select('envelope')
      .where('subject', '=', ticket.id)
      .where('type', '=', surveySent.type)
      .execute();
    return rows.map(({ envelope }) => surveySent.data.parse(envelope.data));
  });
const created = (ticket: Ticket, ctx: Context = agent) => notifications.announce(ctx, ticketCreated, ticket.id, { ticket });
const replied = (ticket: Ticket, comment: Partial<Comment> = {}, status_from?: Ticket['status']) =>
  notifications.announce(agent, ticketCommentAdded, ticket.id, { ticket, comment: aComment(ticket, comment), status_from });
const resolved = (ticket: Ticket, with_reply = false) =>
  notifications.announce(agent, ticketResolved, ticket.id, { ticket: { ...ticket, status: 'resolved' }, with_reply });
const closed = (ticket: Ticket, with_reply = false) =>
  notifications.announce(agent, ticketClosed, ticket.id, { ticket: { ...ticket, status: 'closed' }, with_reply });
const subjects = async (ticket: Ticket) => (await mailbox.find({ to: ticket.customer_email })).map(({ subject }) => subject).reverse();
const kinds = async (ticket: Ticket) => {
  const rows = (await notifications.emails(organization)).filter(
    (row) => row.ticket_id === ticket.id && row.to_address === ticket.customer_email,
  );
  return rows.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)).map(({ kind }) => kind);
};
describe('emails about a ticket', () => {
  it('have the address of the organization, a reply address of their ticket and a Message-ID of their row', async () => {
    const ticket = aTicket();
    await created(ticket);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    const [row] = (await notifications.emails(organization)).filter(({ ticket_id }) => ticket_id === ticket.id);
    const ids = { organization_id: organization.id, subdomain: null };
    expect(mail.headers.from).toBe(`Northwind Support <${tokens.supportAddress(ids)}>`);
    expect(mail.headers['reply-to']).toBe(tokens.replyAddress(ids, ticket.id));
    expect(mail.message_id).toBe(tokens.messageId(row!.id, ticket.id));
    expect(mail.headers).toMatchObject({
      'auto-submitted': 'auto-replied',
      'x-auto-response-suppress': 'All',
      'x-tandem-loop': organization.id,
    });
    expect(mail.headers).not.toHaveProperty('in-reply-to');
    expect(mail.headers).not.toHaveProperty('references');
  });

  it('omit the confirmation of a quiet ticket, but no later email', async () => {
    const ticket = aTicket({ channel: 'email' });
    await notifications.announce({ ...agent, actor: { type: 'customer' } }, ticketCreated, ticket.id, { ticket, quiet: true });
    await replied(ticket);
    await notifications.allIsConsumed();
    expect(await kinds(ticket)).toEqual(['ticket_reply']);
  });

  it('are automatic if a rule wrote the reply', async () => {
    const ticket = aTicket();
    await replied(ticket, { author: null, user_id: null, rule: { id: newId(), name: 'Welcome' } });
    const { headers } = await mailbox.waitFor({ to: ticket.customer_email });
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-replied', 'x-auto-response-suppress': 'All' });
  });

  it('contain a reply with its text and new status in one email, which is not automatic', async () => {
    const ticket = aTicket({ status: 'waiting_for_customer' });
    await replied(ticket, { content: 'Line one\n\nLine <two>' }, 'open');
    const changes = { status: { from: 'open', to: 'waiting_for_customer' } };
    await notifications.announce(agent, ticketUpdated, ticket.id, { ticket, changes, with_reply: true });
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.text.split('\n')[0]).toBe(replyDelimiter);
    expect(mail.headers.from).toBe(
      `Grace Hopper from Northwind <${tokens.supportAddress({ organization_id: organization.id, subdomain: null })}>`,
    );
    expect(mail.text).toContain('Grace Hopper from Northwind wrote:\n\nLine one\n\nLine <two>\n\nStatus: Pending');
    expect(mail.headers).not.toHaveProperty('auto-submitted');
    expect(mail.headers).not.toHaveProperty('x-auto-response-suppress');
    expect(mail.headers['x-tandem-loop']).toBe(organization.id);
    await notifications.allIsConsumed();
    expect(await kinds(ticket)).toEqual(['ticket_reply']);
  });

  it('send a copy of a reply to each address in Cc, without links to the customer’s pages', async () => {
    const ours = tokens.supportAddress({ organization_id: organization.id, subdomain: null });
    const [bob, eve] = [`${newId()}@example.com`, `${newId()}@example.com`] as const;
    const ticket = aTicket({ status: 'resolved' });
    const cc = [bob, eve, ticket.customer_email, ours];
    await notifications.announce(agent, ticketCreated, ticket.id, { ticket: { ...ticket, cc } });
    await replied({ ...ticket, cc }, { content: 'It is fixed.' }, 'open');
    await notifications.allIsConsumed();
    const sent = (await notifications.emails(organization)).filter(({ ticket_id }) => ticket_id === ticket.id);
    const recipients = (kind: string) => sent.flatMap((row) => (row.kind === kind ? [row.to_address] : [])).sort();
    expect(recipients('ticket_reply')).toEqual([ticket.customer_email, bob, eve].sort());
    expect(recipients('ticket_created')).toEqual([ticket.customer_email]);
    const copy = await mailbox.waitFor({ to: bob });
    expect(copy.headers.to).toBe(ticket.customer_email);
    expect(copy.headers.cc).toBe(`${bob}, ${eve}`);
    expect(copy.headers['x-tandem-loop']).toBe(organization.id);
    expect(copy.headers['reply-to']).toBe(tokens.replyAddress({ organization_id: organization.id, subdomain: null }, ticket.id));
    expect(copy.text).toContain('It is fixed.');
    expect(copy.text + copy.html).not.toMatch(/ticket-status|survey/);
  });

  it('send no copy to the addresses that the organization sends from', async () => {
    const other = await notifications.anOrganization();
    const { id: organization_id } = other;
    const ctx = notifications.as(other, 'agent');
    await notifications.db.forTenant(ctx, async (tx) => {
      await tx.insertInto('sender_domains').values({ organization_id, domain: 'north.example', local_part: 'help' }).execute();
      const server = { organization_id, host: '127.0.0.1', port: 1, security: 'none' as const, username: null, sealed_password: null };
      await tx
        .insertInto('mail_servers')
        .values({ ...server, from_address: 'Support@north.example' })
        .execute();
    });
    const cc = ['help@north.example', 'support@north.example', 'bob@north.example'];
    const ticket = notifications.ticket(other, { customer_email: `${newId()}@example.com`, cc });
    await notifications.announce(ctx, ticketCommentAdded, ticket.id, { ticket, comment: aComment(ticket, { user_id: other.agent }) });
    await notifications.allIsConsumed();
    const sent = (await notifications.emails(other)).filter(({ kind }) => kind === 'ticket_reply');
    expect(sent.map(({ to_address }) => to_address).sort()).toEqual(['bob@north.example', ticket.customer_email].sort());
    expect(sent[0]!.data).toMatchObject({ cc: ['bob@north.example'] });
  });

  it('are sent when the ticket waits for the customer, and for no other change', async () => {
    const ticket = aTicket({ status: 'waiting_for_customer' });
    const update = (changes: Record<string, { from: unknown; to: unknown }>) =>
      notifications.announce(agent, ticketUpdated, ticket.id, { ticket, changes });
    await update({ priority: { from: 'low', to: 'high' } });
    await update({ status: { from: 'open', to: 'waiting_for_customer' } });
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.subject).toBe('[NC-0042] We’re waiting for your reply');
    expect(mail.text).toContain('Status: Pending');
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    await notifications.allIsConsumed();
    expect(await kinds(ticket)).toEqual(['ticket_waiting']);
  });

  it('are not sent for internal notes, customer messages, merged duplicates and imported tickets', async () => {
    const ticket = aTicket();
    await replied(ticket, { content: 'Secret', is_internal: true });
    await replied(ticket, { is_from_customer: true, user_id: null, customer_email: ticket.customer_email });
    await replied(ticket, { is_internal: true, user_id: null, customer_email: 'stranger@example.com' });
    const duplicate = { ...ticket, id: newId(), merged_into_id: ticket.id };
    await closed(duplicate);
    await resolved(duplicate);
    await replied(duplicate);
    const brought: Context = { ...agent, actor: { type: 'system' }, request_id: 'demo' };
    await notifications.announce(brought, ticketResolved, ticket.id, { ticket });
    await created(ticket, brought);
    await notifications.allIsConsumed();
    expect(await mailbox.find({ to: ticket.customer_email })).toEqual([]);
    expect((await notifications.emails(organization)).filter(({ to_address }) => to_address === ticket.customer_email)).toEqual([]);
  });

  it('use the branding of the organization, with any template', async () => {
    const other = await notifications.anOrganization();
    const branding: Branding = {
      ...Branding.parse({ organization_id: other.id }),
      primary_color: '#FFCC00',
      email_template_header: '<b>Acme</b><script>x</script>',
      hide_powered_by: true,
    };
    await notifications.announce(notifications.as(other, 'admin'), brandingUpdated, other.id, { branding });
    await eventually(async () =>
      expect(
        await notifications.db.forTenant({ organization_id: other.id }, (tx) => tx.selectFrom('branding').selectAll().execute()),
      ).toHaveLength(1),
    );
    const ticket = notifications.ticket(other, { customer_email: `${newId()}@example.com` });
    await notifications.announce(notifications.as(other, 'agent'), ticketCreated, ticket.id, { ticket });
    const { html } = await mailbox.waitFor({ to: ticket.customer_email });
    expect(html).toContain('background-color:#ffcc00');
    expect(html).toContain('<b>Acme</b>');
    expect(html).not.toMatch(/<script|Powered by/);
  });
});

describe('a survey', () => {
  it('is offered once per ticket, even if it is resolved and closed at the same time', async () => {
    const ticket = aTicket();
    await Promise.all([resolved(ticket), closed(ticket), resolved(ticket), closed(ticket)]);
    await eventually(async () => {
      const mails = await mailbox.find({ to: ticket.customer_email });
      expect(mails.filter(({ subject }) => subject === '[NC-0042] Your ticket has been resolved')).toHaveLength(2);
      expect(mails.filter(({ text }) => text.includes('&rating=5'))).toHaveLength(1);
    });
    await notifications.allIsConsumed();
    const [row] = await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('survey_invitations').selectAll().where('ticket_id', '=', ticket.id).execute(),
    );
    expect(await invitations(ticket)).toEqual([{ ticket_id: ticket.id, sent_at: row!.created_at }]);
  });
  it('is published as sent by the reply, the resolution or the closing that first asks for it, and by nothing else', async () => {
    const [byReply, byResolution, byClosing, unasked] = [aTicket({ status: 'resolved' }), aTicket(), aTicket(), aTicket()];
    await replied(byReply, {}, 'open');
    await resolved(byReply);
    await resolved(byResolution);
    await closed(byResolution);
    await closed(byClosing);
    await replied(unasked);
    await resolved({ ...unasked, merged_into_id: byReply.id });
    await notifications.allIsConsumed();
    for (const ticket of [byReply, byResolution, byClosing])
      await eventually(async () => expect(await invitations(ticket)).toHaveLength(1));
    expect(await invitations(unasked)).toEqual([]);
  });
  it('is part of the reply that resolves the ticket, and is sent only once', async () => {
    const ticket = aTicket({ status: 'resolved' });
    await replied(ticket, {}, 'open');
    await resolved(ticket, true);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.text).toContain('Status: Resolved');
    expect(mail.links).toContain(`http://localhost:3000/survey/${ticket.id}?email=${encodeURIComponent(ticket.customer_email)}&rating=3`);
    await resolved(ticket);
    const second = await mailbox.waitFor({ to: ticket.customer_email, subject: /resolved/ });
    expect(second.text).not.toContain('/survey/');
    await closed(ticket);
    await notifications.allIsConsumed();
    expect((await kinds(ticket)).sort()).toEqual(['ticket_reply', 'ticket_resolved']);
  });
  it('is a separate email for a ticket that was closed unresolved', async () => {
    const ticket = aTicket();
    await closed(ticket);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.subject).toBe('[NC-0042] How did we do?');
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
  });
});

describe('a conversation by email', () => {
  it('is one thread, whose References contain the emails of both sides', async () => {
    const ticket = aTicket({ channel: 'email' });
    const received = (message_id: string, references: string[] = []) =>
      notifications.announce(customer(organization.id), mailReceived, ticket.id, {
        ticket_id: ticket.id,
        comment_id: null,
        message_id,
        references,
        subject: 'Aw: My printer',
      });
    await created(ticket, customer(organization.id));
    await received('<first@mail.example>', ['<before@mail.example>']);
    const first = await mailbox.waitFor({ to: ticket.customer_email, subject: /created/ });
    expect(first.headers['in-reply-to']).toBe('<first@mail.example>');
    expect(first.headers.references?.split(/\s+/)).toEqual(['<before@mail.example>', '<first@mail.example>']);
    // Only emails that are known to be sent are part of the thread.
    const isSent = (message_id: string) =>
      eventually(async () =>
        expect((await notifications.emails(organization)).find((email) => email.message_id === message_id)?.sent_at).not.toBeNull(),
      );
    await isSent(first.message_id);
    await replied(ticket);
    const second = await mailbox.waitFor({ to: ticket.customer_email, subject: '[NC-0042] Re: My printer' });
    await isSent(second.message_id);
    expect(second.headers['in-reply-to']).toBe(first.message_id);
    await received('<second@mail.example>', ['<first@mail.example>', second.message_id]);
    await eventually(async () => {
      const rows = await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
        tx.selectFrom('received_messages').selectAll().where('ticket_id', '=', ticket.id).execute(),
      );
      expect(rows).toHaveLength(2);
    });
    await replied(ticket, { content: 'The third' });
    const third = await eventually(async () => {
      const mail = (await mailbox.find({ to: ticket.customer_email })).find(({ text }) => text.includes('The third'));
      if (!mail) throw new Error('not yet');
      return mail;
    });
    expect(third.headers['in-reply-to']).toBe('<second@mail.example>');
    expect(third.headers.references?.split(/\s+/)).toEqual([
      '<before@mail.example>',
      '<first@mail.example>',
      first.message_id,
      second.message_id,
      '<second@mail.example>',
    ]);
  });

  it('keeps the newest 20 of their Message-IDs', async () => {
    const ticket = aTicket();
    for (let n = 0; n < 23; n++)
      await notifications.announce(customer(organization.id), mailReceived, ticket.id, {
        ticket_id: ticket.id,
        comment_id: null,
        message_id: `<${n}@mail.example>`,
        references: [],
        subject: null,
      });
    await eventually(async () => {
      const rows = await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
        tx.selectFrom('received_messages').select('message_id').where('ticket_id', '=', ticket.id).execute(),
      );
      expect(rows).toHaveLength(20);
      expect(rows.map(({ message_id }) => message_id)).toContain('<22@mail.example>');
    });
  });

  it('on a locked ticket is refused with one email per day', async () => {
    const ticket = aTicket();
    const refuse = () =>
      notifications.announce(customer(organization.id), mailRefused, ticket.id, {
        ticket_id: ticket.id,
        ticket_number: ticket.ticket_number,
        email: ticket.customer_email,
        language: null,
        message_id: '<theirs@mail.example>',
      });
    await Promise.all([refuse(), refuse(), refuse()]);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.subject).toBe('[NC-0042] Your reply was not added');
    expect(mail.headers).toMatchObject({ 'in-reply-to': '<theirs@mail.example>', 'auto-submitted': 'auto-replied' });
    await refuse();
    await notifications.allIsConsumed();
    expect(await kinds(ticket)).toHaveLength(1);
    expect(await subjects(ticket)).toHaveLength(1);
  });
});

describe('the language of an email', () => {
  const languages = { default: 'de' as const, offered: ['de' as const, 'ar' as const] };
  /** An organization that offers German and Arabic. */
  async function aGermanOrganization() {
    const german = await notifications.anOrganization();
    const settings = organizationOf(german.id, { name: 'Nordwind', languages });
    const save = { organization: settings };
    await notifications.announce(notifications.as(german, 'admin'), organizationUpdated, german.id, save);
    await notifications.announce(notifications.as(german, 'admin'), organizationUpdated, german.id, save);
    return german;
  }
  const say = (of: TestOrganization, key: string, text: string | null) =>
    notifications.announce(notifications.as(of, 'admin'), wordingChanged, of.id, {
      organization_id: of.id,
      part: 'email',
      language: 'de',
      key,
      text,
    });
  const mailOf = async (of: TestOrganization, language: Ticket['language']) => {
    const ticket = notifications.ticket(of, { customer_email: `${newId()}@example.com`, language });
    await notifications.announce(notifications.as(of, 'agent'), ticketCreated, ticket.id, { ticket });
    return mailbox.waitFor({ to: ticket.customer_email });
  };
  const wording = (of: TestOrganization) =>
    notifications.db.forTenant({ organization_id: of.id }, (tx) => tx.selectFrom('wording').select(['key', 'text']).execute());

  it('is that of the ticket if the organization offers it, otherwise the default one', async () => {
    const german = await aGermanOrganization();
    await notifications.allIsConsumed();
    const arabic = await mailOf(german, 'ar');
    expect(arabic.subject).toContain('تم إنشاء تذكرتك');
    expect(arabic.html).toContain('<html dir="rtl" lang="ar">');
    for (const language of ['de', 'fr', null] as const) {
      const mail = await mailOf(german, language);
      expect(mail.subject).toContain('Ihr Ticket wurde erstellt');
      expect(mail.html).toContain('<html dir="ltr" lang="de">');
    }
    expect((await mailOf(organization, 'de')).subject).toContain('Your ticket has been created');
  });

  it('has the organization’s own texts until they are restored, and no text of another organization', async () => {
    const german = await aGermanOrganization();
    const other = await aGermanOrganization();
    await say(german, 'subject.created', 'Moin');
    await notifications.allIsConsumed();
    expect((await mailOf(german, 'de')).subject).toContain('] Moin');
    expect((await mailOf(german, 'ar')).subject).toContain('تم إنشاء تذكرتك');
    expect((await mailOf(other, 'de')).subject).toContain('Ihr Ticket wurde erstellt');
    await say(german, 'subject.created', null);
    await notifications.allIsConsumed();
    expect((await mailOf(german, 'de')).subject).toContain('Ihr Ticket wurde erstellt');
  });

  it('keeps the newest own text if events arrive twice, in another order, or are interrupted', async () => {
    const { id } = await notifications.anOrganization();
    const projection = notifications.service.app.get(OrganizationProjection);
    const ctx = { ...agent, organization_id: id };
    const data = (text: string | null, part: 'email' | 'portal' = 'email') => ({
      organization_id: id,
      part,
      language: 'de' as const,
      key: 'greeting',
      text,
    });
    const apply = (text: string | null, sequence: number, part?: 'portal') =>
      notifications.db.forTenant(ctx, (tx) => projection.onWordingChanged(ctx, data(text, part), tx, { sequence } as Envelope));
    const of = { id } as TestOrganization;
    for (const sequence of [3, 3]) await apply('Moin', sequence);
    await apply('Hallo', 2);
    expect(await wording(of)).toEqual([{ key: 'greeting', text: 'Moin' }]);
    await apply(null, 5);
    await apply('Servus', 4);
    expect(await wording(of)).toEqual([{ key: 'greeting', text: null }]);
    await apply('Portal', 6, 'portal');
    await expect(
      notifications.db.forTenant(ctx, async (tx) => {
        await projection.onWordingChanged(ctx, data('Tach'), tx, { sequence: 7 } as Envelope);
        throw new Error('killed before the commit');
      }),
    ).rejects.toThrow('killed');
    expect(await wording(of)).toEqual([{ key: 'greeting', text: null }]);
  });
});

it('names, subjects and texts cannot inject headers and markup', async () => {
  const hostile = 'Eve\r\nBcc: all@evil.example\r\nX-Evil: 1\r\n\r\n<img src=x onerror=alert(1)>\u202egnp.exe 👩‍👩‍👧';
  const ticket = aTicket({ subject: hostile, customer_name: hostile, channel: 'email' });
  await notifications.announce(customer(organization.id), mailReceived, ticket.id, {
    ticket_id: ticket.id,
    comment_id: null,
    message_id: '<a@b>\r\nX-Evil: 2',
    references: ['<c@d>\r\nX-Evil: 3'],
    subject: hostile,
  });
  await replied(ticket, { content: hostile, author: { first_name: hostile, last_name: null } });
  const mail = await mailbox.waitFor({ to: ticket.customer_email });
  expect(mail.headers).not.toHaveProperty('x-evil');
  expect(mail.headers).not.toHaveProperty('bcc');
  expect(mail.headers).not.toHaveProperty('references');
  expect(mail.to).toEqual([ticket.customer_email]);
  expect(mail.subject).toBe('[NC-0042] Re: Eve Bcc: all@evil.example X-Evil: 1 <img src=x onerror=alert(1)>gnp.exe 👩‍👩‍👧');
  expect(mail.html).not.toMatch(/<img|\u202e/);
});

describe('an email about a new status', () => {
  let delayed: NotificationsUnderTest;
  let customers: TestOrganization;
  /** These tests make the emails due themselves. */
  const delaySeconds = 600;
  beforeAll(async () => {
    delayed = await NotificationsUnderTest.start({ STATUS_EMAIL_DELAY_SECONDS: String(delaySeconds) });
    customers = await delayed.anOrganization();
  });
  const staff = () => delayed.as(customers, 'agent');
  const openTicket = () => delayed.ticket(customers, { customer_email: `${newId()}@example.com` });
  /** Changes the status as the tickets service does: the update, and the specific event. */
  const change = async (ticket: Ticket, status: Ticket['status']): Promise<Ticket> => {
    const after = { ...ticket, status, version: ticket.version + 1 };
    const changes = { status: { from: ticket.status, to: status } };
    await delayed.announce(staff(), ticketUpdated, ticket.id, { ticket: after, changes });
    if (status === 'resolved') await delayed.announce(staff(), ticketResolved, ticket.id, { ticket: after });
    if (status === 'closed') await delayed.announce(staff(), ticketClosed, ticket.id, { ticket: after });
    return after;
  };
  const rows = async (ticket: Ticket) => (await delayed.emails(customers)).filter(({ ticket_id }) => ticket_id === ticket.id);
  const surveys = (ticket: Ticket) =>
    delayed.db.forTenant({ organization_id: customers.id }, (tx) =>
      tx.selectFrom('survey_invitations').select('ticket_id').where('ticket_id', '=', ticket.id).execute(),
    );
  /** Moves the time at which the emails of a ticket are due, instead of waiting for it. */
  const makeDue = ({ id }: Pick<Ticket, 'id'>, state: 'pending' | 'sending' = 'pending') => makeAllDue([id], state);
  const makeAllDue = (ids: string[], state: 'pending' | 'sending' = 'pending') =>
    delayed.db.forTenant({ organization_id: customers.id }, async (tx) => {
      const due = await tx
        .updateTable('emails')
        .set({ due_at: '2026-01-01T00:00:00Z', state, claimed_until: state === 'sending' ? '2026-01-01T00:00:00Z' : null })
        .where('ticket_id', 'in', ids)
        .returning('id')
        .execute();
      // Their own jobs wait for the usual time.
      for (const { id } of due)
        delayed.service.app.get(Jobs).add(tx, staff(), sendEmail, { email_id: id, is_first: state === 'pending' }, { id: newId() });
    });

  it('waits until the change can no longer be undone, and is then sent with the survey', async () => {
    const begun = Date.now();
    const ticket = await change(openTicket(), 'resolved');
    await delayed.allIsConsumed();
    const [row, ...others] = await rows(ticket);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ kind: 'ticket_resolved', state: 'pending' });
    expect(Date.parse(row!.due_at!) - begun).toBeGreaterThan((delaySeconds - 1) * 1_000);
    expect(await surveys(ticket)).toEqual([]);
    expect(await mailbox.find({ to: ticket.customer_email })).toEqual([]);
    await makeDue(ticket);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.text).toContain('&rating=5');
  });
  it('is sent once each, and claimed together, if many are due at once', async () => {
    const tickets = await Promise.all(Array.from({ length: 30 }, () => change(openTicket(), 'resolved')));
    await delayed.allIsConsumed();
    await makeAllDue(tickets.map(({ id }) => id));
    const own = new Set<string | null>(tickets.map(({ id }) => id));
    const found = async () => (await delayed.emails(customers)).filter(({ ticket_id }) => own.has(ticket_id));
    await eventually(async () => {
      const sent = { state: 'sent', attempts: 1, kind: 'ticket_resolved' };
      expect(await found()).toMatchObject(tickets.map(() => sent));
    });
    for (const { customer_email } of tickets) expect(await mailbox.find({ to: customer_email })).toHaveLength(1);
    // `sent_at` is the time of the transaction that stored the result.
    const stored = new Set((await found()).map(({ sent_at }) => sent_at));
    expect(stored.size).toBeLessThan(tickets.length / 2);
  });
  it('is sent by another job, without a sweep, if PostgreSQL’s clock says that it is not due yet', async () => {
    const unswept = await NotificationsUnderTest.start({ STATUS_EMAIL_DELAY_SECONDS: '2', SWEEP_MS: '600000' });
    const organization = await unswept.anOrganization();
    const ticket = {
      ...unswept.ticket(organization, { customer_email: `${newId()}@example.com` }),
      status: 'resolved' as const,
      version: 2,
    };
    await unswept.announce(unswept.as(organization, 'agent'), ticketResolved, ticket.id, { ticket });
    await unswept.allIsConsumed();
    await unswept.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .updateTable('emails')
        .set({ due_at: sql<string>`now() + interval '4 seconds'` })
        .execute(),
    );
    await mailbox.waitFor({ to: ticket.customer_email });
    await eventually(async () => expect(await unswept.emails(organization)).toMatchObject([{ state: 'sent', attempts: 1 }]));
  });
  it.each(['resolved', 'closed', 'waiting_for_customer'] as const)('is not sent if the change to %s was undone', async (status) => {
    const ticket = await change(openTicket(), status);
    await delayed.allIsConsumed();
    expect(await rows(ticket)).toHaveLength(1);
    await change(ticket, 'open');
    await delayed.allIsConsumed();
    await makeDue(ticket);
    await eventually(async () => expect(await rows(ticket)).toEqual([]));
    expect(await mailbox.find({ to: ticket.customer_email })).toEqual([]);
    expect(await surveys(ticket)).toEqual([]);
  });
  it('is sent once for a ticket that is reopened and resolved again, even if the events arrive in another order', async () => {
    const first = { ...openTicket(), status: 'resolved' as const, version: 2 };
    const again = { ...first, version: 4 };
    const update = (version: number, from: string, to: 'open' | 'resolved') =>
      delayed.announce(staff(), ticketUpdated, first.id, { ticket: { ...first, status: to, version }, changes: { status: { from, to } } });
    await delayed.announce(staff(), ticketResolved, first.id, { ticket: again });
    await update(4, 'open', 'resolved');
    await update(3, 'resolved', 'open');
    await update(2, 'open', 'resolved');
    await delayed.announce(staff(), ticketResolved, first.id, { ticket: first });
    await delayed.allIsConsumed();
    await makeDue(first);
    await eventually(async () => expect(await rows(first)).toMatchObject([{ kind: 'ticket_resolved', state: 'sent' }]));
    expect(await mailbox.find({ to: first.customer_email })).toHaveLength(1);
  });
  it('is sent, with its survey, after a worker was killed between claiming and sending it', async () => {
    const ticket = await change(openTicket(), 'resolved');
    await delayed.allIsConsumed();
    // The state that a killed worker leaves: the survey is decided in the transaction of the claim.
    await delayed.db.forTenant({ organization_id: customers.id }, async (tx) => {
      await tx.insertInto('survey_invitations').values({ organization_id: customers.id, ticket_id: ticket.id }).execute();
      const [row] = await tx.selectFrom('emails').selectAll().where('ticket_id', '=', ticket.id).execute();
      const data = JSON.stringify({ ...row!.data, survey: true });
      await tx.updateTable('emails').set({ data }).where('id', '=', row!.id).execute();
    });
    await makeDue(ticket, 'sending');
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.text).toContain('&rating=5');
    await eventually(async () => expect(await rows(ticket)).toMatchObject([{ state: 'sent' }]));
    expect(await mailbox.find({ to: ticket.customer_email })).toHaveLength(1);
  });
});
