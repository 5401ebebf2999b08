import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AccessTokens, type SessionClaims } from './access-token';

const SESSION_SECRET = 'one-secret-that-is-long-enough-for-a-test';
const later = Math.floor(Date.now() / 1000) + 3600;
const claims: SessionClaims = {
  sub: 'user',
  sid: 'session',
  org: null,
  role: null,
  ver: 1,
  enrol: false,
  idle: later,
  abs: later,
  iat: 0,
  exp: 0,
};
const admin: SessionClaims = { ...claims, org: 'organization', role: 'admin' };

describe('an access token', () => {
  const tokens = new AccessTokens({ SESSION_SECRET: [SESSION_SECRET] });
  const token = tokens.sign(admin);

  it('contains user, organization and role, and is valid for ten minutes', () => {
    const read = tokens.verifyEvenIfExpired(token)!;
    expect(read).toMatchObject({ sub: 'user', sid: 'session', org: 'organization', role: 'admin', iss: 'tandem', aud: 'tandem-api' });
    expect(read.exp - read.iat).toBe(600);
  });

  it('never outlives its session', () => {
    const soon = Math.floor(Date.now() / 1000) + 60;
    expect(tokens.verifyEvenIfExpired(tokens.sign({ ...admin, idle: soon }))!.exp).toBe(soon);
  });

  it('is verified with every secret of the list, and with no other', () => {
    const rotated = new AccessTokens({ SESSION_SECRET: ['another-secret-that-is-long-enough-too', SESSION_SECRET] });
    expect(rotated.verifyEvenIfExpired(token)).toMatchObject({ sub: 'user' });
    expect(rotated.verifyEvenIfExpired(rotated.sign(admin))).toMatchObject({ sub: 'user' });
    expect(new AccessTokens({ SESSION_SECRET: ['another-secret-that-is-long-enough-too'] }).verifyEvenIfExpired(token)).toBeUndefined();
  });

  const keyid = jwt.decode(token, { complete: true })!.header.kid!;
  const valid = { algorithm: 'HS256', issuer: 'tandem', audience: 'tandem-api', keyid } as const;
  const key = tokens.keyOf(token)!;
  const payload = { ...claims, role: 'admin', iat: later - 3600, exp: later };
  const unsigned = [{ alg: 'none', typ: 'JWT', kid: keyid }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  it.each([
    ['nothing', ''],
    ['no token', 'a.b.c'],
    ['no algorithm', `${unsigned.join('.')}.`],
    ['another algorithm', jwt.sign(payload, key, { ...valid, algorithm: 'HS512' })],
    ['another issuer', jwt.sign(payload, key, { ...valid, issuer: 'somebody' })],
    ['another audience', jwt.sign(payload, key, { ...valid, audience: 'somewhere' })],
    ['another key with our key ID', jwt.sign(payload, createSecretKey(Buffer.alloc(32, 1)), valid)],
    ['an unknown key ID', jwt.sign(payload, key, { ...valid, keyid: 'unknown' })],
    ['a changed payload', token.replace(/\.[^.]+\./, `.${unsigned[1]!}.`)],
  ])('is refused with %s', (_what, forged) => {
    expect(tokens.verifyEvenIfExpired(forged)).toBeUndefined();
  });

  const claimsOf = (text: string) => tokens.verifyEvenIfExpired(text)!;

  it('is known once it has been verified, until it expires', () => {
    jest.useFakeTimers();
    try {
      const expiring = tokens.sign(admin);
      expect(tokens.findVerified(expiring)).toBeUndefined();
      tokens.addVerified(expiring, claimsOf(expiring));
      jest.advanceTimersByTime(598_000);
      expect(tokens.findVerified(expiring)).toMatchObject({ sub: 'user', org: 'organization' });
      jest.advanceTimersByTime(2_000);
      expect(tokens.findVerified(expiring)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is not known because of another token that was verified before', () => {
    tokens.addVerified(token, claimsOf(token));
    const [head, body, signature] = token.split('.') as [string, string, string];
    for (const forged of [`${head}.${body}`, `${head}.${body}.`, `${head}.${body}.${signature.slice(0, -2)}`, `${token}x`, undefined])
      expect(tokens.findVerified(forged)).toBeUndefined();
    expect(tokens.findVerified(token)).toMatchObject({ sub: 'user' });
  });

  it('is forgotten after many others, unless it is still used', () => {
    const used = tokens.sign({ ...admin, sid: 'used' });
    for (const each of [token, used]) tokens.addVerified(each, claimsOf(each));
    for (let n = 0; n < 5_000; n++) {
      tokens.addVerified(`other ${n}`, claimsOf(token));
      tokens.findVerified(used);
    }
    expect(tokens.findVerified(token)).toBeUndefined();
    expect(tokens.findVerified(used)).toMatchObject({ sid: 'used' });
  });

  it('uses a different key than CSRF tokens with the same secret', () => {
    expect(tokens.csrfKeys[0]!.equals(key)).toBe(false);
  });
});
