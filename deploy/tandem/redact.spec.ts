import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { redact } from './redact';

const canary = (): string => `Canary ${randomBytes(12).toString('base64')}/+"\\é%&`;
const [first, second, password, headers] = [canary(), canary(), canary(), canary()];
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const pem = (generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string).trim();
const body = pem.replace(/-----[A-Z ]+-----|\s/g, '');
const env = {
  CONTEXT_SECRET: `${first} , ${second}`,
  ENCRYPTION_KEYS: `new:${newKey.toString('base64')},old:${oldKey.toString('base64')}`,
  TICKETS_DATABASE_URL: `postgres://tandem:${encodeURIComponent(password)}@db.internal:5432/tandem_tickets`,
  DKIM_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  PUBLIC_URL: 'https://help.tandem.test',
  LOG_LEVEL: 'warning',
};
const clean = (text: string): string => redact(text, env) as string;

const forms: [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['in JSON', (secret) => JSON.stringify({ secret })],
  ['in JSON within JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
  ['in JSON with escapes of Unicode', (secret) => [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded with small letters', (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['as a field of a form', (secret) => new URLSearchParams({ secret }).toString()],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
  ['in hexadecimal', (secret) => Buffer.from(secret).toString('hex')],
];

describe.each([
  ['the first entry of a list', first],
  ['the second entry of a list', second],
  ['the password in a database URL', password],
  ['a secret of another program', headers],
])('%s', (_what, secret) => {
  it.each(forms)('is removed %s', (_form, encode) => {
    const found = clean(`before ${encode(secret)} after`);
    expect(found).toMatch(/^before .*\[redacted\].* after$/);
    // At most a few characters of base64 remain, which its neighbors determine, too.
    expect(found.replace('[redacted]', '').length).toBeLessThanOrEqual('before {"secret":""} after'.length + 12);
  });

  it.each(['u', 'us', 'user'])('is removed from a header of HTTP Basic with the user %s', (user) => {
    const header = Buffer.from(`${user}:${secret}`).toString('base64');
    const found = clean(`Basic ${header}`);
    expect(Buffer.from(found.slice(6).replace('[redacted]', ''), 'base64').toString()).not.toContain(secret.slice(2, -2));
    expect(found.length).toBeLessThan('Basic [redacted]'.length + 12);
  });
});

it.each([
  ['base64', newKey.toString('base64')],
  ['base64 without padding', oldKey.toString('base64').slice(0, -1)],
  ['base64url', oldKey.toString('base64url')],
  ['hexadecimal', oldKey.toString('hex')],
  ['hexadecimal in capitals', newKey.toString('hex').toUpperCase()],
])('an encryption key is removed in %s', (_form, text) => expect(clean(`key ${text} end`)).toBe('key [redacted] end'));

describe('a private key in PEM', () => {
  it.each([
    ['with line breaks', pem],
    ['with escaped line breaks', pem.replaceAll('\n', '\\n')],
    ['in JSON', JSON.stringify(pem)],
    ['without line breaks', body],
    ['in lines of 76 characters', body.match(/.{1,76}/g)!.join('\n')],
    ['in base64', Buffer.from(pem).toString('base64')],
    ['cut off', pem.slice(0, 400)],
    ['a part of one line', body.slice(100, 130)],
  ])('is removed %s', (_form, text) => {
    const found = clean(text).replaceAll('[redacted]', ' ');
    const parts = found.split(/[^A-Za-z0-9+/]+/).filter((part) => part.length > 11);
    expect(parts.filter((part) => text.includes(part))).toEqual([]);
  });

  it('of another owner is removed, too', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(clean(`key: ${other}`)).toBe('key: [redacted]\n');
  });
});

it('removes passwords from URLs that are not in the environment', () => {
  const line = 'failed: smtps://support:p%40ss@mail.example.com:465, then nats://127.0.0.1:4222 of <a@example.com>';
  expect(clean(line)).toBe('failed: smtps://support:[redacted]@mail.example.com:465, then nats://127.0.0.1:4222 of <a@example.com>');
});

it('accepts a malformed URL and an empty environment', () => {
  expect(redact('keeps smtp://a:100%raw@host', { SMTP_URL: 'smtp://a:100%raw@host' })).toBe('keeps [redacted]');
  expect(redact({ text: 'nothing to remove', at: 1, none: null }, {})).toEqual({ text: 'nothing to remove', at: 1, none: null });
});

it('leaves ordinary texts, names of hosts and IDs', () => {
  const text =
    'tickets/0012_ticket_cc.sql of 018f3c1e-7c1a-7c3e-9f0e-1c2d3e4f5a6b at db.internal:5432, level warning, https://help.tandem.test';
  expect(clean(text)).toBe(text);
});

it('is applied to keys and nested values', () => {
  expect(redact({ [`x ${first}`]: [{ deep: second }] }, env)).toEqual({ 'x [redacted]': [{ deep: '[redacted]' }] });
});
