import { Database, newId } from '@tandem/db';
import { startFlakyProxy, eventually, freshDatabase, organizationOf, startForTest, testEnv } from '@tandem/testing';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { createHash, randomBytes, type Hash } from 'node:crypto';
import { connect } from 'node:net';
import { MailInUnderTest, mailDomain, expectRefusal, sendMail, takesMail } from '../../test/mail-in';
import { TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveOrganization } from '../projection/identity-projection.store';
import type { TicketsSchema } from '../schema';
import { ticketsService } from '../tickets.module';
import { findUnprocessedAcrossOrganizations, insertInboundMail, readRaw, saveMailLabel } from './inbound.store';
import { MailIntake } from './mail-intake';
import { SmtpListener } from './smtp-listener';
import { smtpLimits } from './mail-receiver';

let mailIn: MailInUnderTest;
let organization: TestOrganization;
beforeAll(async () => (mailIn = await MailInUnderTest.start()));
beforeEach(async () => (organization = await mailIn.tickets.anOrganization()));
afterAll(() => mailIn?.tickets.close());

const from = 'carla@example.com';
/** Records that an organization had a subdomain at this time. */
const had = (id: string, subdomain: string, at: string) =>
  mailIn.tickets.db.forTenant({ organization_id: id }, (tx) => saveMailLabel(tx, { id, subdomain }, at));
/** Sends these lines and returns the server's replies. */
async function talk(port: number, lines: string[]): Promise<string[]> {
  const replies: string[] = [];
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('data', (text: string) => {
    replies.push(...text.split('\r\n').filter((line) => /^\d{3} /.test(line)));
    // Send the next line after each reply.
    if (/^\d{3} /m.test(text)) socket.write(`${lines.shift() ?? 'QUIT'}\r\n`);
  });
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  return replies;
}

/** The size of each call of a method, measured when it returns: later, the bytes may have been transferred. */
function sizesOf(target: object, name: string, size: (result: unknown, args: unknown[]) => number): number[] {
  const sizes: number[] = [];
  const original = Reflect.get(target, name) as (...args: unknown[]) => unknown;
  jest.spyOn(target as Record<string, () => unknown>, name).mockImplementation(function (this: unknown, ...args: unknown[]) {
    const result = original.apply(this, args);
    sizes.push(size(result, args));
    return result;
  });
  return sizes;
}

describe('recipients', () => {
  const answerTo = (to: string) => expectRefusal(mailIn.send({ from, to }));
  it('are addresses of organizations; all others are rejected, and nothing is relayed', async () => {
    const elsewhere = await mailIn.tickets.anOrganization();
    const ticket = await mailIn.tickets.aTicket(elsewhere);
    const token = mailIn.reply(elsewhere, ticket.id).split('@')[0];
    const demo = await mailIn.tickets.anOrganization({ demo_ends_at: new Date(Date.now() + 3_600_000).toISOString() });
    const inDemo = await mailIn.tickets.aTicket(demo);
    for (const to of [
      `sales@${organization.id}.${mailDomain}`,
      `support@nobody.${mailDomain}`,
      `support@${newId()}.${mailDomain}`,
      `support@${demo.id}.${mailDomain}`,
      mailIn.reply(demo, inDemo.id),
      `support@${mailDomain}`,
      'someone@example.com',
      `support+abc@${organization.id}.${mailDomain}`,
      `${token}@${organization.id}.${mailDomain}`,
      `someone%example.com@${organization.id}.${mailDomain}`,
    ]) {
      const { responseCode, response } = await answerTo(to);
      expect([to, responseCode, response]).toEqual([to, 550, expect.stringMatching(/^550 5\.1\.1 /) as string]);
    }
    expect([await mailIn.rows(organization), await mailIn.rows(demo)]).toEqual([[], []]);
  });
  it('are found by the current or a former subdomain that no other organization has taken', async () => {
    const [label, later] = [`l${newId()}`, await mailIn.tickets.anOrganization()];
    await had(organization.id, label, '2030-01-01T00:00:00.000Z');
    await mailIn.become(organization, { from, to: `Support@${label.toUpperCase()}.${mailDomain}` });
    await had(later.id, label, '2030-02-01T00:00:00.000Z');
    // Events about the first owner may arrive late or twice.
    await had(organization.id, label, '2030-01-15T00:00:00.000Z');
    await mailIn.become(later, { from, to: `support@${label}.${mailDomain}` });
    expect([(await mailIn.rows(organization)).length, (await mailIn.rows(later)).length]).toEqual([1, 1]);
  });
  it('of one email are stored once, under the most specific address', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    await mailIn.send({ from, to: [mailIn.support(organization), mailIn.reply(organization, ticket.id)], messageId: '<one@example.com>' });
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['comment']));
  });
  it('of one email belong to one organization; the others get 452', async () => {
    const elsewhere = await mailIn.tickets.anOrganization();
    const mail = { from, messageId: '<one@example.com>', date: new Date(0) };
    const { rejected, rejectedErrors } = await mailIn.send({ ...mail, to: [mailIn.support(organization), mailIn.support(elsewhere)] });
    expect([rejected, rejectedErrors]).toEqual([[mailIn.support(elsewhere)], [expect.objectContaining({ responseCode: 452 })]]);
    await mailIn.send({ ...mail, to: mailIn.support(elsewhere) });
    await eventually(async () =>
      expect([await mailIn.outcomes(organization), await mailIn.outcomes(elsewhere)]).toEqual([['ticket'], ['ticket']]),
    );
  });
  it('that are unknown do not affect the others', async () => {
    const { rejected } = await mailIn.send({ from, to: [mailIn.support(organization), 'someone@example.com'] });
    expect(rejected).toEqual(['someone@example.com']);
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
  });
  it('are limited to twenty', async () => {
    const to = Array.from({ length: 21 }, () => mailIn.reply(organization, newId()));
    const replies = await talk(mailIn.port, ['EHLO a', 'MAIL FROM:<>', ...to.map((address) => `RCPT TO:<${address}>`), 'QUIT']);
    expect(replies.filter((line) => line.startsWith('452 4.5.3'))).toHaveLength(1);
  });
});

describe('an email', () => {
  it('is accepted without a sender, in UTF-8 and with eight bits, once it is stored', async () => {
    const replies = await talk(mailIn.port, [
      'EHLO client.example.com',
      'MAIL FROM:<> BODY=8BITMIME SMTPUTF8',
      `RCPT TO:<${mailIn.support(organization)}>`,
      'DATA',
      'From: Zoë <zoë@example.com>\r\nSubject: Grüße\r\n\r\nHallo\r\n.',
    ]);
    expect(replies.map((line) => line.slice(0, 9).trim())).toEqual(['220', '250', '250 2.1.0', '250 2.1.5', '354', '250 2.6.0', '221 2.0.0'].map((line) => expect.stringContaining(line) as string)); // prettier-ignore
    expect(await mailIn.rows(organization)).toMatchObject([{ envelope_from: '' }]);
  });
  it('that is sent again after a lost response is stored once', async () => {
    const raw = `From: ${from}\r\nSubject: Again\r\nMessage-ID: <again@example.com>\r\n\r\nOnce.\r\n`;
    for (let i = 0; i < 3; i++) await mailIn.send({ raw, envelope: { from, to: mailIn.support(organization) } });
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
    expect(await mailIn.ticketsOf(organization)).toHaveLength(1);
  });
  it('of several megabytes is copied and hashed in steps of at most 1 MB outside the parser thread', async () => {
    const file = `${'QUJD'.repeat(19)}\r\n`.repeat(40_000);
    const part = `Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`;
    const body = `From: ${from}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nIt burns.\r\n--b\r\n${part}--b--\r\n.`;
    const bytesOf = (result: unknown) => (result as Buffer | ArrayBuffer).byteLength;
    const copied = [
      sizesOf(Buffer, 'concat', bytesOf),
      sizesOf(ArrayBuffer.prototype, 'slice', bytesOf),
      sizesOf(Buffer.prototype, 'copy', (bytes) => bytes as number),
    ];
    const hashed = sizesOf(Object.getPrototypeOf(createHash('sha256')) as Hash, 'update', (_hash, [data]) =>
      Buffer.byteLength(data as Buffer),
    );
    await talk(mailIn.port, ['EHLO a', `MAIL FROM:<${from}>`, `RCPT TO:<${mailIn.support(organization)}>`, 'DATA', body]);
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
    jest.restoreAllMocks();
    for (const steps of [copied.flat(), hashed]) {
      expect(steps.reduce((sum, bytes) => sum + bytes)).toBeGreaterThanOrEqual(body.length - 1);
      expect(Math.max(...steps)).toBeLessThanOrEqual(1024 * 1024);
    }
    expect(await mailIn.files(organization)).toMatchObject([{ file_name: 'a.zip', size: 40_000 * 57 }]);
  });
  it('that is too large is refused, immediately if its size is declared, and recorded', async () => {
    const large = Buffer.alloc(26 * 1024 * 1024, 'a line of text\r\n');
    expect((await talk(mailIn.port, ['EHLO a', `MAIL FROM:<${from}> SIZE=${large.length}`])).at(-2)).toMatch(/^552 5\.3\.4 /);
    const [row] = await sendUnannounced(large);
    expect(row).toMatchObject({ outcome: 'refused', reason: 'too_large', raw: null, envelope_from: from });
  });
  it('whose connection breaks is discarded, and the listener keeps running', async () => {
    const socket = connect(mailIn.port, '127.0.0.1');
    const lines = ['EHLO a', `MAIL FROM:<${from}>`, `RCPT TO:<${mailIn.support(organization)}>`, 'DATA'];
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (!/^\d{3} /m.test(text)) return;
      const line = lines.shift();
      if (line) socket.write(`${line}\r\n`);
      else socket.write('Subject: half', () => socket.resetAndDestroy());
    });
    await new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
    expect(await talk(mailIn.port, [`\u0000\u0001${'x'.repeat(20_000)}`])).toHaveLength(2);
    expect(await mailIn.become(organization, { from, subject: 'Whole' })).toMatchObject({ subject: 'Whole', outcome: 'ticket' });
    expect(await mailIn.rows(organization)).toHaveLength(1);
  });
  it('that exceeds its time limit is discarded, and its connection is closed without a response', async () => {
    const limit = jest.replaceProperty(smtpLimits, 'dataMs', 300);
    const lines = ['EHLO a', `MAIL FROM:<${from}>`, `RCPT TO:<${mailIn.support(organization)}>`, 'DATA'];
    const replies: string[] = [];
    const socket = connect(mailIn.port, '127.0.0.1').setEncoding('utf8');
    let drip: NodeJS.Timeout | undefined;
    socket.on('data', (text: string) => {
      replies.push(text);
      const line = lines.shift();
      if (line) socket.write(`${line}\r\n`);
      else drip ??= setInterval(() => socket.write('Subject: a byte now and then\r\n'), 20);
    });
    await new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
    clearInterval(drip);
    limit.restore();
    expect(replies.at(-1)).toMatch(/^354 /);
    expect(await mailIn.become(organization, { from, subject: 'In time' })).toMatchObject({ outcome: 'ticket' });
    expect(await mailIn.rows(organization)).toHaveLength(1);
  });
  it.each([
    ['2,000 mails', 2_000, 1],
    ['500 MB', 1, 500 * 1024 * 1024],
  ])('gets 451 while %s of its organization are waiting, without an effect on other organizations', async (_, mails, size) => {
    const elsewhere = await mailIn.tickets.anOrganization();
    const id = organization.id;
    // Received in the future, so that no sweep adds jobs for them.
    await mailIn.tickets.db.forTenant({ organization_id: id }, (tx) =>
      sql`insert into inbound_mails (organization_id, id, to_address, envelope_from, size, digest, received_at)
        select ${id}::uuid, gen_random_uuid(), 'x', '', ${size}::integer, n::text, now() + interval '1 hour'
        from generate_series(1, ${mails}::integer) n`.execute(tx),
    );
    expect(await expectRefusal(mailIn.send({ from, to: mailIn.support(organization) }))).toMatchObject({ responseCode: 451 });
    expect(await mailIn.become(elsewhere, { from })).toMatchObject({ outcome: 'ticket' });
    await mailIn.tickets.db.forTenant({ organization_id: id }, (tx) => tx.deleteFrom('inbound_mails').where('digest', '=', '1').execute());
    expect(await mailIn.become(organization, { from })).toMatchObject({ outcome: 'ticket' });
    await mailIn.tickets.db.forTenant({ organization_id: id }, (tx) => tx.deleteFrom('inbound_mails').execute());
  });
  it('becomes one ticket of its sender, even if forty are sent at once', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: mailIn.port, pool: true, maxConnections: 15, ignoreTLS: true });
    const senders = Array.from({ length: 40 }, (_, i) => `sender-${i}@example.com`);
    await Promise.all(
      senders.map((sender) => transport.sendMail({ from: sender, to: mailIn.support(organization), subject: sender, text: 'x' })),
    );
    transport.close();
    await eventually(async () => expect((await mailIn.ticketsOf(organization)).length).toBe(40));
    expect((await mailIn.ticketsOf(organization)).map(({ customer_email, subject }) => customer_email === subject)).not.toContain(false);
  });

  /** Sends without the SIZE parameter, which the library would add. */
  async function sendUnannounced(bytes: Buffer) {
    const lines = ['EHLO a', `MAIL FROM:<${from}>`, `RCPT TO:<${mailIn.support(organization)}>`, 'DATA'];
    const replies: string[] = [];
    const socket = connect(mailIn.port, '127.0.0.1').setEncoding('utf8');
    socket.on('data', (text: string) => {
      replies.push(text);
      const line = lines.shift();
      if (line) socket.write(`${line}\r\n`);
      else if (text.startsWith('354')) socket.write(bytes, () => socket.write('\r\n.\r\n'));
      else if (text.startsWith('552')) socket.end('QUIT\r\n');
    });
    await new Promise((resolve) => socket.on('close', resolve));
    expect(replies.at(-2) ?? replies.at(-1)).toMatch(/552 5\.3\.4/);
    return mailIn.rows(organization);
  }
});

describe('connections', () => {
  it('are limited to twenty per client address; the next one gets 421', async () => {
    const open = Array.from({ length: 20 }, () => connect(mailIn.port, '127.0.0.1').setEncoding('utf8'));
    await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
    expect((await talk(mailIn.port, []))[0]).toMatch(/^421 /);
    for (const socket of open) socket.destroy();
    await eventually(async () => expect((await talk(mailIn.port, []))[0]).toMatch(/^220 /));
  });
  it('are closed with 421 when the process stops', async () => {
    const other = await TicketsUnderTest.start(takesMail);
    const socket = connect(other.app.get(SmtpListener).port!, '127.0.0.1').setEncoding('utf8');
    const replies: string[] = [];
    await new Promise((resolve) => socket.on('data', (text: string) => resolve(replies.push(text))));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await other.close();
    await closed;
    expect(replies.join('')).toMatch(/421 /);
  });
  it('are not accepted by a process that does not run jobs', async () => {
    const other = await TicketsUnderTest.start({ ...takesMail, RUN: 'http' });
    expect(other.app.get(SmtpListener).port).toBeUndefined();
    await other.close();
  });
});

describe('an email while the database is down', () => {
  it('gets 451 at RCPT and at the end of DATA, and becomes one ticket when it is sent again', async () => {
    const database = await freshDatabase('tickets');
    const proxy = await startFlakyProxy(database.url);
    const service = await startForTest(ticketsService, await testEnv({ TICKETS_DATABASE_URL: proxy.url, ...takesMail }));
    const db = new Database<TicketsSchema>({ url: database.url, applicationName: 'tickets-test' });
    const port = service.app.get(SmtpListener).port!;
    const organization = organizationOf(newId());
    await db.forTenant({ organization_id: organization.id }, (tx) => saveOrganization(tx, organization, 1));
    const to = `support@${organization.id}.${mailDomain}`;
    const mail = { from, to, messageId: '<patient@example.com>', date: new Date(0) };

    proxy.cut();
    expect(await expectRefusal(sendMail(port, mail))).toMatchObject({
      responseCode: 451,
      response: expect.stringMatching(/^451 4\.3\.0/) as string,
    });
    proxy.restore();
    // The database is available at RCPT and unavailable at the end of DATA.
    const replies: string[] = [];
    const lines = ['EHLO a', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', `From: ${from}\r\n\r\nHalf way.\r\n.`, 'QUIT'];
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.on('data', (text: string) => {
      replies.push(text.split('\r\n').at(-2)!);
      if (text.startsWith('354')) proxy.cut();
      socket.write(`${lines.shift()!}\r\n`);
    });
    await new Promise((resolve) => socket.on('close', resolve));
    expect(replies.at(-2)).toMatch(/^451 4\.3\.0/);
    proxy.restore();
    await eventually(() => sendMail(port, mail));
    const stored = () =>
      db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('inbound_mails').select('outcome').execute());
    await eventually(async () => expect(await stored()).toEqual([{ outcome: 'ticket' }]));
    await service.close();
    await db.close();
    await proxy.close();
  });
});

describe('a stored email', () => {
  const newMail = (raw: Buffer) => ({
    organization_id: organization.id,
    id: newId(),
    to_address: mailIn.support(organization),
    envelope_from: from,
    client_address: null,
    client_name: null,
    size: raw.length,
    digest: newId(),
    outcome: null,
    reason: null,
  });

  it.each([0, 1, 262_144, 262_145, 700_001])(
    'of %i bytes is written in pieces that block no request, and read as it was written',
    async (size) => {
      const raw = randomBytes(size);
      const mail = newMail(raw);
      await mailIn.tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
        expect(await insertInboundMail(tx, mail, [raw.subarray(0, 300_000), raw.subarray(300_000)])).toBe(true);
        expect(Buffer.concat((await readRaw(tx, mail))!).equals(raw)).toBe(true);
        const pieces = await tx.selectFrom('inbound_mail_pieces').select('bytes').execute();
        expect(pieces.filter(({ bytes }) => bytes.length > 256 * 1024)).toEqual([]);
        await tx.deleteFrom('inbound_mails').execute();
        expect(await tx.selectFrom('inbound_mail_pieces').select('position').execute()).toEqual([]);
      });
    },
  );

  it('is recovered by the sweep if its job is lost, and becomes one ticket', async () => {
    const raw = Buffer.from(`From: ${from}\r\nSubject: Forgotten\r\nMessage-ID: <f@example.com>\r\n\r\nx\r\n`);
    await mailIn.tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await insertInboundMail(tx, newMail(raw), [raw]);
      await tx
        .updateTable('inbound_mails')
        .set({ received_at: new Date(Date.now() - 60_000).toISOString() })
        .execute();
    });
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
    expect(await mailIn.tickets.db.asSystem('test', findUnprocessedAcrossOrganizations)).toEqual([]);
  });
  it('that was fetched twice becomes one ticket', async () => {
    const raw = Buffer.from(`From: ${from}\r\nSubject: Fetched\r\n\r\nx\r\n`);
    const intake = mailIn.tickets.app.get(MailIntake);
    const mail = { to_address: 'help@acme.example', envelope_from: '' };
    await Promise.all([1, 2].map(() => intake.accept(organization.id, { ...mail, raw: [Buffer.from(raw)] })));
    await eventually(async () => expect(await mailIn.outcomes(organization)).toEqual(['ticket']));
  });
});
