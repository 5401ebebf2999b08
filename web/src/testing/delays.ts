/** Milliseconds by which the responses of a path are delayed: longer than a page needs to show what it has. */
const delays = [0, 0, 60, 200, 400];
/** The real timer: a test may install fake ones. */
const wait = setTimeout;
let test = 0;
/** Drops delayed requests that the test before did not wait for: they would arrive in the next one. */
export const dropDelayed = (): void => void (test += 1);

/** One of `delays`, always the same for a path and seed. */
function delayOf(path: string, seed: string): number {
  let hash = 7;
  for (const character of path.replace(/[0-9a-f-]{36}/g, ':id') + seed) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return delays[hash % delays.length]!;
}

/**
 * With `RESPONSE_DELAYS`, whose value is a seed, responses arrive in another order than they usually do: this finds pages that show something
 * wrong in between, and tests that assert too early. Call it after the fake server has replaced `fetch`. While a test has fake timers,
 * nothing is delayed, because they would advance meanwhile.
 */
export function delayResponses(): void {
  const seed = process.env.RESPONSE_DELAYS;
  if (!seed) return;
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    const of = test;
    if (setTimeout === wait) await new Promise((resolve) => wait(resolve, delayOf(pathname, seed)));
    return of === test ? send(input, init) : new Promise<never>(() => undefined);
  };
}
