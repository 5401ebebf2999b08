import { runWithKillLimit } from './kill-limit';

describe('the kill limit', () => {
  it('returns the result of work that ends', () => expect(runWithKillLimit(() => 'done')).toBe('done'));
  it('passes on an error of the work', () =>
    expect(() =>
      runWithKillLimit(() => {
        throw new RangeError('bad');
      }),
    ).toThrow('bad'));
  it('ends a loop', () =>
    expect(() =>
      runWithKillLimit(() => {
        for (;;);
      }, 50),
    ).toThrow('timed out'));
  it('ends a regular expression that backtracks', () =>
    expect(() => runWithKillLimit(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`), 50)).toThrow('timed out'));
});
