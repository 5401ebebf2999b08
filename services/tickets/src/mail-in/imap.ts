import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '@tandem/contracts';
import { isPublicAddress } from '@tandem/platform';
import type { ImapFlow } from 'imapflow';

export interface Account {
  host: string;
  port: number;
  username: string;
  password: string;
  folder: string;
}
/** `allowPrivate` comes from the configuration, for development and tests only. */
export interface ImapRules {
  allowPrivate: boolean;
}

/** RFC 8314: 993 uses TLS from the start; 143 switches to TLS before authentication. */
const ports = { implicit: 993, startTls: 143 };
const timeouts = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 30_000 };
/** Maximum size of an email with its protocol overhead. */
const maxLiteral = 26 * 1024 * 1024;

/** An error that explains to the user who connects the mailbox why it cannot be opened. */
const unreachable = (detail: string, cause?: unknown) => new AppError('mailbox.unreachable', { detail, cause });

/**
 * The address to connect to: public, and on an email port. Resolved only once, so that DNS rebinding cannot change it after the check. The
 * certificate is still checked against the name.
 */
async function addressOf({ host, port }: Account, { allowPrivate }: ImapRules): Promise<string> {
  if (allowPrivate) return host;
  if (port !== ports.implicit && port !== ports.startTls) throw unreachable('Use port 993 (TLS) or 143 (STARTTLS)');
  if (isIP(host)) throw unreachable('Enter the host name of the mail server, not its IP address');
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw unreachable(`There is no server called ${host}`, error);
  });
  const open = found.find(({ address }) => isPublicAddress(address));
  if (!open) throw unreachable(`${host} is not on the public internet`);
  return open.address;
}

/**
 * Runs `use` with an authenticated connection and the folder open, then closes the connection. Throws `mailbox.unreachable` with a reason
 * for users, even if the total time exceeds `ms`. The client's own timeouts only detect silence, which a server prevents by sending a byte
 * now and then.
 */
export async function withImap<T>(account: Account, rules: ImapRules, ms: number, use: (client: ImapFlow) => Promise<T>): Promise<T> {
  let client: ImapFlow | undefined;
  const late = unreachable(`${account.host} did not answer in time on port ${account.port}`);
  let over = false;
  // Closing rejects pending calls, but some calls on a closed client return empty results, so `over` is checked again at the end.
  const timer = setTimeout(() => {
    over = true;
    client?.close();
  }, ms);
  try {
    // Loaded with the first mailbox: most installations have none.
    const [imapflow, address] = await Promise.all([import('imapflow'), addressOf(account, rules)]);
    if (over) throw late;
    client = clientFor(imapflow, account, address, rules);
    await open(client, account);
    const result = await use(client);
    if (over) throw late;
    return result;
  } catch (error) {
    throw over ? late : error;
  } finally {
    clearTimeout(timer);
    client?.close();
  }
}

function clientFor({ ImapFlow }: typeof import('imapflow'), account: Account, address: string, { allowPrivate }: ImapRules): ImapFlow {
  const secure = account.port === ports.implicit;
  const client = new ImapFlow({
    host: address,
    port: account.port,
    secure,
    servername: isIP(account.host) ? '' : account.host,
    // Never send a password in clear text; undefined means TLS if the server supports it.
    doSTARTTLS: secure ? undefined : allowPrivate ? undefined : true,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !allowPrivate },
    auth: { user: account.username, pass: account.password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    maxLiteralSize: maxLiteral,
    ...timeouts,
  });
  // Pending calls are rejected anyway; without a listener, the error event would end the process.
  client.on('error', () => undefined);
  return client;
}

async function open(client: ImapFlow, account: Account): Promise<void> {
  try {
    await client.connect();
    await client.mailboxOpen(account.folder).catch((error: unknown) => {
      throw client.usable ? unreachable(`There is no folder called ${account.folder}`, error) : error;
    });
  } catch (error) {
    throw error instanceof AppError ? error : unreachable(reasonOf(error, account), error);
  }
}

interface ImapError {
  code?: string;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  message?: string;
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ERR_TLS|EPROTO|ERR_SSL/;

function reasonOf(error: unknown, { host, port }: Account): string {
  const { code = '', authenticationFailed, serverResponseCode, message = '' } = error as ImapError;
  if (authenticationFailed || serverResponseCode === 'AUTHENTICATIONFAILED') return 'The server refused the user name or the password';
  if (certificateCodes.test(code)) return `The certificate of ${host} could not be verified`;
  if (/STARTTLS/i.test(message)) return `${host} offers no encryption on port ${port}`;
  if (code === 'ENOTFOUND') return `There is no server called ${host}`;
  if (code === 'ECONNREFUSED') return `${host} does not answer on port ${port}`;
  if (/TIMEOUT|TIMEDOUT/i.test(code)) return `${host} did not answer in time on port ${port}`;
  if (code === 'NoConnection' || code === 'EConnectionClosed' || code === 'ECONNRESET') return `${host} closed the connection`;
  return `${host} could not be opened on port ${port}`;
}
