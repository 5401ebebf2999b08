import { createHash } from 'node:crypto';
import {
  addPublicComment,
  addWidgetComment,
  attemptsPerAddressFactor,
  limits,
  resendConfirmation,
  signUp,
  submitTicket,
  submitWidgetTicket,
  type LimitClass,
  type Operation,
} from '@tandem/contracts';
import { normalizeIp } from '@nestjs/throttler';
import jwt from 'jsonwebtoken';
import type { GatewayConfig } from '../config';
import { bytesOf, type GatewayRequest } from '../request';

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
  of: 'account' | 'address' | 'recipient' | 'organization';
}
/** What mails whichever address it is given, and asks for nothing: +tags make any number of accounts of one mailbox. */
const mailing: ReadonlySet<Operation | undefined> = new Set([signUp, resendConfirmation]);
const mailsPerMailbox: LimitRule = { limit: 10, windowSeconds: 3_600, blockSeconds: 0 };

/** What customers write without being signed in. */
const comments: ReadonlySet<Operation | undefined> = new Set([addPublicComment, addWidgetComment]);

/** Beside the classes of the contract: inbound webhooks, which nobody signs in for, and a customer's comments beside their class. */
export type LimitName = LimitClass | 'webhook' | 'comment';

/**
 * The table of all limits. The specification's numbers apply to an account; a client address has an additional count, so that
 * trying many accounts does not help either. For sign-in and password reset it is ten times as high and never blocks for longer
 * than its window: one person must not lock out an office.
 */
export function limitTable(config: GatewayConfig): Record<LimitName, Partial<Record<Counter['of'], LimitRule>>> {
  const api = { ...limits.api, limit: config.RATE_LIMIT_API_PER_MINUTE };
  const submissions = { ...limits.ticket_submission, limit: config.RATE_LIMIT_SUBMISSIONS_PER_HOUR };
  const widget = { ...limits.widget, limit: Math.max(limits.widget.limit, api.limit) };
  // Half of it: one visitor alone must not use up what all visitors of a site share.
  const visitor = { ...widget, limit: widget.limit / 2 };
  const resetsPerAddress = { ...limits.password_reset, limit: attemptsPerAddressFactor * limits.password_reset.limit, blockSeconds: 0 };
  // Whoever may submit more may also send more files and comments, six for each ticket.
  const uploads = { ...limits.public_upload, limit: Math.max(limits.public_upload.limit, 6 * submissions.limit) };
  return {
    api: { account: api, address: api, recipient: mailsPerMailbox },
    login: { account: limits.login, address: { ...limits.login, limit: config.RATE_LIMIT_LOGIN_PER_ADDRESS, blockSeconds: 0 } },
    // A recipient's cap keeps many addresses from filling one mailbox; twice as high, so that an address meets its own limit first.
    ticket_submission: { address: submissions, recipient: { ...submissions, limit: 2 * submissions.limit } },
    password_reset: { account: limits.password_reset, address: resetsPerAddress },
    // All visitors of an organization together. The address comes first: who guesses keys is counted before anybody looks them up.
    widget: { address: visitor, organization: widget },
    public_upload: { address: uploads },
    // Our own number, as with files: against floods of mails to the people who watch a ticket.
    comment: { address: uploads },
    session: { account: limits.session, address: perAddress(limits.session) },
    events: { account: limits.events, address: perAddress(limits.events) },
    presence: { account: limits.presence, address: perAddress(limits.presence) },
    unread: { account: limits.unread, address: perAddress(limits.unread) },
    webhook: { address: { limit: Math.max(30_000, config.RATE_LIMIT_API_PER_MINUTE), windowSeconds: 60, blockSeconds: 0 } },
  };
}

/** For callers without an account, a whole office behind one address: to renew a session takes no account, the access token has run out. */
const perAddress = (rule: LimitRule): LimitRule => ({ ...rule, limit: 5 * rule.limit });

type Table = ReturnType<typeof limitTable>;
const addressOf = (request: GatewayRequest) => normalizeIp(request.ip); // One /64 of IPv6 is one household.

/**
 * The counters that a request names itself, at most one per kind, in the order in which they refuse. The counters of an
 * organization come after (`countersWithin`).
 */
export function countersOf(name: LimitName, table: Table, request: GatewayRequest, operation: Operation | undefined): Counter[] {
  const rules = table[name];
  const address = addressOf(request);
  if (name === 'api') return [...apiCounters(rules, request, operation, address), ...commentCounters(table, operation, address)];
  if (ofOpenPages.has(name)) return [callerCounter(name, rules, request, address)];
  if (name === 'widget') {
    const caller: Counter = { ...rules.address!, of: 'address', key: `widget:address:${address}` };
    return [caller, ...submissionCounters(table, operation, address), ...commentCounters(table, operation, address)];
  }
  if (name === 'ticket_submission') return submissionCounters(table, operation, address);
  const scope = operation === undefined || name === 'login' ? name : `${name}:${operation.name}`;
  const email = name === 'webhook' ? undefined : mailboxIn(bytesOf(request));
  const caller: Counter = { ...rules.address!, of: 'address', key: `${scope}:address:${address}` };
  if (email === undefined || !rules.account) return [caller];
  // The account comes first: its refusal names the block, and an attempt on a blocked account does not use up the address's share.
  return [{ ...rules.account, of: 'account', key: accountKey(scope, email) }, caller];
}

/** What an open page sends without being asked to. */
const ofOpenPages: ReadonlySet<LimitName> = new Set<LimitName>(['session', 'events', 'presence', 'unread']);

function callerCounter(
  name: LimitName,
  rules: Partial<Record<Counter['of'], LimitRule>>,
  request: GatewayRequest,
  address: string,
): Counter {
  const of = request.user === undefined ? 'address' : 'account';
  return { ...rules[of]!, of, key: `${name}:${of}:${request.user?.sub ?? address}` };
}

function apiCounters(rules: Table['api'], request: GatewayRequest, operation: Operation | undefined, address: string): Counter[] {
  const caller = callerCounter('api', rules, request, address);
  const mailbox = mailing.has(operation) ? mailboxIn(bytesOf(request)) : undefined;
  return mailbox === undefined ? [caller] : [caller, { ...rules.recipient!, of: 'recipient', key: `api:recipient:${digest(mailbox)}` }];
}

/** One person's tickets are one count, whether they come from the page or from a widget. */
const submissionScope = (operation: Operation) =>
  `ticket_submission:${operation === submitWidgetTicket ? submitTicket.name : operation.name}`;
/** What mails a customer, and counts as a submission. */
export const isSubmission = (operation: Operation | undefined): boolean =>
  operation !== undefined && (operation.limit === 'ticket_submission' || operation === submitWidgetTicket);

function submissionCounters(table: Table, operation: Operation | undefined, address: string): Counter[] {
  if (operation === undefined || !isSubmission(operation)) return [];
  return [{ ...table.ticket_submission.address!, of: 'address', key: `${submissionScope(operation)}:address:${address}` }];
}

function commentCounters(table: Table, operation: Operation | undefined, address: string): Counter[] {
  return comments.has(operation) ? [{ ...table.comment.address!, of: 'address', key: `comment:address:${address}` }] : [];
}

/** What a request counts against in its organization, once it is known which one that is. */
export function countersWithin(organization_id: string, table: Table, request: GatewayRequest, operation: Operation): Counter[] {
  const counters: Counter[] = [];
  if (operation.limit === 'widget')
    counters.push({ ...table.widget.organization!, of: 'organization', key: `widget:organization:${organization_id}` });
  const email = isSubmission(operation) ? mailboxIn(bytesOf(request)) : undefined;
  if (email !== undefined) {
    const key = `${submissionScope(operation)}:recipient:${digest(`${organization_id} ${email}`)}`;
    counters.push({ ...table.ticket_submission.recipient!, of: 'recipient', key });
  }
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

/** The address that a body names, as it was written; where a site vouches for its visitor, the one in its token. */
export function addressIn(body: Buffer | undefined): string | undefined {
  const { email, customer_email, identity_token } = membersIn(body);
  const address = typeof email === 'string' ? email : customer_email;
  if (typeof address === 'string') return address;
  // Not verified here: the owner refuses what the site did not sign, and then nothing is mailed.
  const claims = typeof identity_token === 'string' ? jwt.decode(identity_token) : null;
  const vouchedFor: unknown = typeof claims === 'object' ? claims?.['email'] : undefined;
  return typeof vouchedFor === 'string' ? vouchedFor : undefined;
}

/** The members of a JSON body; none where it is no object, or broken: then the owner answers `request.malformed`. */
export function membersIn(body: Buffer | undefined): Record<string, unknown> {
  if (body === undefined) return {};
  try {
    // Without a byte order mark, as the owners read it (Fastify's parser): what they understand must not go uncounted here.
    const parsed: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function canonicalMailbox(address: string): string {
  const plain = address.trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 0) return plain;
  return `${plain.slice(0, at).replace(/\+.*$/s, '')}${plain.slice(at)}`;
}

/** Whether an address is the mailbox's own spelling: one with a `+tag` is an account of its own that counts with the mailbox's. */
export const isCanonical = (address: string): boolean => address.trim().toLowerCase() === canonicalMailbox(address);
