import { randomBytes } from 'node:crypto';
import { hashToken, newToken, Secrets } from './secrets';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('Secrets', () => {
  const old = key('2025');
  const fresh = key('2026');
  const before = new Secrets(old);
  const after = new Secrets(`${fresh},${old}`);

  it.each(['', 'token', 'ключ 🔑', 'x'.repeat(10_000)])('decrypts what it encrypted', (text) => {
    expect(before.open('p', before.seal('p', text))).toBe(text);
  });

  it('encrypts the same text differently each time', () => {
    const [one, two] = [before.seal('p', 'hunter2'), before.seal('p', 'hunter2')];
    expect(one).not.toBe(two);
    expect(one + two).not.toContain('hunter2');
  });

  it('decrypts with the old key and encrypts with the new one after a rotation', () => {
    const sealed = before.seal('p', 'text');
    expect(after.open('p', sealed)).toBe('text');
    expect(after.needsRotation(sealed)).toBe(true);
    const again = after.seal('p', after.open('p', sealed));
    expect(after.needsRotation(again)).toBe(false);
    expect(() => before.open('p', again)).toThrow();
  });

  it('decrypts nothing for another purpose', () => {
    expect(() => before.open('other', before.seal('p', 'text'))).toThrow();
  });

  it('decrypts nothing with another key of the same name', () => {
    expect(() => new Secrets(key('2025')).open('p', before.seal('p', 'text'))).toThrow();
  });

  it('decrypts nothing that was changed, shortened or forged', () => {
    const sealed = before.seal('p', 'text');
    const parts = sealed.split('.');
    for (const at of parts.keys()) {
      const changed = parts.map((part, i) => (i === at ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part)).join('.');
      expect(() => before.open('p', changed)).toThrow();
    }
    for (const wrong of ['', '.', '2025', '2025...', sealed.slice(0, -3), `${sealed}.x`, 'plain text']) {
      expect(() => before.open('p', wrong)).toThrow();
    }
  });

  it('does not start with keys of another length', () => {
    expect(() => new Secrets('a:c2hvcnQ=')).toThrow();
  });
});

describe('tokens', () => {
  it('are 43 characters of base64url, stored as SHA-256', () => {
    expect(newToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newToken()).not.toBe(newToken());
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
