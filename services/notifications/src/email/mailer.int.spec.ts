import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFileEnd } from '@tandem/testing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { NotificationsConfig } from '../config';
import { Mailer, type OutgoingMail } from './mailer';

const mail: OutgoingMail = {
  message_id: '<1@example.com>',
  to: 'ada@example.com',
  from: { name: 'Support', address: 'support@example.com' },
  in_reply_to: null,
  references: [],
  subject: 'Your ticket',
  text: 'We have it.',
  html: '<p>We have it.</p>',
  headers: {},
};

/** A mail server that counts connections and emails, and a mailer that sends through it. */
async function aMailServer(options: SMTPServerOptions = {}) {
  const counts = { connections: 0, emails: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect: (_session, done) => {
      counts.connections += 1;
      done();
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => {
        counts.emails += 1;
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const config = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_DOMAIN: 'example.com' } as NotificationsConfig;
  const mailer = new Mailer(config);
  onTestFileEnd(() => {
    mailer.onApplicationShutdown();
    return new Promise<void>((resolve) => server.close(resolve));
  });
  return { mailer, counts };
}

// Both tests wait for real timeouts of sockets, so they run concurrently.
describe('the mailer', () => {
  it.concurrent('sends an email after a pause on the same connection', async () => {
    const { mailer, counts } = await aMailServer();
    await mailer.send(mail);
    await sleep(25_000);
    await mailer.send(mail);
    expect(counts).toEqual({ connections: 1, emails: 2 });
  });

  it.concurrent('gives an email up before its claim expires, also if the server replies slowly to each command', async () => {
    let isSlow = true;
    const reply = (done: () => void) => setTimeout(done, isSlow ? 16_000 : 0);
    const { mailer, counts } = await aMailServer({
      onMailFrom: (_address, _session, done) => void reply(done),
      onRcptTo: (_address, _session, done) => void reply(done),
    });
    await expect(mailer.send(mail)).rejects.toThrow('The mail server did not accept the email within 30 seconds');
    expect(counts.emails).toBe(0);
    isSlow = false;
    await mailer.send(mail);
    expect(counts).toEqual({ connections: 2, emails: 1 });
  });
});
