import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { checkSignature, type ReceivedRequest } from './check-signature';

const newSecret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const secret = newSecret(7);
const now = Date.parse('2026-11-23T10:00:00Z');
const id = 'evt_01980000-0000-7000-8000-000000000001';
const event = { id, event: 'ticket.created', data: { subject: 'Zerbrochene Tasse ☕ für <Jo>', path: 'a/b' } };
const body = JSON.stringify(event);

function headersOf(text: string, key = secret, at = now): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(key).sign(id, new Date(at), text),
    'X-Tandem-Signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
  };
}
const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const check = (changes: Partial<ReceivedRequest> = {}, lastFour = secret.slice(-4)) =>
  checkSignature({ body, headers: lines(headersOf(body)), secret, ...changes }, { lastFour }, now);

describe('a request as it was sent', () => {
  it.each<[string, string]>([
    ['lines', lines(headersOf(body))],
    ['lines with names in upper case', lines(headersOf(body)).replace(/^[\w-]+/gm, (name) => name.toUpperCase())],
    ['options of curl', Object.entries(headersOf(body)).map(([name, value]) => `  -H '${name}: ${value}' \\`).join('\n')],
    ['JSON', JSON.stringify(headersOf(body))],
    ['an object as Node prints it', `{\n${Object.entries(headersOf(body)).map(([name, value]) => `  '${name}': '${value}',`).join('\n')}\n}`],
    ['lines with the signatures of two secrets', lines({ ...headersOf(body), 'webhook-signature': `${headersOf(body, newSecret(9))['webhook-signature']} ${headersOf(body)['webhook-signature']}` })],
  ])('is valid with its headers as %s', (_form, headers) => expect(check({ headers })).toMatchObject({ result: 'valid' })); // prettier-ignore

  it.each([
    [299, 'valid', 'recent enough'],
    [-299, 'valid', 'recent enough'],
    [360, 'late', 'made 6 minutes ago'],
    [3 * 86_400, 'late', 'made 3 days ago'],
    [-7_200, 'late', 'made 2 hours in the future'],
  ])('that was signed %d seconds ago is %s', (seconds, result, finding) => {
    const found = check({ headers: lines(headersOf(body, secret, now - seconds * 1_000)) });
    expect(found).toMatchObject({ result, finding: expect.stringContaining(finding) as string });
  });
});

describe('a changed body is recognized', () => {
  const ascii = (text: string) => text.replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  it.each([
    ['with a line break at its end', `${body}\n`, 'spaces or line breaks'],
    ['with a byte order mark', `\uFEFF${body}`, 'spaces or line breaks'],
    ['printed with indentation', JSON.stringify(event, null, 2), 'parsed and serialized again'],
    ['with Windows line breaks', JSON.stringify(event, null, 2).replaceAll('\n', '\r\n'), 'parsed and serialized again'],
    ['as Python serializes it', ascii(JSON.stringify(event, null, 1).replace(/\n\s*/g, ' ')), 'parsed and serialized again'],
    ['as PHP serializes it', ascii(body).replaceAll('/', '\\/'), 'parsed and serialized again'],
    ['as Go serializes it', body.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'), 'parsed and serialized again'],
    ['as a JSON string', JSON.stringify(body), 'serialized twice'],
    ['read as Latin-1', Buffer.from(body).toString('latin1'), 'decoded as Latin-1'],
  ])('%s', (_what, changed, finding) => {
    expect(check({ body: changed })).toMatchObject({ result: 'invalid', finding: expect.stringContaining(finding) as string });
  });
});

describe('the reason is named if', () => {
  const other = newSecret(9);
  it.each<[string, Partial<ReceivedRequest>, string]>([
    ['the secret belongs to another endpoint', { secret: other }, `This is a different secret: this endpoint’s ends in ${secret.slice(-4)}`],
    ['the secret is not one', { secret: 'hunter2' }, 'This is not a signing secret'],
    ['the secret is cut off', { secret: 'whsec_A' }, 'This is not a signing secret'],
    ['headers are missing', { headers: 'webhook-id: evt_1' }, 'Missing: webhook-timestamp, webhook-signature'],
    ['the timestamp is not a number', { headers: lines({ ...headersOf(body), 'webhook-timestamp': 'now' }) }, 'not a number of seconds'],
    ['the timestamp is of another attempt', { headers: lines({ ...headersOf(body), 'webhook-timestamp': '1795424400' }) }, 'webhook-id, webhook-timestamp or webhook-signature was changed'],
    ['the body is of another request', { body: body.replace(id, 'evt_other') }, 'from different requests'],
    ['the body is no JSON', { body: 'hello' }, 'not the JSON that was sent'],
    ['a value of the body was edited', { body: body.replace('created', 'updated') }, 'the body was probably changed'],
  ])('%s', (_what, changes, finding) => {
    const found = check(changes);
    expect(found).toMatchObject({ result: 'invalid', finding: expect.stringContaining(finding) as string });
    expect(JSON.stringify(found)).not.toContain(changes.secret ?? secret);
  }); // prettier-ignore
});
