import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '@tandem/contracts';
import { isPublicAddress } from '@tandem/platform';
import { ImapFlow } from 'imapflow';

export interface Account {
  host: string;
  port: number;
  username: string;
  password: string;
  folder: string;
}
/** From the configuration: for development and tests alone. */
export interface ImapRules {
  allowPrivate: boolean;
}

/** RFC 8314: 993 with TLS from the start; 143 goes over to TLS before anybody signs in. */
const ports = { implicit: 993, startTls: 143 };
const timeouts = { connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 30_000 };
/** Of a mail and what stands around it. */
const maxLiteral = 26 * 1024 * 1024;

/** Why a mailbox could not be opened, in words for whoever connects it. */
const unreachable = (detail: string, cause?: unknown) => new AppError('mailbox.unreachable', { detail, cause });

/**
 * The address that is really dialled: public, on the ports of mail, and found out once, so that the name cannot mean something else a moment
 * later. The certificate is still checked against the name.
 */
async function addressOf({ host, port }: Account, { allowPrivate }: ImapRules): Promise<string> {
  if (allowPrivate) return host;
  if (port !== ports.implicit && port !== ports.startTls) throw unreachable('Use port 993 (TLS) or 143 (STARTTLS)');
  if (isIP(host)) throw unreachable('Enter the name of the mail server, not its number');
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw unreachable(`There is no server called ${host}`, error);
  });
  const open = found.find(({ address }) => isPublicAddress(address));
  if (!open) throw unreachable(`${host} is not on the public internet`);
  return open.address;
}

/**
 * Does `use` with a signed-in connection and the folder open, and leaves no connection behind. Throws `mailbox.unreachable` with a reason that
 * people understand; so it does when all of it takes longer than `ms`. The client's own time-outs are about silence, and a server that sends
 * a byte now and then is never silent.
 */
export async function withImap<T>(account: Account, rules: ImapRules, ms: number, use: (client: ImapFlow) => Promise<T>): Promise<T> {
  let client: ImapFlow | undefined;
  const late = unreachable(`${account.host} did not answer in time on port ${account.port}`);
  let over = false;
  // What waits for the server is rejected by this, wherever it is; some calls only find nothing any more, so `over` is asked at the end too.
  const timer = setTimeout(() => {
    over = true;
    client?.close();
  }, ms);
  try {
    const address = await addressOf(account, rules);
    if (over) throw late;
    client = clientFor(account, address, rules);
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

function clientFor(account: Account, address: string, { allowPrivate }: ImapRules): ImapFlow {
  const secure = account.port === ports.implicit;
  const client = new ImapFlow({
    host: address,
    port: account.port,
    secure,
    servername: isIP(account.host) ? '' : account.host,
    // Never a password in the clear; undefined goes over to TLS where the other side can.
    doSTARTTLS: secure ? undefined : allowPrivate ? undefined : true,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !allowPrivate },
    auth: { user: account.username, pass: account.password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    maxLiteralSize: maxLiteral,
    ...timeouts,
  });
  // A connection that breaks rejects what waits for it, and says so here as well: nobody listening would end the process.
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
