import { mailServerPorts } from '@tandem/contracts/values';
import { UnsafeAddress } from '@tandem/platform';
import { oneLine } from '../email/text';

/** `email`: the server refused this email, and still works for others. */
type Scope = 'server' | 'email';

export interface MailServerFailure {
  scope: Scope;
  /** The setting to check. */
  field: 'host' | 'port' | 'security' | 'username' | 'password' | 'from_address' | null;
  /** The failure and what to do about it, in sentences. */
  message: string;
}

/** An organization's own server fails for every email, so its emails wait. */
export class MailServerFailed extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'MailServerFailed';
  }
}

interface SmtpError {
  name?: string;
  code?: string;
  /** The code of the system error, such as ECONNREFUSED. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const certificates: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'contains a self-signed certificate in its chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has an incomplete chain',
  UNABLE_TO_GET_ISSUER_CERT: 'has an incomplete chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has an incomplete chain',
  CERT_REVOKED: 'was revoked',
};

interface Server {
  host: string;
  port: number;
  from_address: string;
}

/** Why a server did not accept an email, from nodemailer's error. */
export function failureOf(error: unknown, server: Server): MailServerFailure {
  const failure = classify(error, server);
  const answer = oneLine((error as SmtpError).response ?? '', 300);
  return answer === '' ? failure : { ...failure, message: `${failure.message} The server answered: “${answer}”` };
}

function classify(error: unknown, { host, port, from_address }: Server): MailServerFailure {
  const { name, code = '', originalCode = '', command = '', response = '', responseCode } = error as SmtpError;
  const at = `${host} on port ${port}`;
  const whole = (field: MailServerFailure['field'], message: string): MailServerFailure => ({ scope: 'server', field, message });
  if (error instanceof UnsafeAddress && !mailServerPorts.includes(port))
    return whole('port', `${error.message}. Use 587 for STARTTLS or 465 for TLS.`);
  if (error instanceof UnsafeAddress) return whole('host', `${error.message}. Enter the public name of your SMTP server.`);
  if (originalCode in certificates)
    return whole(
      'host',
      `The certificate of ${host} ${certificates[originalCode]}. Renew it, or enter the host name that it was issued for.`,
    );
  if (code === 'EDNS' || originalCode === 'ENOTFOUND' || code === 'ENOTFOUND')
    return whole('host', `There is no server called ${host}. Check the name.`);
  if (['EAI_AGAIN', 'ESERVFAIL'].includes(code)) return whole('host', `DNS did not answer for ${host}. Try again in a few minutes.`);
  if (originalCode === 'ECONNREFUSED')
    return whole('port', `${at} refused the connection. Check the port: usually 587 for STARTTLS and 465 for TLS.`);
  if (code === 'ETIMEDOUT' || name === 'TimeoutError' || name === 'AbortError' || code === 'EABORT' || originalCode === 'ETIMEDOUT')
    return whole('port', `${at} did not answer in time. Check the port, and that the server’s firewall lets us in.`);
  if (command === 'STARTTLS' && responseCode !== undefined)
    return whole('security', `${at} does not offer STARTTLS. Use TLS with port 465, or turn on STARTTLS on the server.`);
  if (code === 'ETLS' || originalCode === 'EPROTO' || /^ERR_SSL|^ERR_TLS/.test(originalCode))
    return whole('security', `The TLS handshake with ${at} failed. Use TLS with port 465, and STARTTLS with port 587.`);
  if (code === 'EAUTH')
    return whole('password', 'The server refused the user name or the password. Check both; many providers require an app password.');
  if (code === 'ENOAUTH' || responseCode === 530)
    return whole('username', 'The server requires a sign-in. Enter the user name and the password.');
  if (command === 'MAIL FROM')
    return whole('from_address', `The server refused the sender ${from_address}. Use an address that this account may send from.`);
  if (command === 'RCPT TO' && isRelayDenied(response))
    return whole(
      'username',
      'The server does not relay emails to other domains for this account. Sign in, or allow relaying on the server.',
    );
  if (command === 'RCPT TO') return { scope: 'email', field: null, message: 'The server refused the recipient.' };
  if (code === 'EMESSAGE' || command === 'DATA') return { scope: 'email', field: null, message: 'The server refused the email.' };
  if (code === 'EPROTOCOL') return whole('port', `${at} did not answer as an SMTP server does. Check the name and the port.`);
  return whole('host', `${at} closed the connection. Try again, and check the name and the port.`);
}

/** `5.7.1` alone is also used for spam and policy, so the text decides. */
const isRelayDenied = (response: string): boolean => /^5\d\d/.test(response) && /\brelay(?:ing)?\b/i.test(response);
