import { setTimeout as sleep } from 'node:timers/promises';
import { isIP } from 'node:net';
import { mailServerPorts, type MailServerSecurity } from '@tandem/contracts/values';
import { safeHostAddress } from '@tandem/platform';
import type { SendMailOptions } from 'nodemailer';
import { failureOf, MailServerFailed } from './mail-server-failure';
import { smtpTransport } from './smtp-transport';

/** An organization's server with its opened password. */
export interface OwnMailServer {
  organization_id: string;
  host: string;
  port: number;
  security: MailServerSecurity;
  from_address: string;
  auth: { user: string; pass: string } | undefined;
}

/** Connections of this process to one organization's server: a slow server must not use up those of all organizations. */
const maxConnections = 3;
const maxWaitMs = 2_000;
const waitStepMs = 50;

/** All connections to this organization's server are in use: the email waits, and nothing is wrong with the server. */
export class MailServerBusy extends Error {}

/** Counts the connections to each organization's server. */
export class MailServerSlots {
  readonly #used = new Map<string, number>();

  /** Throws `MailServerBusy` if no connection is free for two seconds. */
  async run<T>(organization_id: string, work: () => Promise<T>): Promise<T> {
    for (let waited = 0; (this.#used.get(organization_id) ?? 0) >= maxConnections; waited += waitStepMs) {
      if (waited >= maxWaitMs) throw new MailServerBusy('All connections to this mail server are in use');
      await sleep(waitStepMs);
    }
    this.#used.set(organization_id, (this.#used.get(organization_id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = this.#used.get(organization_id)! - 1;
      if (left === 0) this.#used.delete(organization_id);
      else this.#used.set(organization_id, left);
    }
  }
}

/** Sends one email on a new connection. Returns the server's response; otherwise throws nodemailer's error or `UnsafeAddress`. */
export async function sendOnce(
  { host, port, security, auth }: OwnMailServer,
  mail: SendMailOptions,
  { allowPrivate, timeoutMs }: { allowPrivate: boolean; timeoutMs: number },
): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const address = await safeHostAddress(host, { allowPrivate, ports: mailServerPorts, port }, signal);
  const transport = smtpTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(auth ? { auth } : {}),
    // The certificate is checked against the name, not against the address that it resolved to.
    ...(isIP(host) ? {} : { servername: host }),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    const { response } = (await transport.sendMail({ ...mail, signal })) as { response: string };
    return response;
  } finally {
    transport.close();
  }
}

/** Throws `MailServerFailed` if the server fails for every email, and nodemailer's error if it refused this one. */
export async function sendThrough(server: OwnMailServer, mail: SendMailOptions, options: Parameters<typeof sendOnce>[2]): Promise<string> {
  try {
    return await sendOnce(server, mail, options);
  } catch (error) {
    const { scope, message } = failureOf(error, server);
    throw scope === 'server' ? new MailServerFailed(message, { cause: error }) : error;
  }
}
