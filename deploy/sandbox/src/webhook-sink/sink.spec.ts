import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WebhookSink, type SinkSettings } from './sink';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = JSON.stringify({ id: 'evt_1', event: 'ticket.created' });
let sink: WebhookSink;
beforeEach(async () => void (sink = await WebhookSink.start()));
afterEach(() => sink.close());

function send(key = secret, at = new Date(), path = '/hook') {
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign('evt_1', at, body),
  };
  return fetch(sink.url + path, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(300) });
}
const put = (changes: object, headers: Record<string, string> = { origin: sink.url }) =>
  fetch(`${sink.url}/api/settings`, { method: 'PUT', headers, body: JSON.stringify(changes) });

it('stores requests, and verifies them against the secret that is entered before or afterwards', async () => {
  expect((await send()).status).toBe(204);
  expect(await sink.requests()).toMatchObject([
    { method: 'POST', path: '/hook', body, answer: '204', verification: { state: 'unchecked' } },
  ]);
  sink.change({ secrets: [secret] });
  await send(`whsec_${randomBytes(32).toString('base64')}`);
  await send(secret, new Date(Date.now() - 3_600_000));
  await fetch(sink.hookUrl, { method: 'POST', body });
  expect((await sink.requests()).map(({ verification }) => verification)).toMatchObject([
    { state: 'invalid', step: 'header' },
    { state: 'invalid', step: 'clock' },
    { state: 'invalid', step: 'signature' },
    { state: 'valid' },
  ]);
  sink.clear();
  expect(await sink.requests()).toEqual([]);
});

it('responds with the configured status, redirects, or does not respond', async () => {
  for (const status of [200, 410, 500]) {
    sink.change({ status });
    expect((await send()).status).toBe(status);
  }
  sink.change({ status: 429, retry_after: '120' });
  expect((await send()).headers.get('retry-after')).toBe('120');
  sink.change({ answer: 'redirect' });
  const redirected = await send();
  expect([redirected.status, redirected.headers.get('location')]).toEqual([307, `${sink.hookUrl}/redirected`]);
  sink.change({ answer: 'hang' });
  await expect(send()).rejects.toThrow('timeout');
  expect((await sink.requests()).map(({ answer }) => answer)).toEqual(['hang', '307', '429', '500', '410', '200']);
});

it('is set from its page', async () => {
  const settings: SinkSettings = { answer: 'respond', status: 503, retry_after: '5', secrets: [secret] };
  expect((await put(settings)).status).toBe(200);
  expect(sink.settings).toEqual(settings);
  const answer = (await (await fetch(`${sink.url}/api/requests`)).json()) as { settings: SinkSettings; requests: unknown[] };
  expect(answer).toMatchObject({ settings, requests: [] });
});

it.each([{ status: 99 }, { status: 'x' }, { answer: 'explode' }, { secrets: ['secret'] }, { secrets: 'x' }, { retry_after: '5\r\nx: y' }])(
  'refuses %j',
  async (wrong) => {
    expect((await put(wrong)).status).toBe(422);
    expect(sink.settings.status).toBe(204);
  },
);

it('shows nothing to other sites, and lets none of them change it', async () => {
  expect((await put({ status: 500 }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await put({ status: 500 }, {})).status).toBe(403);
  const page = await fetch(sink.url);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await page.text()).toContain('<title>Webhook sink · Tandem</title>');
});
