import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';
/** The purpose under which secrets are sealed. */
export const secretPurpose = 'webhook-secret';

/** 32 random bytes in the form of Standard Webhooks: `whsec_` and base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

interface SigningKeys {
  decoded: KeyObject;
  text: KeyObject;
}

// Cached because importing a key takes longer than signing a body.
const known = new Map<string, SigningKeys>();
const maxKnown = 1_000;

function keysOf(secret: string): SigningKeys {
  let keys = known.get(secret);
  if (!keys) {
    keys = { decoded: createSecretKey(secret.slice(prefix.length), 'base64'), text: createSecretKey(secret, 'utf8') };
    if (known.size >= maxKnown) known.clear();
    known.set(secret, keys);
  }
  return keys;
}

/**
 * The headers with which a receiver verifies a request. `secrets`: the current one first, then the previous one while it also signs.
 * `X-Tandem-Signature` uses the current secret as text, so that its receivers need not decode base64.
 */
export function signatureHeaders(
  { id, body, secrets }: { id: string; body: string; secrets: readonly [string, ...string[]] },
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keysOf(secret).decoded).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-tandem-signature': `sha256=${createHmac('sha256', keysOf(secrets[0]).text).update(body).digest('hex')}`,
  };
}
