import { Secret } from 'otpauth';
import {
  afterWrongCode,
  blockedProblem,
  blockedSeconds,
  isAuthenticatorCode,
  mfaRequired,
  newRecoveryCodes,
  newSecret,
  noFailedCodes,
  otpauthUri,
  formatRecoveryCode,
  stepOfCode,
} from './mfa';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('an authenticator code', () => {
  /** The test vectors of RFC 6238, appendix B: the last six of eight digits. */
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('equals the RFC 6238 value at second %i', (seconds, code) => {
    expect(stepOfCode(secret, code, at(seconds), null)).toBe(Math.floor(seconds / 30));
  });
  it('is valid one step before and after its own', () => {
    const of = (seconds: number) => stepOfCode(secret, '050471', at(seconds), null);
    const step = Math.floor(1_111_111_111 / 30);
    const start = step * 30;
    expect([of(start - 30), of(start), of(start + 59)]).toEqual([step, step, step]);
    expect([of(start - 31), of(start + 60)]).toEqual([undefined, undefined]);
  });
  it('is valid once, and invalidates earlier steps', () => {
    const step = Math.floor(59 / 30);
    expect(stepOfCode(secret, '287082', at(59), step - 1)).toBe(step);
    expect(stepOfCode(secret, '287082', at(59), step)).toBeUndefined();
    expect(stepOfCode(secret, '287082', at(59), step + 1)).toBeUndefined();
  });
  it.each(['287083', '28708', '2870820', '', '２８７０８２'])('is not %j', (code) =>
    expect(stepOfCode(secret, code, at(59), null)).toBeUndefined(),
  );
});

describe('a secret', () => {
  it('is 20 random bytes in base32', () => {
    const [one, other] = [newSecret(), newSecret()];
    expect(one).toMatch(/^[A-Z2-7]{32}$/);
    expect(other).not.toBe(one);
  });
  it('is in a URI with issuer and account', () => {
    const secret = newSecret();
    const uri = new URL(otpauthUri(secret, 'grace+work@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.href)).toContain('totp/Tandem:grace+work@example.com?');
    expect(Object.fromEntries(uri.searchParams)).toEqual({ issuer: 'Tandem', secret, algorithm: 'SHA1', digits: '6', period: '30' });
  });
});

describe('recovery codes', () => {
  it('are ten distinct codes of 16 base32 characters, formatted in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{16}$/);
    expect(formatRecoveryCode('abcdefghijklmnop')).toBe('abcd-efgh-ijkl-mnop');
  });
  it('are distinguished from authenticator codes', () => {
    expect(isAuthenticatorCode('012345')).toBe(true);
    expect(isAuthenticatorCode('2345672345672345')).toBe(false);
  });
});

describe('wrong codes', () => {
  const wrong = (times: number, from = noFailedCodes, start = 0) =>
    Array.from({ length: times }).reduce<typeof noFailedCodes>((before, _, index) => afterWrongCode(before, at(start + index)), from);

  it('block for 30 minutes at the fifth within 15 minutes', () => {
    expect(wrong(4)).toEqual({ failed_count: 4, failed_since: at(0), blocked_until: null });
    expect(wrong(5)).toEqual({ failed_count: 5, failed_since: at(0), blocked_until: at(4 + 30 * 60) });
  });
  it('are counted from zero 15 minutes after the first, and after a block', () => {
    expect(afterWrongCode(wrong(4), at(15 * 60 - 1)).blocked_until).not.toBeNull();
    expect(afterWrongCode(wrong(4), at(15 * 60))).toEqual({ failed_count: 1, failed_since: at(15 * 60), blocked_until: null });
    expect(afterWrongCode({ ...wrong(5), failed_since: at(1800) }, at(1805))).toMatchObject({ failed_count: 1, blocked_until: null });
  });
  it('end the block exactly at its time', () => {
    const blocked = wrong(5);
    expect(blockedSeconds(blocked, at(4))).toBe(1800);
    expect(blockedSeconds(blocked, at(1803.5))).toBe(1);
    expect(blockedSeconds(blocked, at(1804))).toBe(0);
    expect(blockedSeconds(noFailedCodes, at(0))).toBe(0);
  });
  it('return the message that names the minutes to wait', () => {
    expect(blockedProblem(1741)).toMatchObject({
      code: 'login.blocked',
      detail: 'Too many failed login attempts. Please try again in 30 minutes.',
      retryAfterSeconds: 1741,
    });
  });
});

it('an organization requires two-factor sign-in of admins only', () => {
  const requires = (role: 'admin' | 'manager' | 'agent' | null) => mfaRequired({ role, require_mfa_for_admins: true });
  expect([requires('admin'), requires('manager'), requires('agent'), requires(null)]).toEqual([true, false, false, false]);
  expect(mfaRequired({ role: 'admin', require_mfa_for_admins: false })).toBe(false);
  expect(mfaRequired({ role: null, require_mfa_for_admins: null })).toBe(false);
});
