import { createContext, Script } from 'node:vm';

/**
 * Runs synchronous work and returns its result; V8 ends it when it takes longer than `limitMs`, even inside a regular expression.
 *
 * For work on hostile input, which must be linear: choose an input for which linear work takes a fraction of a second and quadratic work takes
 * minutes. The limit is far from both, so a busy machine does not fail the test, unlike a comparison of two durations.
 * @throws {Error} with code ERR_SCRIPT_EXECUTION_TIMEOUT
 */
export function runWithKillLimit<T>(work: () => T, limitMs = 20_000): T {
  return new Script('work()').runInContext(createContext({ work }), { timeout: limitMs }) as T;
}
