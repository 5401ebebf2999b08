import { systemContext, type CustomerFollowUp, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually, organizationOf } from '@tandem/testing';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MailInUnderTest } from '../../test/mail-in';
import type { TestOrganization } from '../../test/tickets';
import { mergeTickets } from '../merge/merge.service';
import { saveOrganization } from '../projection/identity-projection.store';
import { anonymizeTickets } from '../retention/anonymize-tickets.store';
import { changeTicket } from '../ticket/ticket.service';
import { BounceDomains } from './bounce-domains';
import { insertInboundMail } from './inbound.store';
import { MailWorker } from './mail.worker';
import { RecentMails, recentMailLimits } from './recent-mails';
import { saveConnection } from './mailbox.store';

let mailIn: MailInUnderTest;
let organization: TestOrganization;
beforeAll(async () => (mailIn = await MailInUnderTest.start()));
beforeEach(async () => (organization = await mailIn.tickets.anOrganization()));
afterAll(() => mailIn?.tickets.close());

const ctx = () => systemContext(organization.id, 'test');
const change = (ticket: Ticket, patch: Parameters<typeof changeTicket>[3]) =>
  mailIn.tickets.db.forTenant(ctx(), (tx) => changeTicket(tx, ctx(), ticket.id, patch));
const allow = (customer_follow_up: CustomerFollowUp) =>
  mailIn.tickets.db.forTenant(ctx(), (tx) => saveOrganization(tx, organizationOf(organization.id, { customer_follow_up }), 2));
const eventsOf = async (ticket_id: string) => (await mailIn.tickets.events(ticket_id)).map(({ type, actor }) => `${type} by ${actor.type}`);
const lastEvent = async (type: string) => (await mailIn.tickets.eventsOf(organization)).findLast((event) => event.type === type);

describe('an email to the address of an organization', () => {
  it('becomes a ticket of its sender with the whole text', async () => {
    const row = await mailIn.become(organization, {
      from: '"Carla Cruz" <Carla@Example.com>',
      subject: 'Fire',
      text: 'It burns.\n\n> Is it on?',
    });
    expect(row).toMatchObject({ outcome: 'ticket', reason: null, raw: null, from_address: 'carla@example.com', subject: 'Fire' });
    expect(await mailIn.ticketsOf(organization)).toMatchObject([
      {
        id: row.ticket_id,
        subject: 'Fire',
        customer_email: 'carla@example.com',
        customer_name: 'Carla Cruz',
        channel: 'email',
        status: 'open',
      },
    ]);
    expect((await mailIn.ticket(organization, row.ticket_id!)).description).toContain('> Is it on?');
    const received = (await mailIn.tickets.events(row.ticket_id!)).find(({ type }) => type === 'mail.received');
    expect(received).toMatchObject({ data: { ticket_id: row.ticket_id, comment_id: null, message_id: row.message_id, subject: 'Fire' } });
  });
  it('keeps the addresses in Cc, without the sender’s and ours', async () => {
    const row = await mailIn.become(organization, {
      from: 'carla@example.com',
      cc: ['"Bob, B." <Bob@Example.com>', 'carla@example.com', mailIn.support(organization), 'eve@example.com'],
    });
    expect((await mailIn.ticket(organization, row.ticket_id!)).cc).toEqual(['bob@example.com', 'eve@example.com']);
  });
  it('does not keep the address of the organization’s mailbox in Cc', async () => {
    const own = await mailIn.tickets.anOrganization();
    await mailIn.tickets.db.forTenant({ organization_id: own.id }, (tx) =>
      saveConnection(tx, {
        ...{ organization_id: own.id, id: newId(), host: 'imap.acme.example', port: 993, username: 'Help@acme.example' },
        ...{ sealed_password: 'k.a.b.c', folder: 'INBOX', is_active: false },
      }),
    );
    const row = await mailIn.become(own, { from: 'carla@example.com', cc: ['help@acme.example', 'bob@example.com'] });
    expect((await mailIn.ticket(own, row.ticket_id!)).cc).toEqual(['bob@example.com']);
  });
  it('attaches its files, lists skipped ones and stores the original', async () => {
    const attachments = [
      { filename: 'notes.txt', content: 'noon' },
      { filename: 'setup.exe', content: 'MZ' },
    ];
    const row = await mailIn.become(organization, { text: '', html: '<p>See <b>this</b></p>', attachments });
    expect(
      (await mailIn.files(organization)).map(({ file_name, content_type, ticket_id }) => [file_name, content_type, ticket_id]),
    ).toEqual([['notes.txt', 'text/plain', row.ticket_id]]);
    const [note] = await mailIn.comments(organization, row.ticket_id!);
    expect(note).toMatchObject({ is_internal: true, content: expect.stringContaining('setup.exe (a program)') as string });
    expect(await mailIn.originals(organization)).toMatchObject([
      { ticket_id: row.ticket_id, comment_id: null, html: expect.stringContaining('<b>this</b>') as string },
    ]);
  });
  describe('of more than a megabyte', () => {
    const raw = () =>
      Buffer.from(`From: carla@example.com\r\nSubject: Large\r\n\r\n${'It burns.\r\n'.repeat(recentMailLimits.minBytes / 11)}`);
    const store = async (bytes: Buffer | null) => {
      const { length: size } = raw();
      const row = { organization_id: organization.id, id: newId(), to_address: mailIn.support(organization), envelope_from: '', size };
      const unprocessed = { ...row, digest: row.id, outcome: null, reason: null };
      await mailIn.tickets.db.forTenant(ctx(), (tx) => insertInboundMail(tx, unprocessed, bytes && [bytes]));
      return row.id;
    };
    const process = async (inbound_id: string) => {
      await mailIn.tickets.app.get(MailWorker).process(ctx(), { inbound_id }, { last: false });
      expect(await mailIn.rows(organization)).toMatchObject([{ outcome: 'ticket', subject: 'Large', raw: null }]);
    };
    it('is not read from the database if this process has just received it', async () => {
      const id = await store(null);
      mailIn.tickets.app.get(RecentMails).add(id, [raw()]);
      await process(id);
    });
    it('is read from the database otherwise', async () => process(await store(raw())));
  });
  it('is processed once if it is delivered twice', async () => {
    const mail = { messageId: `<${newId()}@example.com>`, date: new Date(0), cc: 'team@example.com' };
    expect(await mailIn.become(organization, { ...mail, headers: { received: 'by one' } })).toMatchObject({ outcome: 'ticket' });
    expect(await mailIn.become(organization, { ...mail, headers: { received: 'by another' } })).toMatchObject({
      outcome: 'ignored',
      reason: 'repeat',
      raw: null,
    });
  });
});

describe('a reply is added to its ticket', () => {
  it('by the token of the address, as the customer, with only the new text', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    await change(ticket, { status: 'waiting_for_customer' });
    const text = 'Yes, it is.\n\nOn Mon, Jan 1, 2030 at 10:00 Acme Support <support@acme.test> wrote:\n> Is it on?\n';
    const row = await mailIn.become(organization, { to: mailIn.reply(organization, ticket.id).toUpperCase(), text });
    expect(row).toMatchObject({ outcome: 'comment', ticket_id: ticket.id, raw: null });
    expect(await mailIn.comments(organization, ticket.id)).toMatchObject([
      {
        id: row.comment_id,
        content: 'Yes, it is.',
        is_internal: false,
        is_from_customer: true,
        customer_email: 'carla@example.com',
        has_original: true,
      },
    ]);
    expect(await mailIn.originals(organization)).toMatchObject([
      { comment_id: row.comment_id, quoted_text: expect.stringContaining('Is it on?') as string },
    ]);
    expect((await mailIn.ticket(organization, ticket.id)).status).toBe('open');
    expect(await eventsOf(ticket.id)).toEqual(expect.arrayContaining(['ticket.comment.added by customer', 'mail.received by customer']));
  });
  it('with further addresses in Cc, and with notes by people in Cc', async () => {
    const { ticket_id } = await mailIn.become(organization, { from: 'carla@example.com', cc: 'bob@example.com' });
    const to = mailIn.reply(organization, ticket_id!);
    const reply = await mailIn.become(organization, { from: 'carla@example.com', to, cc: 'eve@example.com' });
    expect(reply).toMatchObject({ outcome: 'comment', reason: null });
    expect((await mailIn.ticket(organization, ticket_id!)).cc).toEqual(['bob@example.com', 'eve@example.com']);
    expect(await mailIn.become(organization, { from: 'bob@example.com', to, text: 'I saw it too.' })).toMatchObject({ outcome: 'note' });
    expect((await mailIn.comments(organization, ticket_id!)).at(-1)).toMatchObject({
      content: 'From bob@example.com, in Cc on this ticket:\n\nI saw it too.',
      is_internal: true,
    });
  });
  it('by a token in Cc if it is sent to another address of the installation', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    const row = await mailIn.become(organization, {
      envelope: { from: 'carla@example.com', to: mailIn.support(organization) },
      cc: mailIn.reply(organization, ticket.id),
    });
    expect(row).toMatchObject({ outcome: 'comment', ticket_id: ticket.id });
  });
  it('by the Message-ID of our email or of an earlier one of its sender', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    const ours = await mailIn.become(organization, { references: [mailIn.tokens.messageId(newId(), ticket.id), '<x@example.com>'] });
    expect(ours).toMatchObject({ outcome: 'comment', ticket_id: ticket.id });
    const theirs = await mailIn.become(organization, { inReplyTo: ours.message_id!, subject: 'And another thing' });
    expect(theirs).toMatchObject({ outcome: 'comment', ticket_id: ticket.id });
  });
  it('by the number in its subject, only from the customer of the ticket', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    const subject = `Re: [${ticket.ticket_number.toLowerCase()}] Fire`;
    expect(await mailIn.become(organization, { subject })).toMatchObject({
      outcome: 'comment',
      ticket_id: ticket.id,
      reason: 'number_alone',
    });
    const other = await mailIn.become(organization, { subject, from: 'otto@example.com' });
    expect(other.outcome).toBe('ticket');
    expect(other.ticket_id).not.toBe(ticket.id);
  });
  it('as part of the ticket that its ticket was merged into', async () => {
    const [source, target] = [await mailIn.tickets.aTicket(organization), await mailIn.tickets.aTicket(organization)];
    await mailIn.tickets.db.forTenant(ctx(), (tx) => mergeTickets(tx, ctx(), source.id, target.id));
    expect(await mailIn.become(organization, { to: mailIn.reply(organization, source.id) })).toMatchObject({
      outcome: 'comment',
      ticket_id: target.id,
    });
  });
  it('but never to an anonymized ticket: it opens a new one', async () => {
    const ticket = await change(await mailIn.tickets.aTicket(organization), { status: 'closed' });
    await mailIn.tickets.db.forTenant(ctx(), (tx) => anonymizeTickets(tx, organization.id, [ticket.id]));
    const row = await mailIn.become(organization, { to: mailIn.reply(organization, ticket.id) });
    expect(row.outcome).toBe('ticket');
    expect(await mailIn.ticket(organization, row.ticket_id!)).toMatchObject({ customer_email: 'carla@example.com', follow_up_of_id: null });
    expect(await mailIn.comments(organization, ticket.id)).toEqual([]);
  });
  it('but never to a ticket of another organization, by Message-ID or number', async () => {
    const elsewhere = await mailIn.tickets.anOrganization();
    const ticket = await mailIn.tickets.aTicket(elsewhere);
    const row = await mailIn.become(organization, {
      envelope: { from: 'carla@example.com', to: mailIn.support(organization) },
      inReplyTo: mailIn.tokens.messageId(newId(), ticket.id),
      cc: mailIn.reply(elsewhere, ticket.id),
      subject: `[${ticket.ticket_number}]`,
    });
    expect(row.outcome).toBe('ticket');
    expect(await mailIn.comments(elsewhere, ticket.id)).toEqual([]);
  });
});

describe('a reply to a resolved ticket, by setting ›', () => {
  const done = async () => change(await mailIn.tickets.aTicket(organization), { status: 'resolved' });
  const answer = async (ticket: Ticket) => mailIn.become(organization, { to: mailIn.reply(organization, ticket.id) });
  it('locked: is refused, and notifies the customer once a day', async () => {
    const ticket = await done();
    expect(await answer(ticket)).toMatchObject({ outcome: 'refused', reason: 'locked', ticket_id: ticket.id, raw: null });
    expect(await answer(ticket)).toMatchObject({ outcome: 'refused', reason: 'locked' });
    const refused = (await mailIn.tickets.events(ticket.id)).filter(({ type }) => type === 'mail.refused');
    expect(refused).toMatchObject([{ data: { ticket_number: ticket.ticket_number, email: 'carla@example.com' } }]);
    expect([await mailIn.comments(organization, ticket.id), (await mailIn.ticket(organization, ticket.id)).status]).toEqual([
      [],
      'resolved',
    ]);
  });
  it('reopen: reopens the ticket', async () => {
    await allow('reopen');
    const ticket = await done();
    expect(await answer(ticket)).toMatchObject({ outcome: 'comment', ticket_id: ticket.id });
    expect((await mailIn.ticket(organization, ticket.id)).status).toBe('open');
  });
  it('new_ticket: creates a linked ticket', async () => {
    await allow('new_ticket');
    const ticket = await done();
    const row = await answer(ticket);
    expect(row).toMatchObject({ outcome: 'ticket', comment_id: null });
    expect(await mailIn.ticket(organization, row.ticket_id!)).toMatchObject({ follow_up_of_id: ticket.id, channel: 'email' });
  });
});

describe('emails of other senders', () => {
  it('become internal notes, and do not reopen the ticket', async () => {
    await allow('reopen');
    const ticket = await change(await mailIn.tickets.aTicket(organization), { status: 'resolved' });
    const attachments = [{ filename: 'a.txt', content: 'a' }];
    const row = await mailIn.become(organization, {
      to: mailIn.reply(organization, ticket.id),
      from: 'otto@example.com',
      text: 'I know more.',
      attachments,
    });
    expect(row).toMatchObject({ outcome: 'note', reason: 'unknown_sender', ticket_id: ticket.id });
    expect(await mailIn.comments(organization, ticket.id)).toMatchObject([
      { content: 'From otto@example.com, an unknown sender on this ticket:\n\nI know more.', is_internal: true, is_from_customer: false, customer_email: 'otto@example.com', attachments: [{ file_name: 'a.txt' }] },
    ]); // prettier-ignore
    expect((await mailIn.ticket(organization, ticket.id)).status).toBe('resolved');
    expect(await eventsOf(ticket.id)).not.toContain('mail.received by system');
  });
  it('that are automatic become notes if a token names the ticket, and are ignored otherwise', async () => {
    await allow('reopen');
    const ticket = await change(await mailIn.tickets.aTicket(organization), { status: 'resolved' });
    const headers = { 'auto-submitted': 'auto-replied' };
    const row = await mailIn.become(organization, { to: mailIn.reply(organization, ticket.id), text: 'I am away.', headers });
    expect(row).toMatchObject({ outcome: 'note', reason: 'automatic' });
    expect(await mailIn.comments(organization, ticket.id)).toMatchObject([
      { content: 'Automatic reply from carla@example.com:\n\nI am away.', is_internal: true },
    ]);
    expect((await mailIn.ticket(organization, ticket.id)).status).toBe('resolved');
    expect(await mailIn.become(organization, { headers, subject: `[${ticket.ticket_number}]` })).toMatchObject({
      outcome: 'ignored',
      reason: 'automatic',
    });
  });
  it('that are our own are ignored, which prevents loops', async () => {
    expect(await mailIn.become(organization, { headers: { 'x-tandem-loop': organization.id } })).toMatchObject({
      outcome: 'ignored',
      reason: 'loop',
    });
    expect(await mailIn.become(organization, { from: mailIn.support(organization) })).toMatchObject({ outcome: 'ignored', reason: 'loop' });
    expect(await mailIn.ticketsOf(organization)).toEqual([]);
  });
  it('that are bounces to the domain of an organization find its email, also after it has changed the domain', async () => {
    const [elsewhere, domain, email_id] = [await mailIn.tickets.anOrganization(), `${newId()}.example`, newId()];
    const changed = (id: string, what: 'saved' | 'bounces_verified' | 'deleted') =>
      mailIn.tickets.db.forTenant({ organization_id: id }, (tx) =>
        mailIn.tickets.app.get(BounceDomains).save(systemContext(id, 'test'), { what, domain }, tx),
      );
    const to = mailIn.bounce(organization, email_id, `tnd-bounces.${domain}`);
    const bounce = { raw: report('5.1.1', null), envelope: { from: '', to } };
    // Another organization may enter the same domain; only the owner of its DNS can verify it.
    await changed(organization.id, 'saved');
    await expect(mailIn.send(bounce)).rejects.toMatchObject({ responseCode: 550 });
    await changed(organization.id, 'bounces_verified');
    await changed(elsewhere.id, 'bounces_verified');
    await changed(organization.id, 'deleted');
    expect(await mailIn.become(organization, bounce)).toMatchObject({ outcome: 'bounce', raw: null });
    expect(await lastEvent('mail.bounced')).toMatchObject({ subject: email_id, data: { permanent: true } });
    const forged = mailIn
      .bounce(elsewhere, email_id, `tnd-bounces.${domain}`)
      .replace(/[a-z2-7](?=@)/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const address of [
      forged,
      `support@tnd-bounces.${domain}`,
      mailIn.reply(organization, newId()).replace(/@.*/, `@tnd-bounces.${domain}`),
    ])
      await expect(mailIn.send({ ...bounce, envelope: { from: '', to: address } })).rejects.toMatchObject({ responseCode: 550 });
  });
  it('that are bounces are matched to our email by the token of the address or our Message-ID', async () => {
    const [by_token, by_id] = [newId(), newId()];
    expect(
      await mailIn.become(organization, { raw: report('5.1.1', null), envelope: { from: '', to: mailIn.bounce(organization, by_token) } }),
    ).toMatchObject({ outcome: 'bounce', raw: null });
    expect(await lastEvent('mail.bounced')).toMatchObject({
      subject: by_token,
      data: { email_id: by_token, permanent: true, status: '5.1.1', address: 'gone@example.com' },
    });
    await mailIn.become(organization, {
      raw: report('4.2.2', mailIn.tokens.messageId(by_id, null)),
      envelope: { from: '', to: mailIn.support(organization) },
    });
    expect(await lastEvent('mail.bounced')).toMatchObject({ subject: by_id, data: { permanent: false } });
    const strange = await mailIn.become(organization, {
      raw: report('5.0.0', '<not@ours>'),
      envelope: { from: '', to: mailIn.support(organization) },
    });
    expect(strange).toMatchObject({ outcome: 'ignored', reason: 'unknown_bounce', raw: null });
  });
});

describe('an email that cannot be processed', () => {
  const counters = (prefix: string | null) =>
    mailIn.tickets.db.forTenant(ctx(), async (tx) => {
      if (prefix === null) await tx.deleteFrom('ticket_counters').execute();
      else await tx.insertInto('ticket_counters').values({ organization_id: organization.id, prefix }).execute();
    });
  it('is tried again, and becomes one ticket with its file and no leftovers', async () => {
    await counters(null);
    const attachments = [{ filename: 'a.txt', content: 'a' }];
    await mailIn.send({ from: 'carla@example.com', to: mailIn.support(organization), attachments });
    const [row] = await eventually(async () => ((await mailIn.rows(organization)).length === 1 ? mailIn.rows(organization) : false));
    // The bytes are stored, writing the ticket fails, and they are removed. An outage never refuses the email, even on the last attempt.
    await expect(mailIn.tickets.app.get(MailWorker).process(ctx(), { inbound_id: row!.id }, { last: true })).rejects.toThrow();
    await eventually(async () => expect([await mailIn.outcomes(organization), await mailIn.files(organization)]).toEqual([[null], []]));
    await counters('ACM');
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
    const [ticket, ...others] = await mailIn.ticketsOf(organization);
    expect(others).toEqual([]);
    expect(await mailIn.files(organization)).toMatchObject([{ ticket_id: ticket!.id }]);
    expect(await readdir(join(mailIn.tickets.filesDirectory, organization.id))).toHaveLength(1);
  });
  it('is refused with its reason after the last attempt, and its bytes are kept', async () => {
    const row = {
      organization_id: organization.id,
      id: newId(),
      to_address: mailIn.support(organization),
      envelope_from: '',
      size: 5,
    };
    await mailIn.tickets.db.forTenant(ctx(), (tx) => insertInboundMail(tx, { ...row, digest: 'none', outcome: null, reason: null }, null));
    const work = mailIn.tickets.app.get(MailWorker).process(ctx(), { inbound_id: row.id }, { last: true });
    await expect(work).rejects.toThrow('The email could not be processed');
    expect(await mailIn.rows(organization)).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/^failed: /) as string }]);
  });
  it('is refused if it has no sender, and its bytes are kept', async () => {
    const row = await mailIn.become(organization, { raw: 'no mail at all', envelope: { from: '', to: mailIn.support(organization) } });
    expect(row).toMatchObject({ outcome: 'refused', reason: 'no_sender', raw: expect.any(Buffer) as Buffer });
  });
});

it('processed emails are deleted after 30 days', async () => {
  const old = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
  await mailIn.become(organization, { subject: 'Old' });
  await mailIn.become(organization, { subject: 'New', from: 'otto@example.com' });
  await mailIn.tickets.db.forTenant(ctx(), (tx) =>
    tx.updateTable('inbound_mails').set({ received_at: old }).where('subject', '=', 'Old').execute(),
  );
  await eventually(async () => expect((await mailIn.rows(organization)).map(({ subject }) => subject)).toEqual(['New']));
});

const report = (status: string, original: string | null) =>
  [
    'From: MAILER-DAEMON@mx.example.com',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <${newId()}@mx.example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.',
    `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; gone@example.com\r\nAction: failed\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; 550 no such user`,
    ...(original === null ? [] : [`--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${original}\r\nSubject: Ours`]),
    '--b--',
    '',
  ].join('\r\n');
