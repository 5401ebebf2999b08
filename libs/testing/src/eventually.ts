export interface EventuallyOptions {
  /** Default 60,000: a busy machine needs seconds for what takes milliseconds on an idle one. */
  timeoutMs?: number;
  /** The first pause between two tries; default 25. Each pause is twice the previous one, up to half a second. */
  everyMs?: number;
}

/**
 * Calls `work` until it neither throws nor returns `false`, and returns its result (nothing, for `expect(…)`). On timeout it rethrows
 * the last error, so that the report shows the failed expectation. The pauses grow, so that a test that polls the API
 * stays far below the API's own rate limit however long it has to wait.
 */
export async function eventually<T>(work: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<Exclude<T, false>> {
  const { timeoutMs = 60_000, everyMs = 25 } = options;
  const deadline = Date.now() + timeoutMs;
  let pause = everyMs;
  for (;;) {
    try {
      const result = await work();
      if (result !== false) return result as Exclude<T, false>;
      throw new Error(`Still false after ${timeoutMs} ms`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 500);
  }
}
