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
import type { Counter, LimitRule } from './counter';

/**
 * Operations that send email to any given address without authentication. They need a limit per mailbox because +tags turn one mailbox
 * into any number of accounts.
 */
const mailing: ReadonlySet<Operation | undefined> = new Set([signUp, resendConfirmation]);
/** An operation that failed has sent no email. */
const mailsPerMailbox: LimitRule = { limit: 10, windowSeconds: 3_600, blockSeconds: 0, refundOn: 400 };

/** Comments that customers write without being signed in. */
const comments: ReadonlySet<Operation | undefined> = new Set([addPublicComment, addWidgetComment]);

/**
 * In addition to the classes of the contract: inbound webhooks (unauthenticated), and customer comments, which also count in their own
 * class.
 */
export type LimitName = LimitClass | 'webhook' | 'comment';

/**
 * The table of all limits. The contract's `limits` apply to an account; a client address has an additional limit, so that trying many
 * accounts does not help either. For sign-in and password reset the address limit is ten times as high by default and never blocks for
 * longer than its window, so that one person cannot lock out an office.
 */
export function limitTable(config: GatewayConfig): Record<LimitName, Partial<Record<Counter['of'], LimitRule>>> {
  const api = { ...limits.api, limit: config.RATE_LIMIT_API_PER_MINUTE };
  const submissions = { ...limits.ticket_submission, limit: config.RATE_LIMIT_SUBMISSIONS_PER_HOUR };
  const widget = { ...limits.widget, limit: Math.max(limits.widget.limit, api.limit) };
  // Half of the organization's limit: one visitor must not use up the limit that all visitors of a site share.
  const visitor = { ...widget, limit: widget.limit / 2 };
  const resetsPerAddress = { ...limits.password_reset, limit: attemptsPerAddressFactor * limits.password_reset.limit, blockSeconds: 0 };
  // Raising the submission limit raises this one as well: six files and six comments per ticket.
  const uploads = { ...limits.public_upload, limit: Math.max(limits.public_upload.limit, 6 * submissions.limit) };
  const tests = { ...limits.email_test, limit: config.RATE_LIMIT_EMAIL_TESTS_PER_HOUR };
  return {
    api: { account: api, address: api, recipient: mailsPerMailbox },
    // The address limits lookups of values that the gateway does not know, so that guessing tokens does not reach identity.
    rest_api: { token: { ...limits.rest_api, limit: config.RATE_LIMIT_REST_API_PER_MINUTE }, address: limits.api },
    login: { account: limits.login, address: { ...limits.login, limit: config.RATE_LIMIT_LOGIN_PER_ADDRESS, blockSeconds: 0 } },
    // The recipient limit keeps many client addresses from flooding one mailbox. It is twice as high, so that a client reaches its own
    // limit first.
    ticket_submission: { address: submissions, recipient: { ...submissions, limit: 2 * submissions.limit } },
    password_reset: { account: limits.password_reset, address: resetsPerAddress },
    // The organization counter is shared by all its visitors. The address is checked first, so that guessing widget keys is limited before
    // any lookup.
    widget: { address: visitor, organization: widget },
    public_upload: { address: uploads },
    // The same limit as for files: many comments must not flood the mailboxes of a ticket's watchers.
    comment: { address: uploads },
    session: { account: limits.session, address: perAddress(limits.session) },
    events: { account: limits.events, address: perAddress(limits.events) },
    presence: { account: limits.presence, address: perAddress(limits.presence) },
    unread: { account: limits.unread, address: perAddress(limits.unread) },
    help: { address: { ...limits.help, limit: Math.max(limits.help.limit, api.limit) } },
    demo: { address: limits.demo },
    email_test: { account: tests, address: perAddress(tests) },
    webhook: { address: { limit: Math.max(30_000, config.RATE_LIMIT_API_PER_MINUTE), windowSeconds: 60, blockSeconds: 0 } },
  };
}

/**
 * For callers without a valid access token, who may share their address with a whole office. A session is refreshed without an access
 * token, because it has expired.
 */
const perAddress = (rule: LimitRule): LimitRule => ({ ...rule, limit: 5 * rule.limit });

type Table = ReturnType<typeof limitTable>;
export const addressOf = (request: GatewayRequest) => normalizeIp(request.ip); // Treats an IPv6 /64 as one client.

/**
 * The counters that follow from the request alone, at most one per kind, in the order in which they are checked. The organization's
 * counters come after them (`countersWithin`).
 */
export function countersOf(name: LimitName, table: Table, request: GatewayRequest, operation: Operation | undefined): Counter[] {
  const rules = table[name];
  const address = addressOf(request);
  if (request.apiToken !== undefined) return [{ ...table.rest_api.token!, of: 'token', key: `rest_api:token:${request.apiToken.id}` }];
  if (name === 'api') return [...apiCounters(rules, request, operation, address), ...commentCounters(table, operation, address)];
  if (byCaller.has(name)) return [callerCounter(name, rules, request, address)];
  if (name === 'widget') {
    const caller: Counter = { ...rules.address!, of: 'address', key: `widget:address:${address}` };
    return [caller, ...submissionCounters(table, operation, address), ...commentCounters(table, operation, address)];
  }
  if (name === 'ticket_submission') return submissionCounters(table, operation, address);
  const scope = operation === undefined || name === 'login' ? name : `${name}:${operation.name}`;
  const email = name === 'webhook' ? undefined : mailboxIn(bytesOf(request));
  const caller: Counter = { ...rules.address!, of: 'address', key: `${scope}:address:${address}` };
  if (email === undefined || !rules.account) return [caller];
  // The account comes first: its error names the block, and attempts on a blocked account do not use up the address limit.
  return [{ ...rules.account, of: 'account', key: accountKey(scope, email) }, caller];
}

/** Requests that an open page sends without user action, and test emails: only their caller is counted. */
const byCaller: ReadonlySet<LimitName> = new Set<LimitName>(['session', 'events', 'presence', 'unread', 'email_test']);

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

/** Tickets from the portal page and from a widget share their counters. */
const submissionScope = (operation: Operation) =>
  `ticket_submission:${operation === submitWidgetTicket ? submitTicket.name : operation.name}`;
/** Operations that send email to a customer and count as a submission. */
export const isSubmission = (operation: Operation | undefined): boolean =>
  operation !== undefined && (operation.limit === 'ticket_submission' || operation === submitWidgetTicket);

function submissionCounters(table: Table, operation: Operation | undefined, address: string): Counter[] {
  if (operation === undefined || !isSubmission(operation)) return [];
  return [{ ...table.ticket_submission.address!, of: 'address', key: `${submissionScope(operation)}:address:${address}` }];
}

function commentCounters(table: Table, operation: Operation | undefined, address: string): Counter[] {
  return comments.has(operation) ? [{ ...table.comment.address!, of: 'address', key: `comment:address:${address}` }] : [];
}

/** The counters within the organization, once it has been resolved. */
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

/** The counter of attempts on an account; the same for every spelling of its address. */
export const accountKey = (scope: string, email: string) => `${scope}:account:${digest(canonicalMailbox(email))}`;

/** Hashed, so that Redis keys contain no personal data. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The mailbox in a body, normalized: lower case, trimmed, without `+tag`. Undefined if the service will reject the body anyway. */
export function mailboxIn(body: Buffer | undefined): string | undefined {
  const address = addressIn(body);
  return address === undefined ? undefined : canonicalMailbox(address);
}

/** The address in a body as written, or the one in the identity token if the site signed its visitor's identity. */
export function addressIn(body: Buffer | undefined): string | undefined {
  const { email, customer_email, identity_token } = membersIn(body);
  const address = typeof email === 'string' ? email : customer_email;
  if (typeof address === 'string') return address;
  // Not verified here: the service rejects tokens that the site did not sign, and then no email is sent.
  const claims = typeof identity_token === 'string' ? jwt.decode(identity_token) : null;
  const claimedEmail: unknown = typeof claims === 'object' ? claims?.['email'] : undefined;
  return typeof claimedEmail === 'string' ? claimedEmail : undefined;
}

/** The members of a JSON body. Empty if the body is not a JSON object; the service then answers `request.malformed`. */
export function membersIn(body: Buffer | undefined): Record<string, unknown> {
  if (body === undefined) return {};
  try {
    // Strip a byte order mark as Fastify's parser does in the services: a body that they accept must not go uncounted here.
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

/** Whether the address is already normalized. One with a `+tag` is a separate account that shares the mailbox's counters. */
export const isCanonical = (address: string): boolean => address.trim().toLowerCase() === canonicalMailbox(address);
