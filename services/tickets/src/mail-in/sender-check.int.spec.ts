import { generateKeyPairSync } from 'node:crypto';
import { listComments, listInboundMails, readPublicTicket, type Comment, type InboundMail } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { DnsServer, eventually } from '@tandem/testing';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailInUnderTest } from '../../test/mail-in';
import { asCustomer, asStaff, type TestOrganization } from '../../test/tickets';
import type { InboundMailRow } from '../schema';
import { MailIntake } from './mail-intake';
import { checkSender } from './sender-check';
import { notChecked } from './sender-checks';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = { domainName: 'example.com', keySelector: 's1', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const client = { address: '198.51.100.7', name: 'mx.example.com' };
const stranger = { address: '203.0.113.66', name: 'botnet.example.net' };

let dns: DnsServer;
let mailIn: MailInUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  dns = await DnsServer.start();
  mailIn = await MailInUnderTest.start({ DNS_SERVERS: dns.address });
});
beforeEach(async () => {
  organization = await mailIn.tickets.anOrganization();
  dns.isSilent = false;
  dns.records.clear();
  publish('reject');
});
afterAll(async () => {
  await mailIn?.tickets.close();
  dns?.close();
});

/** Publishes the DNS records of example.com: one sending address, a DKIM key, and this DMARC policy. */
function publish(policy: string): void {
  dns.records.set('example.com', [['v=spf1 ip4:198.51.100.7 -all']]);
  dns.records.set('s1._domainkey.example.com', [keyRecord.match(/.{1,200}/g)!]);
  dns.records.set('_dmarc.example.com', [[`v=DMARC1; p=${policy}`]]);
}

/** An email as bytes, optionally signed by nodemailer, an implementation independent of the one that verifies. */
async function write(mail: SendMailOptions, signed: boolean): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...(signed ? { dkim } : {}) });
  const common = { from: 'carla@example.com', to: mailIn.support(organization), subject: 'Fire', messageId: `<${newId()}@example.com>` };
  const { message } = await transport.sendMail({ ...common, text: 'It burns.', ...mail });
  return Buffer.isBuffer(message) ? message : Buffer.from('');
}

const check = async (raw: Buffer, envelope_from: string, from: typeof client | undefined) =>
  (await checkSender(raw, envelope_from, from, { servers: [dns.address], mta: 'mail.test' })).checks;

interface Arrival {
  mail?: SendMailOptions;
  to?: string;
  from?: typeof client;
  signed?: boolean;
}
async function arrive({ mail = {}, to, from, signed = false }: Arrival): Promise<InboundMailRow> {
  const raw = await write(mail, signed);
  const envelope = { to_address: to ?? mailIn.support(organization), envelope_from: 'carla@example.com' };
  await mailIn.tickets.app.get(MailIntake).accept(organization.id, { raw: [raw], ...envelope, client: from });
  return eventually(async () => {
    const row = (await mailIn.rows(organization)).at(-1);
    if (!row?.outcome) throw new Error('The email is still unprocessed');
    return row;
  });
}
const staffComments = async (id: string) =>
  (await mailIn.tickets.call<Comment[]>(listComments, asStaff(organization), { params: { id } })).data as Comment[];

describe('sender checks › of an email', () => {
  it('pass with a signature of the domain in From, from the address that the domain sends from', async () => {
    const row = await arrive({ from: client, signed: true });
    expect(row).toMatchObject({ outcome: 'ticket', checks: { spf: 'pass', dkim: 'pass', dmarc: 'pass', policy: 'reject' } });
    expect(await staffComments(row.ticket_id!)).toEqual([]);
  });
  it('fail from another address without a signature; the ticket gets a note, and no confirmation is sent', async () => {
    const row = await arrive({ from: stranger });
    expect(row).toMatchObject({ outcome: 'ticket', checks: { spf: 'fail', dkim: 'none', dmarc: 'fail', policy: 'reject' } });
    expect(await staffComments(row.ticket_id!)).toMatchObject([
      { is_internal: true, content: expect.stringContaining('DMARC failed') as string },
    ]);
    const opened = (await mailIn.tickets.events(row.ticket_id!)).find(({ type }) => type === 'ticket.created');
    expect(opened?.data).toMatchObject({ quiet: true });
  });
  it('fail when the body was changed after it was signed', async () => {
    const raw = Buffer.from((await write({}, true)).toString().replace('It burns.', 'Pay me.'));
    const found = await check(raw, 'carla@example.com', stranger);
    expect(found).toEqual({ spf: 'fail', dkim: 'fail', dmarc: 'fail', policy: 'reject' });
  });
  it('leave SPF and a DMARC failure open when the SMTP client is unknown', async () => {
    expect(await arrive({ signed: true })).toMatchObject({ checks: { spf: 'not_checked', dkim: 'pass', dmarc: 'pass' } });
    expect(await arrive({})).toMatchObject({ checks: { spf: 'not_checked', dkim: 'none', dmarc: 'not_checked' } });
  });
  it('are none for a domain without records', async () => {
    dns.records.clear();
    expect(await arrive({ from: stranger })).toMatchObject({ checks: { spf: 'none', dkim: 'none', dmarc: 'none', policy: null } });
  });
  it('are left open when DNS does not answer, and the email still arrives', async () => {
    dns.isSilent = true;
    expect(await arrive({ from: client, signed: true })).toMatchObject({ outcome: 'ticket', checks: notChecked });
  });
  it('are not made for an email with more signatures than a sender needs', async () => {
    const asked = dns.asked.length;
    const raw = Buffer.concat([Buffer.from('DKIM-Signature: v=1; d=example.com; s=s1\r\n'.repeat(11)), await write({}, false)]);
    expect(await check(raw, 'carla@example.com', client)).toEqual(notChecked);
    expect(dns.asked).toHaveLength(asked);
  });
  it('verify both signatures of the example in RFC 8463, appendix A', async () => {
    dns.records.set('brisbane._domainkey.football.example.com', [['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=']]);
    dns.records.set('test._domainkey.football.example.com', [[
      'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/b',
      'yYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB',
    ]]); // prettier-ignore
    const checkText = (raw: string) => check(Buffer.from(raw), '', undefined);
    for (const signature of [rfc8463.ed25519, rfc8463.rsa]) {
      expect(await checkText(signature + rfc8463.message)).toMatchObject({ dkim: 'pass' });
      expect(await checkText(signature + rfc8463.message.replace('hungry', 'thirsty'))).toMatchObject({ dkim: 'fail' });
    }
  });
});

describe('sender checks › a reply that matches its ticket by number only', () => {
  const answer = async (arrival: Arrival) => {
    const ticket = await mailIn.tickets.aTicket(organization);
    const row = await arrive({ ...arrival, mail: { subject: `Re: [${ticket.ticket_number}] Fire`, ...arrival.mail } });
    return { ticket, row, comments: await staffComments(ticket.id) };
  };
  it('is marked for staff, and never for the customer', async () => {
    publish('none');
    const { ticket, row, comments } = await answer({ from: stranger });
    expect(row).toMatchObject({ outcome: 'comment', reason: 'number_alone' });
    expect(comments).toMatchObject([
      { is_from_customer: true, email_proof: { matched_by: 'number', checks: { dmarc: 'fail', policy: 'none' } } },
    ]);
    const seen = await mailIn.tickets.call(readPublicTicket, asCustomer(organization.id), {
      params: { id: ticket.id },
      query: { email: ticket.customer_email },
    });
    expect(seen.status).toBe(200);
    expect(JSON.stringify(seen.data)).toContain('It burns.');
    expect(JSON.stringify(seen.data)).not.toContain('email_proof');
  });
  it('keeps its match and its checks if DMARC passes', async () => {
    const { comments } = await answer({ from: client, signed: true });
    expect(comments).toMatchObject([{ is_from_customer: true, email_proof: { matched_by: 'number', checks: { dmarc: 'pass' } } }]);
  });
  it('is an internal note if the domain in From rejects it by DMARC, and reopens nothing', async () => {
    const { row, comments, ticket } = await answer({ from: stranger });
    expect(row).toMatchObject({ outcome: 'note', reason: 'disowned' });
    expect(comments).toMatchObject([
      { is_internal: true, is_from_customer: false, content: expect.stringMatching(/DMARC failed.*It burns/s) as string },
    ]);
    expect((await mailIn.ticket(organization, ticket.id)).status).toBe(ticket.status);
  });
  it('is the customer’s comment with a token, even if its checks fail: only a recipient has the token', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    expect(await arrive({ to: mailIn.reply(organization, ticket.id), from: stranger })).toMatchObject({ outcome: 'comment', reason: null });
    expect(await staffComments(ticket.id)).toMatchObject([
      { is_from_customer: true, email_proof: { matched_by: 'conversation', checks: { dmarc: 'fail', policy: 'reject' } } },
    ]);
  });
  it('creates a linked ticket with a note about it, if the organization chose new tickets', async () => {
    publish('none');
    await mailIn.tickets.changeSettings(organization, { customer_follow_up: 'new_ticket' });
    const ticket = await mailIn.tickets.aTicket(organization);
    await mailIn.tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('tickets').set({ status: 'closed' }).where('id', '=', ticket.id).execute(),
    );
    const row = await arrive({ from: stranger, mail: { subject: `[${ticket.ticket_number}]` } });
    expect(row).toMatchObject({ outcome: 'ticket', reason: 'number_alone' });
    expect(await staffComments(row.ticket_id!)).toMatchObject([
      { is_internal: true, content: expect.stringContaining('Sent without proof of the sender') as string },
    ]);
  });
});

it('sender checks › are in the list of incoming email', async () => {
  await arrive({ from: client, signed: true });
  const { data } = await mailIn.tickets.call<InboundMail[]>(listInboundMails, asStaff(organization, 'admin'));
  expect(data).toMatchObject([{ checks: { spf: 'pass', dkim: 'pass', dmarc: 'pass', policy: 'reject' } }]);
});

it('sender checks › are not made without DNS servers', async () => {
  const found = await checkSender(await write({}, true), 'carla@example.com', client, { servers: undefined, mta: 'mail.test' });
  expect(found).toEqual({ checks: notChecked });
});

it('sender checks › a private address is not recorded as the client', async () => {
  const row = await mailIn.become(organization, {});
  expect(row).toMatchObject({ client_address: null, checks: { spf: 'not_checked' } });
});

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const rfc8463 = {
  ed25519: crlf(`DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
`),
  rsa: crlf(`DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
`),
  message: crlf(`From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
`),
};
