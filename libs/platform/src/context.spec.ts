import { createHmac } from 'node:crypto';
import type { Context } from '@tandem/contracts';
import { contextHeader, ContextSigner, ContextVerifier, requestIdHeader, signContext, verifyContext } from './context';
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

describe('a signer', () => {
  const at = now.getTime();
  const tokenOf = (headers: Record<string, string>) => headers[contextHeader];
  const changed = (actor: object): Context => ({ ...agentContext, actor: { ...agentContext.actor, ...actor } });

  it('sends one token for the requests of a caller within five seconds, each with its own id', () => {
    const signer = new ContextSigner(secret);
    const first = signer.headers(agentContext, at);
    const second = signer.headers({ ...agentContext, request_id: 'second' }, at + 4_999);
    expect([first[requestIdHeader], second[requestIdHeader]]).toEqual(['from-the-gateway', 'second']);
    expect(tokenOf(second)).toBe(tokenOf(first));
    expect(verifyContext(tokenOf(first), [secret], now)).toEqual(agentContext);
  });

  it('signs again after five seconds, so that a token can always be verified for 55 seconds, and if the clock was set back', () => {
    const signer = new ContextSigner(secret);
    const first = tokenOf(signer.headers(agentContext, at));
    const second = tokenOf(signer.headers(agentContext, at + 5_000));
    expect(second).not.toBe(first);
    expect(tokenOf(signer.headers(agentContext, at - 60_000))).not.toBe(second);
  });

  it('signs again for another role, organization, address, session or token permission', () => {
    const signer = new ContextSigner(secret);
    const token = { type: 'token', token_id: agentContext.organization_id, name: 'Importer', via: 'api' };
    const callers: Context[] = [
      agentContext,
      changed({ role: 'admin' }),
      changed({ role: null }),
      changed({ session_id: agentContext.organization_id }),
      { ...agentContext, organization_id: null },
      { ...agentContext, client: { ip: '203.0.113.8', user_agent: 'Zoë’s browser' } },
      { ...agentContext, client: undefined },
      { ...agentContext, actor: { ...token, permissions: ['tickets:read'] } as Context['actor'] },
      { ...agentContext, actor: { ...token, permissions: [] } as unknown as Context['actor'] },
    ];
    const tokens = callers.map((caller) => tokenOf(signer.headers(caller, at)));
    expect(new Set(tokens).size).toBe(callers.length);
    callers.forEach((caller, i) => expect(verifyContext(tokens[i], [secret], now)).toEqual(caller));
  });
});

describe('a verifier', () => {
  const at = now.getTime();

  it('accepts a token again until it expires', () => {
    const verifier = new ContextVerifier([secret]);
    for (const ms of [0, 1, 59_999]) expect(verifier.verify(signed, at + ms)).toEqual(agentContext);
    expect(verifier.verify(signed, at + 60_000)).toBeUndefined();
  });

  it('refuses a token that differs from a verified one in one character', () => {
    const verifier = new ContextVerifier([secret]);
    verifier.verify(signed, at);
    expect(verifier.verify(`${signed.slice(0, 9)}${signed[9] === 'A' ? 'B' : 'A'}${signed.slice(10)}`, at)).toBeUndefined();
    expect(verifier.verify(`${signed}.x`, at)).toBeUndefined();
  });

  it('does not remember what it has refused', () => {
    const verifier = new ContextVerifier([secret]);
    expect(verifier.verify(signed, at + 60_000)).toBeUndefined();
    expect(verifier.verify(signed, at)).toEqual(agentContext);
  });

  it('remembers a limited number of tokens, and verifies the others again', () => {
    const verifier = new ContextVerifier([secret]);
    const first = verifier.verify(signed, at);
    expect(verifier.verify(signed, at)).toBe(first);
    for (let n = 0; n < 1_000; n++) verifier.verify(signContext({ ...agentContext, request_id: `${n}` }, secret, now), at);
    const again = verifier.verify(signed, at);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  it('returns a context that cannot be changed, because other requests get the same', () => {
    const { actor } = new ContextVerifier([secret]).verify(signed, at)!;
    expect(() => Object.assign(actor, { role: 'admin' })).toThrow('read only');
  });
});
