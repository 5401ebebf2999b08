import { createHmac } from 'node:crypto';
import { signContext, verifyContext } from './context';
import { agentContext } from '../test/fixtures';

const secret = 'S0me-long-random-looking-text-of-48-characters!!';
const now = new Date('2026-11-20T12:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const signed = signContext(agentContext, secret, now);

/** A correctly signed token with any payload, including payloads that `signContext` never produces. */
function handMade(payload: unknown): string {
  const text = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)).toString('base64url');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('a signed context', () => {
  it('is decoded unchanged, including names in other scripts', () => {
    expect(verifyContext(signed, [secret], now)).toEqual(agentContext);
  });

  it('fits a header', () => {
    expect(signed).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  });

  it('is valid for 60 seconds', () => {
    expect(verifyContext(signed, [secret], later(59_999))).toEqual(agentContext);
    expect(verifyContext(signed, [secret], later(60_000))).toBeUndefined();
  });

  it('is refused when it was signed with another secret', () => {
    expect(verifyContext(signContext(agentContext, `${secret}x`, now), [secret], now)).toBeUndefined();
  });

  it('is valid if any secret of the list has signed it, as during a rotation', () => {
    const next = 'the-next-secret-that-is-long-enough-for-a-test';
    expect(verifyContext(signed, [next, secret], now)).toEqual(agentContext);
    expect(verifyContext(signContext(agentContext, next, now), [secret, next], now)).toEqual(agentContext);
  });

  it('is refused when the role was changed', () => {
    const [payload = '', mac = ''] = signed.split('.');
    const admin = Buffer.from(payload, 'base64url').toString().replace('"agent"', '"admin"');
    expect(verifyContext(`${Buffer.from(admin).toString('base64url')}.${mac}`, [secret], now)).toBeUndefined();
  });

  it('is refused when any character of it was changed', () => {
    for (let at = 0; at < signed.length - 1; at += 7) {
      const other = signed[at] === 'A' ? 'B' : 'A';
      expect(verifyContext(signed.slice(0, at) + other + signed.slice(at + 1), [secret], now)).toBeUndefined();
    }
  });

  it.each([undefined, '', '.', 'x', 'x.', '.x', 'a.b.c', `${signed}.x`, signed.split('.')[0], '{}', 'a'.repeat(20_000)])(
    'is refused without an exception when it is %p',
    (header) => {
      expect(verifyContext(header, [secret], now)).toBeUndefined();
    },
  );

  it('is refused if it is signed but not a context', () => {
    for (const payload of ['no json', 'null', {}, { ctx: agentContext }, { ctx: {}, exp: 9e9 }, { ctx: agentContext, exp: '9999999999' }]) {
      expect(verifyContext(handMade(payload), [secret], now)).toBeUndefined();
    }
  });
});
