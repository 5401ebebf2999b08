import { AppError } from '@tandem/contracts';

/**
 * PostgreSQL cannot be reached, or the connection was lost during a query: the caller gets 503 `service.unavailable` with
 * `Retry-After`. If the connection is lost while committing, it is unknown whether the transaction was committed.
 */
export class DatabaseUnavailable extends AppError {
  constructor(cause: unknown, options: { retryAfterSeconds?: number; detail?: string } = {}) {
    super('service.unavailable', { retryAfterSeconds: 2, ...options, cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** PostgreSQL refused a write because its disk is full. Nothing was written; the connection can be used. */
export class DatabaseFull extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(cause, {
      retryAfterSeconds: 30,
      detail: 'The database has no space left, so nothing was saved. Please try again later, or inform the operator of this installation.',
    });
    this.name = 'DatabaseFull';
  }
}

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
// 57P01–57P03: shut down, crashed, starting up; 53300: too many connections; class 08: connection exceptions;
// 25P03: the server ended a transaction that idled.
const serverCodes = /^(57P0[1-3]|53300|08...|25P03)$/;
// pg sets no code on these errors.
const messages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
];

/** Whether an error of `pg` means that the server is unreachable, rather than that it rejected a statement. */
export function isUnavailable(error: unknown): boolean {
  // By shape, not by class: Node's own errors belong to another realm inside Jest.
  const { code, message, errors } = (error ?? {}) as { code?: unknown; message?: unknown; errors?: unknown };
  // A host name with several addresses, each of which was tried, fails with one error per address.
  if (Array.isArray(errors)) return errors.some(isUnavailable);
  if (typeof code === 'string' && (socketCodes.has(code) || serverCodes.test(code))) return true;
  return typeof message === 'string' && messages.some((known) => known.test(message));
}

/** The error as callers of this library see it: `DatabaseUnavailable`, or unchanged. */
export function translated(error: unknown): unknown {
  if (isUnavailable(error)) return new DatabaseUnavailable(error);
  return hasCode(error, '53100') ? new DatabaseFull(error) : error;
}

/**
 * The same for a statement of a transaction that may write. The server refuses it as read-only if it is a standby: after a failover, the
 * address points to the new primary, which the next connection reaches.
 */
export const translatedWrite = (error: unknown): unknown => (hasCode(error, '25006') ? new DatabaseUnavailable(error) : translated(error));

const hasCode = (error: unknown, code: string): boolean => (error as { code?: unknown } | null)?.code === code;
