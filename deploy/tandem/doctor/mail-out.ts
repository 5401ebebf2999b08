import { required } from '../installation';
import { SmtpFailed, SmtpSession } from '../smtp-session';
import { failed, isInternal, ok, warning, type Finding } from './finding';

/** Connects to the mail server and signs in, without sending an email. */
export async function checkMailOut(): Promise<Finding[]> {
  const session = new SmtpSession(required('SMTP_URL'), process.env.MAIL_FROM ?? '');
  try {
    const isEncrypted = await session.connect();
    const user = await session.signIn();
    const accepted = user === undefined ? 'accepts connections' : `accepts the sign-in of ${user}`;
    if (isEncrypted || isInternal(session.host)) return [ok(`The mail server ${session.address} ${accepted}.`)];
    const message = `The mail server ${session.address} ${accepted}, but without encryption.`;
    return [warning(message, 'Turn on STARTTLS on the server, or use smtps:// in SMTP_URL.')];
  } catch (error) {
    if (!(error instanceof SmtpFailed)) throw error;
    const [message, ...fix] = error.message.split(/(?<=\.) /);
    return [failed(message!, fix.join(' ') || 'Check SMTP_URL.')];
  } finally {
    session.close();
  }
}
