import { WebhookVerificationError } from './errors';
import type { ArticleWebhookEvent, ThinWebhookEvent, WebhookEvent } from './generated/types';

/** Headers as a `Headers` object, or as Node's `request.headers`; names in any case. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How much the sender's clock may differ from this one; default: 300. */
  toleranceSeconds?: number;
  /** For tests: the current time in milliseconds since 1970. */
  now?: () => number;
}

const prefix = 'whsec_';
const encoder = new TextEncoder();

/**
 * Verifies a webhook and returns its event. Throws a `WebhookVerificationError` otherwise.
 *
 * @param rawBody the body exactly as it arrived: a body that was parsed and serialized again has another signature
 * @param secret of the endpoint (`whsec_…`); several while a secret is being rotated
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent | ArticleWebhookEvent | ThinWebhookEvent> {
  const body = bytesOf(rawBody);
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('verifyWebhook needs a secret');
  const id = requiredHeader(headers, 'webhook-id');
  const timestamp = requiredHeader(headers, 'webhook-timestamp');
  const signatures = signaturesOf(requiredHeader(headers, 'webhook-signature'));
  assertRecent(timestamp, toleranceSeconds, now());
  const signed = concatenate(encoder.encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, keys, signatures)))
    throw new WebhookVerificationError(
      'signature',
      'No signature matches. Check that the secret is this endpoint’s, and that the body is the raw request body, not parsed and serialized again.',
    );
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent | ArticleWebhookEvent | ThinWebhookEvent;
  } catch {
    throw new WebhookVerificationError('body', 'The body is signed, but it is not JSON.');
  }
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, keys: Uint8Array<ArrayBuffer>[], signatures: Uint8Array<ArrayBuffer>[]) {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // Web Crypto compares in constant time.
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  throw new TypeError(
    'verifyWebhook needs the raw body as a string or as bytes: read it before a JSON parser does (in Express: express.raw)',
  );
}

/** The key is the base64 after `whsec_`. */
function keyBytes(secret: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' && secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined;
  if (!bytes?.length) throw new TypeError('The secret must be the one that Tandem showed: whsec_ and base64');
  return bytes;
}

function requiredHeader(headers: WebhookHeaders, name: string): string {
  const value = (typeof headers.get === 'function' ? headers.get(name) : valueIn(headers, name)) ?? '';
  if (value === '') throw new WebhookVerificationError('header', `The header ${name} is missing.`);
  return value;
}

function valueIn(headers: object, name: string): string | undefined {
  const [, value] = Object.entries(headers as Record<string, unknown>).find(([key]) => key.toLowerCase() === name) ?? [];
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' ? value : undefined;
}

/** `v1,<base64>`, separated by spaces; other versions are skipped. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  const signatures = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .flatMap((part) => fromBase64(part.slice(3)) ?? []);
  if (signatures.length === 0)
    throw new WebhookVerificationError('header', 'The header webhook-signature has no signature in the form v1,<base64>.');
  return signatures;
}

function assertRecent(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('header', 'The header webhook-timestamp is not a number of seconds.');
  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    'clock',
    age > 0
      ? `The webhook was signed ${age} seconds ago, and only ${toleranceSeconds} are allowed: it is a repetition, or this machine’s clock is fast.`
      : `The webhook was signed ${-age} seconds in the future, and only ${toleranceSeconds} are allowed: this machine’s clock is slow.`,
  );
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
