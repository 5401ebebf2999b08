import { Breaker } from './breaker';

describe('the circuit breaker', () => {
  let now: number;
  let breaker: Breaker;
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed();
  };
  beforeEach(() => {
    now = 0;
    breaker = new Breaker(3, 1_000, () => now);
  });

  it('allows all calls until three in a row have failed', () => {
    for (let i = 0; i < 3; i++) {
      expect(breaker.allows()).toBe(true);
      breaker.failed();
    }
    expect(breaker.allows()).toBe(false);
  });

  it('counts only failures in a row', () => {
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.allows()).toBe(true);
  });

  it('allows one trial call per pause', () => {
    fail(3);
    now = 999;
    expect(breaker.allows()).toBe(false);
    now = 1_000;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
    now = 2_000;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
  });

  it('refuses for another pause when the trial fails', () => {
    fail(3);
    now = 1_500;
    expect(breaker.allows()).toBe(true);
    breaker.failed();
    now = 2_499;
    expect(breaker.allows()).toBe(false);
    now = 2_500;
    expect(breaker.allows()).toBe(true);
  });

  it('closes when the trial succeeds', () => {
    fail(3);
    now = 1_000;
    expect(breaker.allows()).toBe(true);
    breaker.succeeded();
    expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
  });
});
