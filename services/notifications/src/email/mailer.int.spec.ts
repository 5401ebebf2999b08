import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFileEnd } from '@tandem/testing';
import type { SMTPServerOptions } from 'smtp-server';
import { TestMailServer } from '../../test/mail-server';
import type { NotificationsConfig } from '../config';
import { Mailer, type OutgoingMail } from './mailer';

const mailTo = (to: string): OutgoingMail => ({
  message_id: `<${to}>`,
  to,
  from: { name: 'Support', address: 'support@example.com' },
  in_reply_to: null,
  references: [],
  subject: 'Your ticket',
  text: 'We have it.',
  html: '<p>We have it.</p>',
  headers: {},
});
const [ada, bob] = [mailTo('ada@example.com'), mailTo('bob@example.com')];

async function aMailer(options?: SMTPServerOptions) {
  const server = await new TestMailServer(options).start();
  const config = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_DOMAIN: 'example.com' } as NotificationsConfig;
  const mailer = new Mailer(config);
  onTestFileEnd(() => {
    mailer.onApplicationShutdown();
    return server.stop();
  });
  const outcome = () => ({ connections: server.connections, received: [...server.mails.keys()] });
  return { mailer, outcome };
}

// The tests wait for real timeouts of sockets, so they run concurrently.
describe('the mailer', () => {
  it.concurrent('sends an email after a pause on the same connection', async () => {
    const { mailer, outcome } = await aMailer();
    await mailer.send(ada);
    await sleep(25_000);
    await mailer.send(bob);
    expect(outcome()).toEqual({ connections: 1, received: [ada.to, bob.to] });
  });

  it.concurrent('sends it on another connection if the server has closed the first in the meantime', async () => {
    const { mailer, outcome } = await aMailer({ socketTimeout: 500 });
    await mailer.send(ada);
    await sleep(2_000);
    await mailer.send(bob);
    expect(outcome()).toEqual({ connections: 2, received: [ada.to, bob.to] });
  });

  it.concurrent('gives an email up before its claim expires, also if the server replies slowly to each command', async () => {
    let isSlow = true;
    const reply = (done: () => void) => setTimeout(done, isSlow ? 16_000 : 0);
    const { mailer, outcome } = await aMailer({
      onMailFrom: (_address, _session, done) => void reply(done),
      onRcptTo: (_address, _session, done) => void reply(done),
    });
    await expect(mailer.send(ada)).rejects.toThrow('The mail server did not accept the email within 30 seconds');
    expect(outcome().received).toEqual([]);
    isSlow = false;
    await mailer.send(bob);
    expect(outcome()).toEqual({ connections: 2, received: [bob.to] });
  });
});
