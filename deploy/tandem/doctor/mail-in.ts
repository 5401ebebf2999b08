import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { asReader } from '../installation';
import { failed, ok, reasonOf, warning, type Finding } from './finding';

/**
 * Checks whether the listener for incoming email accepts an address of an organization and refuses an unknown one. No email is sent: the
 * dialog ends after the recipients.
 */
export async function checkMailIn(): Promise<Finding[]> {
  const port = Number(process.env.MAIL_IN_PORT ?? '');
  const mailDomain = (process.env.MAIL_DOMAIN || 'tandem.localhost').toLowerCase();
  if (!port) return [ok('Incoming email by SMTP is off (MAIL_IN_PORT is not set).')];
  const configured = process.env.MAIL_IN_HOST || '127.0.0.1';
  // A listener on all IPv6 addresses does not necessarily accept IPv4.
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[configured] ?? configured;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const subdomain = await findSubdomain();
  const recipients = [...(subdomain === undefined ? [] : [`support@${subdomain}.${mailDomain}`]), `support@unknown.${mailDomain}`];
  try {
    const replies = await askForRecipients(host, port, recipients);
    const [unknown, known] = [replies.at(-1)!, replies.length > 1 ? replies[0]! : undefined];
    const findings: Finding[] = [];
    // Too many connections, a shutdown, or a database that does not respond.
    const temporary = replies.find((reply) => reply.startsWith('4'));
    if (temporary !== undefined) {
      const fix = 'Run the command again in a minute. If this repeats, see the log of the tickets service.';
      return [warning(`The listener for incoming email at ${address} accepts nothing right now: ${temporary}.`, fix)];
    }
    if (known && !known.startsWith('250'))
      findings.push(
        failed(
          `The listener for incoming email refuses ${recipients[0]}: ${known}.`,
          'Set the same MAIL_DOMAIN for tickets as here. If the organization is new, check that tickets receives events (tandem check).',
        ),
      );
    if (unknown.startsWith('250'))
      findings.push(
        failed(
          `The server at ${address} accepts email for unknown recipients.`,
          'Check that MAIL_IN_PORT is the port of the tickets service.',
        ),
      );
    return findings.length > 0 ? findings : [ok(`The listener for incoming email at ${address} accepts addresses of organizations only.`)];
  } catch (error) {
    const fix = 'Start the tickets service, and check MAIL_IN_HOST and MAIL_IN_PORT.';
    return [failed(`Incoming email: ${address} does not respond: ${reasonOf(error).message}.`, fix)];
  }
}

const findSubdomain = (): Promise<string | undefined> =>
  asReader('identity', async (client) => {
    const { rows } = await client.query<{ subdomain: string }>(
      'select subdomain from organizations where subdomain is not null order by id limit 1',
    );
    return rows[0]?.subdomain;
  });

/** The replies to RCPT TO, or the one with which the server refuses the dialog. */
async function askForRecipients(host: string, port: number, recipients: readonly string[]): Promise<string[]> {
  const socket = connect({ host, port });
  socket.setTimeout(10_000, () => socket.destroy(new Error('no response within 10 seconds')));
  try {
    const replies = repliesOf(socket);
    const send = async (line?: string): Promise<string> => {
      if (line !== undefined) socket.write(`${line}\r\n`);
      const { value, done } = await replies.next();
      if (done === true) throw new Error('the connection was closed');
      return value;
    };
    for (const line of [undefined, 'EHLO doctor.invalid', 'MAIL FROM:<>']) {
      const reply = await send(line);
      if (reply.startsWith('4')) return [reply];
      if (!reply.startsWith('2')) throw new Error(`it answered ${reply}`);
    }
    const answers: string[] = [];
    for (const recipient of recipients) answers.push(await send(`RCPT TO:<${recipient}>`));
    return answers;
  } finally {
    socket.destroy();
  }
}

/** The last line of each reply: the others have a hyphen after the code. */
async function* repliesOf(socket: ReturnType<typeof connect>): AsyncGenerator<string, void> {
  const failure = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  failure.catch(() => undefined);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), failure]);
    if (done === true) return;
    if (/^\d{3}(?!-)/.test(value)) yield value;
  }
}
