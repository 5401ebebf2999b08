/** Runs work with a limit on concurrency; work with the same key runs one at a time, in the order in which it was added. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly limit: number) {}

  /** Resolves when the work was accepted (not when it is done), so that callers wait while the limit is reached. `work` must not throw. */
  async add(key: string, work: () => Promise<void>): Promise<void> {
    if (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    const done = (this.#tails.get(key) ?? Promise.resolve()).then(work).finally(() => {
      if (this.#tails.get(key) === done) this.#tails.delete(key);
      this.#running -= 1;
      this.#waiting.shift()?.();
    });
    this.#tails.set(key, done);
  }

  /** Resolves when all accepted work is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled([...this.#tails.values()]);
  }
}
