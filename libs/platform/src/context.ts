import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Context } from '@tandem/contracts';

/** The header that carries the signed context between our processes. */
export const contextHeader = 'x-tandem-context';
/** The header with the request's id, if the context was signed for several requests. Proxies may replace `x-request-id`, but not this one. */
export const requestIdHeader = 'x-tandem-request-id';

const lifetimeMs = 60_000;
/** How long a signed context is sent again. At least 55 seconds of its lifetime remain for clocks that differ. */
const reuseMs = 5_000;
/** Bounds the memory of each cache to about a megabyte. */
const maxKnown = 1_000;
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
export const verifyContext = (header: string | undefined, secrets: readonly string[], now = new Date()): Context | undefined =>
  verifyToken(header, secrets, now)?.ctx;

interface Verified {
  ctx: Context;
  expiresAt: number;
}

function verifyToken(header: string | undefined, secrets: readonly string[], now: Date): Verified | undefined {
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
    const { data } = Context.safeParse(ctx);
    return data && { ctx: data, expiresAt: exp * 1000 };
  } catch {
    return undefined; // signed with one of our secrets, but not by `signContext`
  }
}

/** Adds an entry, and removes the oldest one of a full cache. */
function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  cache.delete(key);
  const oldest = cache.size >= maxKnown ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(key, value);
}

/**
 * Signs contexts for requests. Requests of the same caller (organization, actor with its rights, client) within `reuseMs` share one token;
 * their ids are sent next to it. A caller whose rights have changed is another caller, and so gets another token.
 */
export class ContextSigner {
  readonly #signed = new Map<string, { token: string; at: number }>();

  constructor(private readonly secret: string) {}

  headers(ctx: Context, now = Date.now()): Record<string, string> {
    const { organization_id, actor, client, request_id } = ctx;
    const caller = JSON.stringify([organization_id, actor, client]);
    let signed = this.#signed.get(caller);
    // Also signed again if the clock was set back.
    if (signed === undefined || now < signed.at || now - signed.at >= reuseMs) {
      signed = { token: signContext(ctx, this.secret, new Date(now)), at: now };
      remember(this.#signed, caller, signed);
    }
    return { [contextHeader]: signed.token, [requestIdHeader]: request_id };
  }
}

/** Verifies contexts. A token that is sent again is verified once, and accepted until it expires. */
export class ContextVerifier {
  readonly #verified = new Map<string, Verified>();

  constructor(private readonly secrets: readonly string[]) {}

  /** The returned context is frozen, because requests share it. */
  verify(token: string | undefined, now = Date.now()): Readonly<Context> | undefined {
    const known = token === undefined ? undefined : this.#verified.get(token);
    if (known !== undefined && known.expiresAt > now) return known.ctx;
    const verified = verifyToken(token, this.secrets, new Date(now));
    if (verified === undefined) return undefined;
    deepFreeze(verified.ctx);
    remember(this.#verified, token!, verified);
    return verified.ctx;
  }
}

function deepFreeze(value: object): void {
  Object.freeze(value);
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member as object);
}
