export interface EventuallyOptions {
  /** 10,000 unless said. */
  timeoutMs?: number;
  /** Pause between two tries; 25 unless said. */
  everyMs?: number;
}

/**
 * Tries `work` until it neither throws nor returns `false`, and returns what it returned (nothing, for `expect(…)`). Once the time is over
 * it throws what the last try threw, so that the failed expectation is what the report shows.
 */
export async function eventually<T>(work: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<Exclude<T, false>> {
  const { timeoutMs = 10_000, everyMs = 25 } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const result = await work();
      if (result !== false) return result as Exclude<T, false>;
      throw new Error(`Still false after ${timeoutMs} ms`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
