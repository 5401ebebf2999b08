import { createServer, type AddressInfo } from 'node:net';
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { listTicketEmails, reportDue, systemContext, ticketCreated, type Ticket, type TicketEmail } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { connectRedis } from '@tandem/messaging';
import { eventually, freshDatabase, startFlakyProxy, testServers } from '@tandem/testing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { aReport } from '../../test/report';

type Answer = 'accept' | { code: number; text: string } | 'silence';

/** A mail server that gives the configured reply to each email and records the emails that it accepted. */
class MailServer {
  readonly mails: { from: string; content: string }[] = [];
  asked = 0;
  port = 0;
  #server: SMTPServer | undefined;

  constructor(private readonly answer: (asked: number) => Answer) {}

  async start(port = 0): Promise<string> {
    const options: SMTPServerOptions = {
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onData: (stream, { envelope }, done) => {
        let content = '';
        stream.on('data', (chunk: Buffer) => (content += chunk.toString()));
        stream.on('end', () => {
          const answer = this.answer(++this.asked);
          if (answer === 'silence') return;
          if (answer !== 'accept') return done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
          this.mails.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', content });
          done();
        });
      },
    };
    this.#server = new SMTPServer(options);
    this.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.#server!.listen(port, '127.0.0.1', resolve));
    this.port = (this.#server.server.address() as AddressInfo).port;
    return `smtp://127.0.0.1:${this.port}`;
  }

  stop = () => new Promise<void>((resolve) => (this.#server ? this.#server.close(resolve) : resolve()));
}

const servers: MailServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));
const serverThat = (answer: (asked: number) => Answer) => {
  const server = new MailServer(answer);
  servers.push(server);
  return server;
};

async function announced(notifications: NotificationsUnderTest): Promise<{ organization: TestOrganization; ticket: Ticket }> {
  const organization = await notifications.anOrganization();
  const ticket = notifications.ticket(organization, { customer_email: `${newId()}@example.com` });
  await notifications.announce(notifications.as(organization, 'agent'), ticketCreated, ticket.id, { ticket });
  return { organization, ticket };
}
const logOf = async (notifications: NotificationsUnderTest, organization: TestOrganization, ticket: Ticket) =>
  (
    await notifications.call<{ emails: TicketEmail[] }>(listTicketEmails, notifications.as(organization, 'agent'), {
      params: { id: ticket.id },
    })
  ).data.emails;
const isSent = (notifications: NotificationsUnderTest, organization: TestOrganization, ticket: Ticket) =>
  eventually(async () => expect(await logOf(notifications, organization, ticket)).toMatchObject([{ state: 'sent', last_error: null }]));

/** A port on which no process listens. The system assigns ephemeral ports from 32768 up, so no other process is given this one later. */
async function aFreePort(): Promise<number> {
  for (;;) {
    const [server, port] = [createServer(), randomInt(20_000, 30_000)];
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

// Each test starts its own service and mostly waits for the next attempt, so they run concurrently.
describe('a mail server', () => {
  it.concurrent('that is unavailable gets the email once when it is available again', async () => {
    const port = await aFreePort();
    const notifications = await NotificationsUnderTest.start({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const { organization, ticket } = await announced(notifications);
    await eventually(async () =>
      expect(await logOf(notifications, organization, ticket)).toMatchObject([
        { state: 'pending', last_error: expect.stringContaining('ECONNREFUSED') as string },
      ]),
    );
    const server = serverThat(() => 'accept');
    await server.start(port);
    await isSent(notifications, organization, ticket);
    expect(server.mails).toHaveLength(1);
    await notifications.service.close();
  });

  it.concurrent('that greylists gets it once, at a later attempt', async () => {
    const server = serverThat((asked) => (asked === 1 ? { code: 451, text: 'Greylisted, try again later' } : 'accept'));
    const notifications = await NotificationsUnderTest.start({ SMTP_URL: await server.start() });
    const { organization, ticket } = await announced(notifications);
    await eventually(async () =>
      expect(await logOf(notifications, organization, ticket)).toMatchObject([
        { state: 'pending', last_error: expect.stringContaining('451') as string },
      ]),
    );
    await isSent(notifications, organization, ticket);
    expect(server.mails).toHaveLength(1);
    expect((await logOf(notifications, organization, ticket))[0]).toMatchObject({ attempts: 2 });
    await notifications.service.close();
  });

  it.concurrent('that accepts an email while PostgreSQL is down gets it once, also from a job', async () => {
    const proxy = await startFlakyProxy((await freshDatabase('notifications')).url);
    const server = serverThat((asked) => {
      // Jobs make all attempts but the first.
      if (asked === 1) return { code: 451, text: 'Greylisted, try again later' };
      proxy.cut();
      setTimeout(() => proxy.restore(), 3_000);
      return 'accept';
    });
    const notifications = await NotificationsUnderTest.start({
      SMTP_URL: await server.start(),
      NOTIFICATIONS_DATABASE_URL: proxy.url,
    });
    const { organization, ticket } = await announced(notifications);
    await isSent(notifications, organization, ticket);
    expect(server.mails).toHaveLength(1);
    await notifications.service.close();
    await proxy.close();
  });

  it.concurrent('that does not respond is given up after a timeout, and gets it once when it responds', async () => {
    const server = serverThat((asked) => (asked === 1 ? 'silence' : 'accept'));
    // Times out after three seconds instead of thirty.
    const notifications = await NotificationsUnderTest.start({ SMTP_URL: `${await server.start()}?socketTimeout=3000` });
    const { organization, ticket } = await announced(notifications);
    await isSent(notifications, organization, ticket);
    expect(server.mails).toHaveLength(1);
    await notifications.service.close();
  });

  it.concurrent('that refuses permanently is tried once; staff are notified and can try again', async () => {
    const server = serverThat((asked) => (asked === 1 ? { code: 550, text: 'No such user here' } : 'accept'));
    const notifications = await NotificationsUnderTest.start({ SMTP_URL: await server.start() });
    const { organization, ticket } = await announced(notifications);
    await eventually(async () =>
      expect(await logOf(notifications, organization, ticket)).toMatchObject([
        { state: 'failed', last_error: expect.stringContaining('No such user') as string },
      ]),
    );
    await eventually(async () =>
      expect(await notifications.sentNotices(organization)).toEqual(['admin delivery_failed', 'manager delivery_failed']),
    );
    expect(server.mails.filter(({ content }) => content.includes(`To: ${ticket.customer_email}`))).toEqual([]);
    await notifications.service.close();
  });

  it.concurrent('failure reports are sent to an address that identifies the email, and emails to customers are signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const server = serverThat(() => 'accept');
    const notifications = await NotificationsUnderTest.start({
      SMTP_URL: await server.start(),
      DKIM_SELECTOR: 'tandem',
      DKIM_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
    });
    const { organization, ticket } = await announced(notifications);
    await isSent(notifications, organization, ticket);
    const [mail] = server.mails;
    expect(mail!.from).toMatch(new RegExp(`^bounce\\+[a-z2-7]{39}@${organization.id}\\.tandem\\.localhost$`));
    const headers = mail!.content.slice(0, mail!.content.indexOf('\r\n\r\n')).replace(/\r\n\s+/g, ' ');
    expect(headers).toMatch(/^DKIM-Signature: .*d=tandem\.localhost;.*s=tandem;/m);
    expect(headers).toMatch(/h=[^;]*from[^;]*reply-to[^;]*/i);
    const signed = (content: string) =>
      /\bh=([^;]*)/
        .exec(/^DKIM-Signature:.*(\r\n\s.*)*/m.exec(content)![0])![1]!
        .replace(/\s/g, '')
        .split(':');
    const report = { ...aReport(), recipient_ids: [organization.admin] };
    await notifications.announce(systemContext(organization.id, newId()), reportDue, report.report_id, report);
    await eventually(() => expect(server.mails).toHaveLength(2));
    expect(signed(server.mails[1]!.content)).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    for (const line of mail!.content.split('\r\n')) expect(line.length).toBeLessThan(998);
    await notifications.service.close();
  });

  it.concurrent('emails are sent although Redis lost all jobs', async () => {
    const port = await aFreePort();
    const prefix = `flushed-${newId()}`;
    const notifications = await NotificationsUnderTest.start({ SMTP_URL: `smtp://127.0.0.1:${port}`, REDIS_PREFIX: prefix });
    const { organization, ticket } = await announced(notifications);
    await eventually(async () =>
      expect(await logOf(notifications, organization, ticket)).toMatchObject([{ state: 'pending', attempts: 1 }]),
    );
    const redis = connectRedis(testServers().redisUrl);
    const keys = await redis.keys(`${prefix}:jobs:email:*`);
    if (keys.length > 0) await redis.del(...keys);
    redis.disconnect();
    const server = serverThat(() => 'accept');
    await server.start(port);
    await isSent(notifications, organization, ticket);
    expect(server.mails).toHaveLength(1);
    await notifications.service.close();
  });
});

it.each([{ DKIM_SELECTOR: 'tandem' }, { DKIM_PRIVATE_KEY: 'no key' }, { DKIM_SELECTOR: 'tandem', DKIM_PRIVATE_KEY: 'no key' }])(
  'an incomplete or invalid DKIM configuration prevents the start: %j',
  async (env) => expect(NotificationsUnderTest.start(env)).rejects.toThrow(/DKIM_/),
);
