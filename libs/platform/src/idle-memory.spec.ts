import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idleRule } from './idle-memory';

const mb = 2 ** 20;

describe('the rule', () => {
  it('releases memory after two idle checks in a row', () => {
    const rule = idleRule();
    expect([0.01, 0.5, 0.01, 0.01].map((utilization) => rule.isDue(utilization, 100 * mb))).toEqual([false, false, false, true]);
  });

  it('releases memory again once the process has grown', () => {
    const rule = idleRule();
    rule.isDue(0, 100 * mb);
    expect(rule.isDue(0, 100 * mb)).toBe(true);
    rule.released(80 * mb);
    for (let check = 1; check < 30; check++) expect(rule.isDue(0, 95 * mb)).toBe(false);
    expect(rule.isDue(0, 96 * mb)).toBe(true);
  });

  it('waits for two minutes before it releases memory again', () => {
    const rule = idleRule();
    rule.isDue(0, 100 * mb);
    rule.released(80 * mb);
    const checks = Array.from({ length: 30 }, () => rule.isDue(0, 100 * mb));
    expect(checks.indexOf(true)).toBe(23);
  });
});

/** Runs a process that fills 100 MB, frees it, and then waits for `isFinished`; returns its resident memory in MB before and after. */
function memoryOfProcess(isFinished: string): { before: number; after: number } {
  const script = `
    let objects = [];
    for (let i = 0; i < 1_000_000; i++) objects.push({ a: i, b: [i] });
    objects = [];
    const rss = () => Math.round(process.memoryUsage.rss() / ${mb});
    const before = rss();
    const stopChecks = releaseMemoryWhenIdle((error) => { throw error; }, 100);
    const isFinished = ${isFinished};
    const polled = setInterval(() => {
      if (!isFinished()) return;
      clearInterval(polled);
      stopChecks();
      console.log(JSON.stringify({ before, after: rss() }));
    }, 10);`;
  const input = readFileSync(join(__dirname, 'idle-memory.ts'), 'utf8') + script;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module-typescript'], { input, encoding: 'utf8', timeout: 60_000 })) as {
    before: number;
    after: number;
  };
}

it('returns the memory of freed objects to the operating system', () => {
  const { before, after } = memoryOfProcess('() => rss() < before - 50');
  expect(after).toBeLessThan(before - 50);
});

it('does not stop a busy process', () => {
  // Half of each 20 ms; the checks are due ten times.
  const { before, after } = memoryOfProcess(`(() => {
    const begun = performance.now();
    setInterval(() => { for (const from = performance.now(); performance.now() < from + 10;); }, 20).unref();
    return () => performance.now() > begun + 1_000;
  })()`);
  expect(after).toBeGreaterThan(before - 50);
});
