import { createTransport } from 'nodemailer';
import { parseArgs } from 'node:util';
import { Refused, required } from '../installation';
import { SmtpFailed, SmtpSession } from '../smtp-session';
import type { Subcommand } from '../subcommand';

const usage = 'tandem mail test <address>';

/** Sends an email through the mail server of the installation, and reports each step. */
const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, to, ...rest] = positionals;
    if (action !== 'test' || to === undefined || !/^[^\s@<>]+@[^\s@<>]+$/.test(to) || rest.length > 0) throw new Refused(`usage: ${usage}`);
    const from = process.env.MAIL_FROM || 'support@tandem.localhost';
    const session = new SmtpSession(required('SMTP_URL'), from);
    try {
      await send(session, from, to);
      return 0;
    } catch (error) {
      if (!(error instanceof SmtpFailed)) throw error;
      console.log(`failed  ${error.message}`);
      return 1;
    } finally {
      session.close();
    }
  },
};
export default command;

async function send(session: SmtpSession, from: string, to: string): Promise<void> {
  const isEncrypted = await session.connect();
  console.log(`ok      connected to ${session.address} ${isEncrypted ? 'with' : 'without'} TLS`);
  const user = await session.signIn();
  console.log(user === undefined ? 'ok      no sign-in: SMTP_URL has no user' : `ok      signed in as ${user}`);
  const { message, isSigned } = await compose(from, to);
  console.log(
    isSigned ? 'ok      signed with DKIM' : `ok      not signed by Tandem: DKIM_SELECTOR is not set, or ${from} is not below MAIL_DOMAIN`,
  );
  const response = await session.send({ from, to }, message);
  console.log(`ok      accepted from ${from} for ${to}: ${response}`);
  console.log(
    'Look for “Test email from Tandem” in the inbox and in the spam folder. Its headers show the results of SPF, DKIM and DMARC.',
  );
}

async function compose(from: string, to: string): Promise<{ message: Buffer; isSigned: boolean }> {
  const [domainName, keySelector, privateKey] = [process.env.MAIL_DOMAIN, process.env.DKIM_SELECTOR, process.env.DKIM_PRIVATE_KEY];
  const isBelow = `.${from.split('@').at(-1)!}`.toLowerCase().endsWith(`.${domainName?.toLowerCase()}`);
  const dkim =
    domainName && keySelector && privateKey && isBelow
      ? { domainName, keySelector, privateKey: privateKey.replaceAll('\\n', '\n') }
      : undefined;
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: { name: 'Tandem', address: from },
    to,
    subject: 'Test email from Tandem',
    text: `This email was sent by “tandem mail test” through the mail server of ${process.env.PUBLIC_URL ?? 'this installation'}.\n`,
    ...(dkim ? { dkim } : {}),
  });
  return { message: message as Buffer, isSigned: dkim !== undefined };
}
