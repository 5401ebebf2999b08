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

export interface BatchLimits {
  /** Maximum number of batches that run at once, each of another key. */
  concurrency: number;
  maxBatch: number;
  maxAccepted: number;
  /**
   * From the beginning of a batch, the next one of its key waits for a random time between half of this and all of it, so that items
   * accumulate, unless it is full or no more items are accepted. Random, so that keys that started together do not continue together.
   */
  intervalMs?: number | undefined;
}

/** Like `KeyedQueue`, but runs the work of all items of a key that have accumulated at once. */
export class BatchQueue<T> {
  readonly #items = new Map<string, T[]>();
  readonly #busy = new Set<string>();
  /** Keys whose last batch began so recently that the next one waits. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #blocked: (() => void)[] = [];
  #accepted = 0;
  #active = 0;

  /** `work` must not throw. */
  constructor(
    private readonly limits: BatchLimits,
    private readonly work: (items: T[]) => Promise<void>,
  ) {}

  /** Resolves when the item was accepted, so that callers wait while `maxAccepted` are not done. */
  async add(key: string, item: T): Promise<void> {
    while (this.#accepted >= this.limits.maxAccepted) await new Promise<void>((resolve) => this.#blocked.push(resolve));
    this.#accepted += 1;
    const items = this.#items.get(key);
    if (items) items.push(item);
    else this.#items.set(key, [item]);
    this.#wake();
  }

  /** Resolves when all accepted items are done. Items that accumulate do not wait any longer. */
  async idle(): Promise<void> {
    while (this.#items.size > 0 || this.#running.size > 0) {
      this.#endRests();
      this.#wake();
      await Promise.all(this.#running);
    }
    this.#endRests();
  }

  #wake(): void {
    if (this.#active >= this.limits.concurrency || !this.#next()) return;
    this.#active += 1;
    const running = this.#run().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Takes keys whose items no other run is working on until none is left, the one that has waited longest first. */
  async #run(): Promise<void> {
    // Items that arrive in the same turn of the event loop are one batch.
    await new Promise(setImmediate);
    for (let next = this.#next(); next; next = this.#next()) {
      const [key, waiting] = next;
      const items = waiting.splice(0, this.limits.maxBatch);
      // Behind the other keys.
      this.#items.delete(key);
      if (waiting.length > 0) this.#items.set(key, waiting);
      this.#busy.add(key);
      this.#rest(key);
      await this.work(items);
      this.#busy.delete(key);
      this.#accepted -= items.length;
      for (const resolve of this.#blocked.splice(0)) resolve();
    }
    this.#active -= 1;
  }

  #next(): [string, T[]] | undefined {
    const isFull = this.#accepted >= this.limits.maxAccepted;
    for (const [key, items] of this.#items) {
      if (this.#busy.has(key)) continue;
      if (isFull || items.length >= this.limits.maxBatch || !this.#resting.has(key)) return [key, items];
    }
    return undefined;
  }

  #endRests(): void {
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }

  #rest(key: string): void {
    if (this.limits.intervalMs === undefined) return;
    clearTimeout(this.#resting.get(key));
    const end = () => {
      this.#resting.delete(key);
      this.#wake();
    };
    this.#resting.set(key, setTimeout(end, this.limits.intervalMs * (0.5 + Math.random() / 2)));
  }
}
