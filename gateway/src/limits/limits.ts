import { createHash } from 'node:crypto';
import { limits, resendConfirmation, signUp, type LimitClass, type Operation } from '@tandem/contracts';
import { normalizeIp } from '@nestjs/throttler';
import type { GatewayConfig } from '../config';
import { bytesOf, hostOf, type GatewayRequest } from '../request';

/** How often something may happen, per what. */
export interface LimitRule {
  limit: number;
  windowSeconds: number;
  blockSeconds: number;
}
/** One count that a request takes part in. */
export interface Counter extends LimitRule {
  /** Below the run's Redis prefix. */
  key: string;
  /** Whose count it is: what a success resets, and what the message says. */
  of: 'account' | 'address' | 'recipient';
}
/** What mails whichever address it is given, and asks for nothing: +tags make any number of accounts of one mailbox. */
const mailing: ReadonlySet<Operation | undefined> = new Set([signUp, resendConfirmation]);
const mailsPerMailbox: LimitRule = { limit: 10, windowSeconds: 3_600, blockSeconds: 0 };

/** Beside the classes of the contract: inbound webhooks, which nobody signs in for. */
export type LimitName = LimitClass | 'webhook';

/**
 * The one table of limits. The specification's numbers count per account; a client address has a count of its own beside it, so that
 * neither many accounts nor many addresses help. An address is never blocked for longer than its window: whole offices share one.
 */
export function limitTable(config: GatewayConfig): Record<LimitName, Partial<Record<Counter['of'], LimitRule>>> {
  const api = { ...limits.api, limit: config.RATE_LIMIT_API_PER_MINUTE };
  const submissions = { ...limits.ticket_submission, limit: config.RATE_LIMIT_SUBMISSIONS_PER_HOUR };
  return {
    api: { account: api, address: api, recipient: mailsPerMailbox },
    login: { address: { ...limits.login, limit: config.RATE_LIMIT_LOGIN_PER_ADDRESS, blockSeconds: 0 }, account: limits.login },
    // A recipient's cap keeps many addresses from filling one mailbox; twice as high, so that an address meets its own limit first.
    ticket_submission: { address: submissions, recipient: { ...submissions, limit: 2 * submissions.limit } },
    password_reset: { address: { ...limits.password_reset, blockSeconds: 0 }, account: limits.password_reset },
    // Counted per organization once the widget's key is understood here.
    widget: { address: limits.widget },
    public_upload: { address: limits.public_upload },
    webhook: { address: { limit: Math.max(1_200, config.RATE_LIMIT_API_PER_MINUTE), windowSeconds: 60, blockSeconds: 0 } },
  };
}

/** What a request counts against: at most one counter per kind, the address first. */
export function countersOf(
  name: LimitName,
  table: ReturnType<typeof limitTable>,
  request: GatewayRequest,
  operation: Operation | undefined,
): Counter[] {
  const rules = table[name];
  const address = normalizeIp(request.ip); // One /64 of IPv6 is one household.
  if (name === 'api') {
    const of = request.user === undefined ? 'address' : 'account';
    const caller: Counter = { ...rules[of]!, of, key: `api:${of}:${request.user?.sub ?? address}` };
    const mailbox = mailing.has(operation) ? mailboxIn(bytesOf(request)) : undefined;
    return mailbox === undefined ? [caller] : [caller, { ...rules.recipient!, of: 'recipient', key: `api:recipient:${digest(mailbox)}` }];
  }
  const scope = operation === undefined || name === 'login' ? name : `${name}:${operation.name}`;
  const email = name === 'webhook' ? undefined : mailboxIn(bytesOf(request));
  const counters: Counter[] = [{ ...rules.address!, of: 'address', key: `${scope}:address:${address}` }];
  if (email !== undefined && rules.account) counters.push({ ...rules.account, of: 'account', key: accountKey(scope, email) });
  if (email !== undefined && rules.recipient)
    counters.push({ ...rules.recipient, of: 'recipient', key: `${scope}:recipient:${digest(`${hostOf(request)} ${email}`)}` });
  return counters;
}

/** Where the attempts on an account are counted, whichever way its address is spelled. */
export const accountKey = (scope: string, email: string) => `${scope}:account:${digest(canonicalMailbox(email))}`;

/** Keys in Redis name no person. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The mailbox that a body names, in one spelling: no case, no blanks, no `+tag`. Undefined where the owner will refuse the body anyway. */
export function mailboxIn(body: Buffer | undefined): string | undefined {
  const address = addressIn(body);
  return address === undefined ? undefined : canonicalMailbox(address);
}

/** The address that a body names, as it was written. */
export function addressIn(body: Buffer | undefined): string | undefined {
  if (body === undefined) return undefined;
  let parsed: unknown;
  try {
    // Without a byte order mark, as the owners read it (Fastify's parser): what they understand must not go uncounted here.
    parsed = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined; // Broken JSON: the owner answers `request.malformed`; the address has been counted.
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { email, customer_email } = parsed as { email?: unknown; customer_email?: unknown };
  const address = typeof email === 'string' ? email : customer_email;
  return typeof address === 'string' ? address : undefined;
}

export function canonicalMailbox(address: string): string {
  const plain = address.trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 0) return plain;
  return `${plain.slice(0, at).replace(/\+.*$/s, '')}${plain.slice(at)}`;
}

/** Whether an address is the mailbox's own spelling: one with a `+tag` is an account of its own that counts with the mailbox's. */
export const isCanonical = (address: string): boolean => address.trim().toLowerCase() === canonicalMailbox(address);
