import { hash } from 'node:crypto';
import type { Context, Operation, Page } from '@tandem/contracts';

/** A response as it is sent, and as it is stored under its idempotency key. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text; empty with status 204. */
  body: string;
}

const head = '{"success":true,"data":';

/**
 * Wraps a handler's result in the response envelope. With `strict`, a result that the contract does not declare throws;
 * otherwise the first customer with a strict client would find the mismatch.
 */
export function answerOf(op: Operation, ctx: Context, result: unknown, strict: boolean): Answer {
  if (strict) assertDeclared(op, result);
  const page = op.paginated ? (result as Page<unknown>) : undefined;
  const data = page ? page.items : result;
  const headers: Record<string, string> = {};
  if (typeof op.etag === 'function' && data !== null && data !== undefined) headers['etag'] = `"${op.etag(data as never)}"`;
  if (op.status === 204) return { status: 204, headers, body: '' };
  const meta = { request_id: ctx.request_id, ...(page && { pagination: page.pagination }) };
  // At once: a body of several strings would be copied before it is hashed, and again before it is sent.
  const body = JSON.stringify({ success: true, data: data ?? null, meta });
  // Weak because the request id differs between two responses with the same content.
  if (op.etag === 'content') {
    const content = body.slice(head.length, body.length - `,"meta":${JSON.stringify(meta)}}`.length);
    const pagination = JSON.stringify(meta.pagination ?? null);
    headers['etag'] = `W/"${hash('sha256', hash('sha256', content) + pagination, 'base64url')}"`;
  }
  return { status: op.status, headers, body };
}

/** Whether `If-None-Match` matches the response's entity tag, so that the response is an empty 304. */
export function notModified(answer: Answer, ifNoneMatch: string | undefined): boolean {
  const tag = answer.headers['etag'];
  return tag !== undefined && matchesTag(tag, ifNoneMatch);
}

/** Weak comparison of `If-None-Match` with a tag (RFC 9110, 13.1.2). */
export function matchesTag(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = withoutPrefix(tag);
  return ifNoneMatch.split(',').some((candidate) => candidate.trim() === '*' || withoutPrefix(candidate.trim()) === strong);
}

const withoutPrefix = (tag: string) => tag.replace(/^W\//, '');

const metaHead = ',"meta":{"request_id":';

/**
 * Splits a response body from `answerOf` into the JSON of `data` and of the pagination, without parsing `data`. Quotes inside JSON strings are
 * escaped, so the last `metaHead` is where `data` ends.
 */
export function splitAnswer(body: Buffer): { data: Buffer; pagination: string } {
  const end = body.lastIndexOf(metaHead);
  if (end < 0 || body.toString('latin1', 0, head.length) !== head) throw new Error('Not a response of one of our services');
  const { meta } = JSON.parse(`{${body.toString('utf8', end + 1)}`) as { meta: { pagination?: unknown } };
  return { data: body.subarray(head.length, end), pagination: JSON.stringify(meta.pagination ?? null) };
}

function assertDeclared(op: Operation, result: unknown): void {
  const values = op.paginated ? (result as Page<unknown> | undefined)?.items : [result];
  if (!Array.isArray(values)) throw new Error(`${op.name} is paginated: return { items, pagination }`);
  for (const value of values) {
    const parsed = op.output.safeParse(value);
    if (!parsed.success) throw new Error(`${op.name} returned what its contract does not declare: ${parsed.error.message}`);
    const [path] = undeclared(value, parsed.data, '');
    if (path !== undefined) throw new Error(`${op.name} returned a member that its contract does not declare: ${path}`);
  }
}

/** Paths in `value` that parsing removed. */
function undeclared(value: unknown, parsed: unknown, path: string): string[] {
  if (Array.isArray(value) && Array.isArray(parsed))
    return value.flatMap((item, index) => undeclared(item, parsed[index], `${path}[${index}]`));
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) return [];
    const at = path === '' ? key : `${path}.${key}`;
    return key in parsed ? undeclared(member, (parsed as Record<string, unknown>)[key], at) : [at];
  });
}
