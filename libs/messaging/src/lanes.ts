/** Work with a bound on how much runs at once, and none of the same key at once: that runs in the order of its coming. */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly limit: number) {}

  /** Resolves when the work was taken in (not when it is done): whoever feeds the lanes waits here. `work` must not throw. */
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

  /** Resolves when everything taken in is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled([...this.#tails.values()]);
  }
}
