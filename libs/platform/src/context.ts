import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Context } from '@tandem/contracts';

/** The header that carries the signed context between our processes. */
export const contextHeader = 'x-tandem-context';

const lifetimeMs = 60_000;
/** Node rejects headers of 16 KiB; our token has a few hundred bytes. */
const longest = 8192;

// Cached because an HMAC key passed as a string is imported at every call, which costs more than the HMAC.
const keys = new Map<string, KeyObject>();
function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(secret, 'utf8');
    keys.set(secret, key);
  }
  return key;
}

const macOf = (payload: string, secret: string): Buffer => createHmac('sha256', keyOf(secret)).update(payload).digest();

/**
 * Signs the caller's context as a token, valid for 60 seconds: `base64url(json {ctx, exp}).base64url(HMAC-SHA256)`, `exp` in seconds.
 * Without the secret, an attacker inside the network cannot act for an organization.
 */
export function signContext(ctx: Context, secret: string, now = new Date()): string {
  const payload = Buffer.from(JSON.stringify({ ctx, exp: Math.floor((now.getTime() + lifetimeMs) / 1000) })).toString('base64url');
  return `${payload}.${macOf(payload, secret).toString('base64url')}`;
}

/**
 * The context in a token that one of the secrets has signed; `undefined` when it is missing, forged, changed or expired (it never throws).
 * The signature is compared in constant time and before anything is parsed.
 */
export function verifyContext(header: string | undefined, secrets: readonly string[], now = new Date()): Context | undefined {
  if (!header || header.length > longest) return undefined;
  const [payload = '', mac = '', ...rest] = header.split('.');
  const given = Buffer.from(mac, 'base64url');
  const isSigned = secrets.some((secret) => {
    const expected = macOf(payload, secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (rest.length > 0 || !isSigned) return undefined;
  try {
    const { ctx, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { ctx: unknown; exp: unknown };
    if (typeof exp !== 'number' || exp * 1000 <= now.getTime()) return undefined;
    return Context.safeParse(ctx).data;
  } catch {
    return undefined; // signed with one of our secrets, but not by `signContext`
  }
}
