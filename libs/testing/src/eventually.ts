export interface EventuallyOptions {
  /** 20,000 unless said. */
  timeoutMs?: number;
  /** The first pause between two tries, 25 unless said; each pause is twice the one before it, up to half a second. */
  everyMs?: number;
}

/**
 * Tries `work` until it neither throws nor returns `false`, and returns what it returned (nothing, for `expect(…)`). Once the time is over
 * it throws what the last try threw, so that the failed expectation is what the report shows. Pauses grow, so that a test which asks the API
 * stays far below the API's own limit however long it has to wait.
 */
export async function eventually<T>(work: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<Exclude<T, false>> {
  const { timeoutMs = 20_000, everyMs = 25 } = options;
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
