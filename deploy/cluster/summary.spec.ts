import { summarize, type Attempt } from './summary.ts';

const write = (from: number, until: number, failure?: string): Attempt => ({ kind: 'write', from, until, failure });

describe('summarize', () => {
  it('counts requests and failures by reason', () => {
    const { requests, failed, failures } = summarize([write(0, 1), write(1, 2, '503'), write(2, 3, '503'), write(3, 4, 'ECONNRESET')]);
    expect({ requests, failed, failures }).toEqual({ requests: 4, failed: 3, failures: { '503': 2, ECONNRESET: 1 } });
  });

  it('measures a gap between successes of any client, with the failures in it', () => {
    const attempts = [write(0, 100), write(90, 300, '503'), write(100, 400, '503'), write(300, 900), write(900, 1_000)];
    expect(summarize(attempts).longestGap).toEqual({ from: 100, ms: 800, failures: { '503': 2 } });
  });

  it('does not count a request that fails late as a gap if others succeed in the meantime', () => {
    const attempts = [write(0, 100), write(50, 9_450, '503'), ...Array.from({ length: 100 }, (_, i) => write(i * 100, i * 100 + 100))];
    expect(summarize(attempts).longestGap.ms).toBe(100);
  });

  it('counts the time in which all clients wait for a response, and the time before the first and after the last success', () => {
    expect(summarize([write(0, 100), write(100, 5_000)]).longestGap).toEqual({ from: 100, ms: 4_900, failures: {} });
    expect(summarize([write(0, 700, '503'), write(700, 800)]).longestGap.ms).toBe(800);
    expect(summarize([write(0, 100), write(100, 900, '503')]).longestGap).toEqual({ from: 100, ms: 800, failures: { '503': 1 } });
  });

  it('lists the gaps of more than two seconds', () => {
    const attempts = [write(0, 100), write(100, 2_500), write(2_500, 4_400), write(4_400, 7_000, '503'), write(7_000, 7_500)];
    expect(summarize(attempts).gaps).toEqual([
      { from: 100, ms: 2_400, failures: {} },
      { from: 4_400, ms: 3_100, failures: { '503': 1 } },
    ]);
  });

  it('has no gap without requests', () => {
    expect(summarize([])).toEqual({ requests: 0, failed: 0, failures: {}, longestGap: { from: 0, ms: 0, failures: {} }, gaps: [] });
  });
});
