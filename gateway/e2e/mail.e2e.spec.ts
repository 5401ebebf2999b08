import type { Comment, InboundMail, OriginalMail, OutputOf, listTicketEmails, PublicTicket, Ticket } from '@tandem/contracts';
import { eventually, mailbox, type Mail } from '@tandem/testing';
import { SmtpListener } from '@tandem/tickets/src/mail-in/smtp-listener';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { anAddress } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { colleague } from './team';

let app: TestApp;
let ada: OwnerSession;
let port: number;

beforeAll(async () => {
  app = await startTestApp({ MAIL_IN_PORT: '0' });
  ada = await app.signUpOwner('Analytical Engines');
  port = app.services.tickets.app.get(SmtpListener).port!;
});

const support = () => `support@${ada.organization.subdomain}.tandem.localhost`;
/** Delivers an email as the customer's mail server would. */
async function send(mail: SendMailOptions): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}
const header = (mail: Mail, name: string): string => mail.headers[name] ?? '';
const ticketsOf = async (address: string) =>
  (await ada.browser.get<Ticket[]>(`/tickets?customer_email=${encodeURIComponent(address)}`)).data;
const commentsOf = async (id: string) => (await ada.browser.get<Comment[]>(`/tickets/${id}/comments`)).data;

it('an email becomes a ticket, and replies in both directions stay in one ticket and one email thread', async () => {
  const customer = anAddress('customer');
  const first = {
    from: `"Carla" <${customer}>`,
    to: support(),
    subject: 'It squeaks',
    messageId: '<first@home.example>',
    text: 'Since Monday.',
  };
  // Refused until the tickets service knows the new organization.
  await eventually(() => send(first));
  const [ticket] = await eventually(async () => {
    const found = await ticketsOf(customer);
    expect(found).toHaveLength(1);
    return found;
  });
  const { data: whole } = await ada.browser.get<Ticket>(`/tickets/${ticket!.id}`);
  expect(whole).toMatchObject({ subject: 'It squeaks', description: 'Since Monday.', customer_name: 'Carla', channel: 'email' });
  const confirmation = await mailbox.waitFor({ to: customer });
  expect(header(confirmation, 'in-reply-to')).toContain('first@home.example');

  await ada.browser.post(`/tickets/${ticket!.id}/comments`, { content: 'Have you oiled it?' });
  const reply = await mailbox.waitFor({ to: customer, subject: /Re: It squeaks$/ });
  expect(reply.text).toContain('Have you oiled it?');
  expect(header(reply, 'references')).toContain('first@home.example');
  expect(header(reply, 'auto-submitted')).toBe('');

  await send({
    from: customer,
    to: header(reply, 'reply-to'),
    subject: reply.subject,
    inReplyTo: header(reply, 'message-id'),
    messageId: '<second@home.example>',
    text: `It helped, thanks.\n\n${reply.text.replace(/^/gm, '> ')}`,
  });
  const comments = await eventually(async () => {
    const found = await commentsOf(ticket!.id);
    expect(found).toHaveLength(2);
    return found;
  });
  expect(comments[1]).toMatchObject({ content: 'It helped, thanks.', is_from_customer: true, has_original: true });
  const original = await ada.browser.get<OriginalMail>(`/tickets/${ticket!.id}/original?comment_id=${comments[1]!.id}`);
  expect(original.data.quoted_text).toContain('Have you oiled it?');

  // The log entry for a sent email is written after the email has arrived.
  await eventually(async () => {
    const log = await ada.browser.get<OutputOf<typeof listTicketEmails>>(`/tickets/${ticket!.id}/emails`);
    expect(log.data.emails.map(({ kind, state }) => [kind, state])).toEqual([
      ['ticket_reply', 'sent'],
      ['ticket_created', 'sent'],
    ]);
  });
});

it('an email from another sender with a valid token becomes an internal note; a token of another organization is refused', async () => {
  const customer = anAddress('customer');
  const ticket = await app.ticket(ada.browser, { customer_email: customer });
  const assigned_to = ada.session.profile.user_id;
  await eventually(async () => expect((await ada.browser.patch(`/tickets/${ticket.id}`, { assigned_to })).status).toBe(200));
  const { headers } = await mailbox.waitFor({ to: customer });
  await send({ from: 'eve@stranger.example', to: headers['reply-to']!, subject: 'Re', text: 'Send it to my address' });
  await eventually(async () => expect(await commentsOf(ticket.id)).toMatchObject([{ is_internal: true, is_from_customer: false }]));
  await eventually(async () => {
    const { data } = await ada.browser.get<{ kind: string; ticket_id: string; actor_name: string }[]>('/notifications');
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'customer_replied', ticket_id: ticket.id, actor_name: 'eve@stranger.example' }),
    );
  });
  const page = app.browser(ada.portalHost);
  const seen = await page.get<PublicTicket>(`/public/tickets/${ticket.id}?email=${encodeURIComponent(customer)}`);
  expect(seen.data.comments).toEqual([]);

  const bob = await app.signUpOwner('Babbage');
  const elsewhere = headers['reply-to']!.replace(ada.organization.subdomain!, bob.organization.subdomain!);
  await expect(send({ from: customer, to: elsewhere, subject: 'Re', text: 'x' })).rejects.toMatchObject({ responseCode: 550 });
});

it('the original email is shown sandboxed, and loads remote images on request only', async () => {
  const customer = anAddress('customer');
  const html = '<p>Hello <b>there</b></p><script>alert(1)</script><img src="https://spy.example/x.png" onerror="alert(2)">';
  await send({ from: customer, to: support(), subject: 'Colours', html });
  const ticket = await eventually(async () => (await ticketsOf(customer))[0]!.id);
  const page = await ada.browser.get(`/tickets/${ticket}/original/page`);
  expect(page.text).toContain('<b>there</b>');
  expect(page.text).not.toMatch(/script|onerror| src="https/);
  const policy = (answer: typeof page) => answer.headers.get('content-security-policy');
  expect(policy(page)).toContain("default-src 'none'");
  expect(policy(page)).toContain('sandbox');
  expect(policy(page)).not.toContain('https:');
  expect(page.headers.get('x-frame-options')).toBeNull();
  const withPictures = await ada.browser.get(`/tickets/${ticket}/original/page?pictures=true`);
  expect(withPictures.text).toContain(' src="https://spy.example/x.png"');
  expect(policy(withPictures)).toContain('img-src data: https:');
  expect(codeOf(await app.browser().get(`/tickets/${ticket}/original/page`))).toBe('401 session.required');
  const bob = await app.signUpOwner('Difference');
  expect(codeOf(await bob.browser.get(`/tickets/${ticket}/original/page`))).toBe('404 ticket.not_found');
  expect(codeOf(await ada.browser.get('/tickets/not-an-id/original/page'))).toBe('422 request.invalid');
  const plain = await app.ticket(ada.browser);
  expect(codeOf(await ada.browser.get(`/tickets/${plain.id}/original/page`))).toBe('404 email.not_found');
});

it('a bounce notifies staff and stops emails to the address until an agent retries', async () => {
  const customer = anAddress('customer');
  const ticket = await app.ticket(ada.browser, { customer_email: customer });
  const { headers } = await mailbox.waitFor({ to: customer });
  const report = [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    'Subject: Undelivered Mail Returned to Sender',
    'From: MAILER-DAEMON@mx.example',
    'MIME-Version: 1.0',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nIt did not work.',
    `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ${customer}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user`,
    `--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: ${headers['message-id']}\r\nSubject: x\r\n\r\nx\r\n--b--`,
  ].join('\r\n');
  await send({ envelope: { from: '', to: support() }, raw: report });
  type Log = OutputOf<typeof listTicketEmails>;
  const logOf = async () => (await ada.browser.get<Log>(`/tickets/${ticket.id}/emails`)).data;
  await eventually(async () => expect((await logOf()).bounced).toMatchObject([{ address: customer }]));
  await eventually(async () => {
    const { data } = await ada.browser.get<{ kind: string; ticket_id: string }[]>('/notifications');
    expect(data).toContainEqual(expect.objectContaining({ kind: 'delivery_failed', ticket_id: ticket.id }));
  });
  await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Are you there?' });
  const failed = await eventually(async () => {
    const mail = (await logOf()).emails.find(({ kind }) => kind === 'ticket_reply');
    expect(mail).toMatchObject({ state: 'failed' });
    return mail!;
  });
  expect(await mailbox.find({ to: customer })).toHaveLength(1);
  expect((await ada.browser.post(`/emails/${failed.id}/retry`, {})).status).toBe(200);
  await eventually(async () => expect(await mailbox.find({ to: customer })).toHaveLength(2));
  expect((await logOf()).bounced).toEqual([]);
});

it('only admins can read the log of inbound emails', async () => {
  const customer = anAddress('customer');
  await send({ from: customer, to: support(), subject: 'Gone', text: 'x', headers: { 'Auto-Submitted': 'auto-replied' } });
  await eventually(async () => {
    const { data } = await ada.browser.get<InboundMail[]>('/mail-in/mails?outcome=ignored');
    expect(data).toContainEqual(expect.objectContaining({ from_address: customer, subject: 'Gone', reason: 'automatic', ticket_id: null }));
  });
  const grace = await colleague(app, ada, 'agent');
  expect(codeOf(await grace.browser.get('/mail-in/mails'))).toBe('403 permission.denied');
});
