interface Queue {
  running: number;
  /** In the order of the calls. */
  waiting: Set<() => void>;
}

/** Limits how much work of the same key, such as an organization or an API token, this process does at once; the rest waits in order. */
export class ConcurrencyLimit {
  readonly #queues = new Map<string, Queue>();
  readonly #maxConcurrent: number;
  readonly #maxWaitMs: number;

  /** @param maxWaitMs Work that has waited for so long starts in addition to the others: work that hangs delays it for no longer than this. */
  constructor({ maxConcurrent, maxWaitMs }: { maxConcurrent: number; maxWaitMs: number }) {
    this.#maxConcurrent = maxConcurrent;
    this.#maxWaitMs = maxWaitMs;
  }

  /** The result of `work`, or its error, when it is its turn. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    if (queue.running < this.#maxConcurrent) queue.running += 1;
    else await this.#turn(queue);
    try {
      return await work();
    } finally {
      const [next] = queue.waiting;
      if (next && queue.running <= this.#maxConcurrent) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(key);
    }
  }

  /** Resolves when other work has ended, which still counts as running, or after `maxWaitMs` in addition to the others. */
  #turn(queue: Queue): Promise<void> {
    return new Promise((resolve) => {
      const start = () => {
        clearTimeout(timer);
        queue.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.running += 1;
        start();
      }, this.#maxWaitMs);
      queue.waiting.add(start);
    });
  }
}
