import { connect } from 'node:net';
import { Instances } from './testing/instances.ts';
import type { Mail } from './mail-store.ts';

const instances = new Instances();
afterAll(() => instances.cleanUp());

/** Delivers an email by SMTP, as a mail server would. */
async function send(smtpUrl: string, to: string[], content: string): Promise<void> {
  const socket = connect(Number(new URL(smtpUrl).port), '127.0.0.1');
  const replies = socket.setEncoding('utf8')[Symbol.asyncIterator]();
  const expectCode = async (code: string) => {
    for (let text = ''; ;) {
      text += String((await replies.next()).value);
      if (/^\d{3} .*\r\n$/m.test(text)) return expect(text.trimEnd().split('\r\n').at(-1)!.slice(0, 3)).toBe(code);
    }
  };
  await expectCode('220');
  const sendLine = async (line: string, code: string) => {
    socket.write(`${line}\r\n`);
    await expectCode(code);
  };
  await sendLine('EHLO test', '250');
  await sendLine('MAIL FROM:<help@tandem.test>', '250');
  for (const each of to) await sendLine(`RCPT TO:<${each}>`, '250');
  await sendLine('DATA', '354');
  await sendLine(`${content.replaceAll('\n', '\r\n')}\r\n.`, '250');
  await sendLine('QUIT', '221');
  // Without a reader, the socket does not notice that the server closes the connection, and keeps the test's process from exiting.
  socket.destroy();
}

const confirmation = `From: Tandem <help@tandem.test>
To: Ada <ada@example.test>
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <one@tandem.test>
X-Ticket: TICK-1
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

Follow it at http://demo.localhost:3000/status?token=a1. Thanks!
--b
Content-Type: text/html; charset=utf-8

<p>Follow it <a href="http://demo.localhost:3000/status?token=a1&amp;x=2">here</a>.</p><script>alert(1)</script>
--b--`;

describe('the mail catcher', () => {
  it('lists received emails, newest first or by recipient, with their links and headers', async () => {
    const { env, stop } = await instances.start(instances.directory(), { ephemeral: true });
    await send(env.SMTP_URL, ['Ada@example.test', 'hidden@example.test'], confirmation);
    await send(env.SMTP_URL, ['bob@example.test'], 'Subject: Second\n\nHello Bob.');
    const list = async (query = '') => (await (await fetch(`${env.MAILBOX_URL}/api/messages${query}`)).json()) as Mail[];
    expect((await list()).map(({ subject }) => subject)).toEqual(['Second', 'Grüße']);
    const [mail] = await list('?to=ada@EXAMPLE.test');
    expect(mail).toMatchObject({
      message_id: '<one@tandem.test>',
      from: 'help@tandem.test',
      to: ['Ada@example.test', 'hidden@example.test'],
    });
    expect(mail!.links).toEqual(['http://demo.localhost:3000/status?token=a1', 'http://demo.localhost:3000/status?token=a1&x=2']);
    expect(mail!.headers['x-ticket']).toBe('TICK-1');
    expect(Date.parse(mail!.received_at)).toBeGreaterThan(Date.now() - 60_000);
    await stop();
  });

  it('discards an email whose connection breaks, and keeps running', async () => {
    const { env, processes, stop } = await instances.start(instances.directory(), { ephemeral: true });
    const before = processes.find(({ name }) => name === 'mailbox')?.pid;
    const socket = connect(Number(new URL(env.SMTP_URL).port), '127.0.0.1').setEncoding('utf8');
    const replies = socket[Symbol.asyncIterator]();
    for (const line of ['EHLO test', 'MAIL FROM:<help@tandem.test>', 'RCPT TO:<ada@example.test>', 'DATA']) {
      await replies.next();
      socket.write(`${line}\r\n`);
    }
    await replies.next();
    socket.resetAndDestroy();
    await send(env.SMTP_URL, ['ada@example.test'], 'Subject: Whole\n\nHello Ada.');
    const mails = (await (await fetch(`${env.MAILBOX_URL}/api/messages`)).json()) as Mail[];
    expect(mails.map(({ subject }) => subject)).toEqual(['Whole']);
    expect(processes.find(({ name }) => name === 'mailbox')?.pid).toBe(before);
    await stop();
  });
  it('shows an email in a sandboxed frame without scripts and external resources', async () => {
    const { env, stop } = await instances.start(instances.directory(), { ephemeral: true });
    await send(env.SMTP_URL, ['ada@example.test'], confirmation);
    const [mail] = (await (await fetch(`${env.MAILBOX_URL}/api/messages`)).json()) as Mail[];
    const frame = await fetch(`${env.MAILBOX_URL}/mails/${mail!.id}`);
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*default-src 'none'/);
    expect(await (await fetch(env.MAILBOX_URL)).text()).toContain('sandbox');
    await stop();
  });

  it('stores emails across restarts until they are deleted', async () => {
    const { env, restart, stop } = await instances.start(instances.directory(), { ephemeral: true });
    const count = async () => ((await (await fetch(`${env.MAILBOX_URL}/api/messages`)).json()) as Mail[]).length;
    await send(env.SMTP_URL, ['ada@example.test'], confirmation);
    await restart('mailbox');
    expect(await count()).toBe(1);
    expect((await fetch(`${env.MAILBOX_URL}/api/messages`, { method: 'DELETE' })).status).toBe(204);
    await restart('mailbox');
    expect(await count()).toBe(0);
    await stop();
  });

  it('rejects other host names, so that pages of other sites cannot read the emails', async () => {
    const { env, stop } = await instances.start(instances.directory(), { ephemeral: true });
    const { port } = new URL(env.MAILBOX_URL);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/messages HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toContain('HTTP/1.1 421');
    expect((await fetch(`${env.MAILBOX_URL}/api/messages/none`)).status).toBe(404);
    expect((await fetch(`${env.MAILBOX_URL}/api/messages`, { method: 'POST' })).status).toBe(405);
    await stop();
  });
});
