const key = Symbol.for('tandem.testing.cleanups');
type Work = () => Promise<unknown>;

/**
 * Registers cleanup work that runs when this test file ends, after its own hooks, last registered first. Works in `int` and `e2e` tests, whose
 * environment (libs/testing/jest/server-environment.cjs) runs it, and can be called from hooks, tests and plain code.
 */
export function onTestFileEnd(work: Work): void {
  const holder = globalThis as { [key]?: Work[] };
  (holder[key] ??= []).push(work);
}
