import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { readIdentityToken } from './widget-identity';

const secret = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE';
const now = new Date('2026-11-21T12:00:00.000Z');
const seconds = now.getTime() / 1000;
const key = new TextEncoder().encode(secret);
const carla = { email: 'carla@example.com' };

const sign = (claims: Record<string, unknown>, alg = 'HS256', by: Parameters<SignJWT['sign']>[0] = key) =>
  new SignJWT({ exp: seconds + 600, ...claims }).setProtectedHeader({ alg }).sign(by);
const read = (token: string) => readIdentityToken(token, secret, now);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token with a valid HS256 signature, regardless of the algorithm in its header. */
const forged = (header: object, claims: object) => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

it('returns address and name in their stored form', async () => {
  expect(await read(await sign({ email: ' Carla@EXAMPLE.com ', name: ' Carla ' }))).toEqual({
    customer_email: 'carla@example.com',
    customer_name: 'Carla',
  });
  expect((await read(await sign(carla))).customer_name).toBeNull();
});
it('accepts a lifetime of at most an hour', async () => {
  await expect(read(await sign({ ...carla, exp: seconds + 3_600 }))).resolves.toBeDefined();
  await expect(read(await sign({ ...carla, exp: seconds + 3_601 }))).rejects.toMatchObject({ code: 'widget.identity_invalid' });
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const valid = { ...carla, exp: seconds + 600 };
it.each<[string, () => string | Promise<string>]>([
  ['without a signature (alg none)', () => new UnsecuredJWT(valid).encode()],
  ['with alg none and a signature', () => forged({ alg: 'none' }, valid)],
  ['with alg RS256, signed with the secret', () => forged({ alg: 'RS256' }, valid)],
  ['signed with another key pair', () => sign(carla, 'RS256', rsa.privateKey)],
  ['with HS512', () => sign(carla, 'HS512')],
  ['signed with another secret', () => sign(carla, 'HS256', new TextEncoder().encode(`${secret}x`))],
  ['that is changed', async () => (await sign(carla)).replace(/\.[^.]+\./, `.${part({ ...valid, email: 'eve@example.com' })}.`)],
  ['that has expired', () => sign({ ...carla, exp: seconds - 1 })],
  ['that never expires', () => forged({ alg: 'HS256' }, carla)],
  ['that is valid for years', () => sign({ ...carla, exp: seconds + 1e9 })],
  ['whose expiry is not a number', () => forged({ alg: 'HS256' }, { ...carla, exp: 'tomorrow' })],
  ['that is not valid yet', () => sign({ ...carla, nbf: seconds + 60 })],
  ['without an address', () => sign({ name: 'Carla' })],
  ['with an invalid email', () => sign({ email: { $ne: null } })],
  ['with several addresses', () => sign({ email: ['carla@example.com', 'eve@example.com'] })],
  ['with a broken address', () => sign({ email: 'carla' })],
  ['with an invalid name', () => sign({ ...carla, name: { first: 'Carla' } })],
  ['with a name beyond all measure', () => sign({ ...carla, name: 'x'.repeat(201) })],
  ['with an unknown critical header', () => forged({ alg: 'HS256', crit: ['x'], x: 1 }, valid)],
  ['that is malformed', () => 'nonsense'],
  ['that is empty', () => ''],
])('rejects a token %s, always with the same error', async (_what, make) => {
  await expect(read(await make())).rejects.toMatchObject({ code: 'widget.identity_invalid', detail: undefined });
});
