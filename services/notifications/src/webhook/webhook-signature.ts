import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';
/** The purpose under which secrets are sealed. */
export const secretPurpose = 'webhook-secret';

/** 32 random bytes in the form of Standard Webhooks: `whsec_` and base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

export interface SigningKeys {
  decoded: KeyObject;
  text: KeyObject;
}

/** By the sealed secret. Cached because importing a key takes longer than signing a body. */
const known = new Map<string, SigningKeys>();
const maxKnown = 1_000;

/** The keys of a sealed secret; `open` decrypts it if they are not known. */
export function signingKeysOf(sealed: string, open: (sealed: string) => string): SigningKeys {
  let keys = known.get(sealed);
  if (!keys) {
    const secret = open(sealed);
    keys = { decoded: createSecretKey(secret.slice(prefix.length), 'base64'), text: createSecretKey(secret, 'utf8') };
    if (known.size >= maxKnown) known.clear();
    known.set(sealed, keys);
  }
  return keys;
}

/**
 * The headers with which a receiver verifies a request. `keys`: of the current secret first, then of the previous one while it also signs.
 * `X-Tandem-Signature` uses the current secret as text, so that its receivers need not decode base64.
 */
export function signatureHeaders(
  { id, body, keys }: { id: string; body: string; keys: readonly [SigningKeys, ...SigningKeys[]] },
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = keys.map(({ decoded }) => `v1,${createHmac('sha256', decoded).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-tandem-signature': `sha256=${createHmac('sha256', keys[0].text).update(body).digest('hex')}`,
  };
}
