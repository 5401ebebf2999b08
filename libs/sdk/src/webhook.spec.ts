import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from './errors';
import { verifyWebhook, type WebhookHeaders } from './webhook';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const id = 'evt_01980000-0000-7000-8000-000000000001';
const body = JSON.stringify({ id, event: 'ticket.created', data: { ticket: { subject: 'Zerbrochene Tasse ☕' } } });
const now = Date.parse('2026-11-23T10:00:00Z');
const seconds = Math.floor(now / 1_000);

function headersFor(text: string, key = secret, at = now): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(key).sign(id, new Date(at), text),
  };
}
const verify = (headers: WebhookHeaders, key: string | string[] = secret, text: string | Uint8Array | ArrayBuffer = body) =>
  verifyWebhook(text, headers, key, { now: () => now });
async function stepOf(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not a failed verification: ${String(error)}`);
  return `${error.step}: ${error.message}`;
}

describe('verifyWebhook accepts', () => {
  it('bodies that the reference library of Standard Webhooks has signed, and the library accepts the bodies that we accept', async () => {
    const current = headersFor(body, secret, Date.now());
    expect(await verifyWebhook(body, current, secret)).toEqual(JSON.parse(body));
    expect(new Webhook(secret).verify(body, current)).toEqual(JSON.parse(body));
  });

  it.each<[string, WebhookHeaders]>([
    ['a Headers object', new Headers(headersFor(body))],
    ['Node’s headers', headersFor(body)],
    ['names in any case', Object.fromEntries(Object.entries(headersFor(body)).map(([name, value]) => [name.toUpperCase(), value]))],
    ['a list of values', { ...headersFor(body), 'webhook-signature': [headersFor(body)['webhook-signature']!] }],
  ])('headers as %s', async (_case, headers) => {
    await expect(verify(headers)).resolves.toMatchObject({ event: 'ticket.created' });
  });

  it('the body as text, as bytes, as part of a larger buffer, and as an ArrayBuffer', async () => {
    const bytes = new TextEncoder().encode(body);
    const part = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(6, 6 + bytes.length);
    for (const form of [body, bytes, Buffer.from(bytes), part, bytes.buffer])
      await expect(verify(headersFor(body), secret, form)).resolves.toMatchObject({ id });
  });

  it('any of several signatures with any of several secrets, and skips other versions', async () => {
    const [old, other] = [newSecret(), newSecret()];
    const both = {
      ...headersFor(body),
      'webhook-signature': `v1a,xyz ${headersFor(body, old)['webhook-signature']} ${headersFor(body)['webhook-signature']}`,
    };
    for (const secrets of [secret, old, [other, old], [secret, other]]) await expect(verify(both, secrets)).resolves.toMatchObject({ id });
  });

  it('a clock that differs by at most the tolerance', async () => {
    for (const difference of [-300, -1, 0, 300])
      await expect(verify(headersFor(body, secret, now + difference * 1_000))).resolves.toMatchObject({ id });
    const hour = headersFor(body, secret, now - 3_600_000);
    await expect(verifyWebhook(body, hour, secret, { now: () => now, toleranceSeconds: 3_600 })).resolves.toMatchObject({ id });
  });
});

describe('verifyWebhook names the step that fails', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('a missing header: %s', async (name) => {
    const { [name]: _, ...rest } = headersFor(body);
    expect(await stepOf(verify(rest))).toBe(`header: The header ${name} is missing.`);
    expect(await stepOf(verify({ ...rest, [name]: '' }))).toMatch(/^header: /);
  });

  it.each(['yesterday', '1e3', '-5', '1.5', `${seconds}000`])('a timestamp that is not a number of seconds: %s', async (timestamp) => {
    expect(await stepOf(verify({ ...headersFor(body), 'webhook-timestamp': timestamp }))).toMatch(/^(header|clock): /);
  });

  it.each(['v1', 'v2,abc', 'sha256=abc', 'v1,§§§', 'v1,'])('a header without a usable signature: %s', async (signature) => {
    expect(await stepOf(verify({ ...headersFor(body), 'webhook-signature': signature }))).toMatch(/^(header|signature): /);
  });

  it('the clock, in both directions', async () => {
    expect(await stepOf(verify(headersFor(body, secret, now - 301_000)))).toMatch(/^clock: The webhook was signed 301 seconds ago/);
    expect(await stepOf(verify(headersFor(body, secret, now + 420_000)))).toMatch(
      /^clock: The webhook was signed 420 seconds in the future/,
    );
  });

  it('the signature: another secret, another id, another time, another body, a body that was serialized again', async () => {
    const spaced = JSON.stringify(JSON.parse(body), null, 1);
    const attempts = [
      () => verify(headersFor(body), newSecret()),
      () => verify({ ...headersFor(body), 'webhook-id': 'evt_other' }),
      () => verify({ ...headersFor(body), 'webhook-timestamp': String(seconds - 1) }),
      () => verify(headersFor(body), secret, body.replace('created', 'updated')),
      () => verify(headersFor(body), secret, spaced),
      () => verify({ ...headersFor(body), 'webhook-signature': `v1,${createHmac('sha256', secret).update(body).digest('base64')}` }),
    ];
    for (const attempt of attempts) expect(await stepOf(attempt())).toMatch(/^signature: No signature matches/);
  });

  it('a signature that is only a part of the right one', async () => {
    const right = Buffer.from(headersFor(body)['webhook-signature']!.slice(3), 'base64');
    for (const length of [0, 1, 31]) {
      const part = `v1,${right.subarray(0, length).toString('base64')}`;
      expect(await stepOf(verify({ ...headersFor(body), 'webhook-signature': part }))).toMatch(/^(signature|header): /);
    }
  });

  it('a signed body that is not JSON', async () => {
    expect(await stepOf(verify(headersFor('hello'), secret, 'hello'))).toMatch(/^body: /);
  });
});

describe('verifyWebhook refuses', () => {
  it('a body that was already parsed', async () => {
    await expect(verify(headersFor(body), secret, JSON.parse(body) as never)).rejects.toThrow('needs the raw body');
  });

  it.each(['', 'secret', 'whsec_', 'whsec_§', null])('a secret that is not one of Tandem’s: %s', async (wrong) => {
    await expect(verify(headersFor(body), wrong as never)).rejects.toThrow(TypeError);
  });

  it('an empty list of secrets', async () => {
    await expect(verify(headersFor(body), [])).rejects.toThrow(TypeError);
  });
});
