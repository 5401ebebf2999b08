import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** The purpose under which secrets are sealed. */
export const secretPurpose = 'webhook-secret';

/** 32 random bytes in the form of Standard Webhooks: `whsec_` and base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

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
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-tandem-signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
  };
}
