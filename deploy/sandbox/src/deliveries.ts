/** One webhook to be sent. */
export interface Delivery {
  webhook_id: string;
  endpoint: string;
  event: string;
  headers: Record<string, string>;
  /** Exactly this text is signed, and sent again at each attempt. */
  body: string;
}

export interface DeliveryRules {
  attempts: number;
  timeoutMs: number;
  retryDelayMs: number;
  /** Delay between the change and the first attempt. */
  delayMs: number;
  /** Maximum number of concurrent deliveries. */
  concurrency: number;
}

export interface DeliveryHooks {
  /** Called before each attempt: whether the webhook is still active. */
  wanted(delivery: Delivery): boolean;
  /** Called after each attempt with the status (null: timeout or no connection). 'stop' ends the delivery, 'retry' tries again. */
  answered(delivery: Delivery, status: number | null): 'stop' | 'retry';
  /** Called when no attempt is left. */
  failed(delivery: Delivery): void;
}

export interface DeliveryRecord {
  webhook_id: string;
  event: string;
  body: string;
  /** The status of each attempt so far, null for no response. */
  statuses: (number | null)[];
  /** The duration of each attempt, in milliseconds. */
  took_ms: number[];
  /** Never sent: dropped by a test, or the webhook was no longer active. */
  dropped: boolean;
}

const KEPT = 5_000;

/** Sends signed webhooks in the order of their changes, several at a time, with retries. A test can hold or drop them. */
export class Deliveries {
  readonly log: DeliveryRecord[] = [];
  private readonly queue: (() => Promise<void>)[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly ending = new AbortController();
  private held: Delivery[] | undefined;
  private toDrop = 0;
  private active = 0;
  private unsettled = 0;
  private waiters: (() => void)[] = [];
  /** While this is set, each attempt fails as if the network were interrupted. */
  cut = false;

  constructor(
    private readonly rules: DeliveryRules,
    private readonly hooks: DeliveryHooks,
  ) {}

  send(delivery: Delivery): void {
    if (this.toDrop > 0) {
      this.toDrop -= 1;
      this.record(delivery).dropped = true;
    } else if (this.held) this.held.push(delivery);
    else this.start(delivery);
  }

  /** Silently drops the next `count` webhooks. */
  drop(count: number): void {
    this.toDrop += count;
  }

  hold(): void {
    this.held ??= [];
  }

  get heldCount(): number {
    return this.held?.length ?? 0;
  }

  /** Sends the held webhooks, twice if requested; later ones are sent immediately. */
  release({ order = 'forward', twice = false }: { order?: 'forward' | 'reverse'; twice?: boolean } = {}): void {
    const held = this.held ?? [];
    this.held = undefined;
    if (order === 'reverse') held.reverse();
    for (const delivery of twice ? [...held, ...held] : held) this.start(delivery);
  }

  /** Resolves once no webhook is being sent or waiting for a retry; held ones do not count. */
  async settled(): Promise<void> {
    if (this.unsettled === 0) return;
    await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  close(): void {
    this.ending.abort();
    for (const timer of this.timers) clearTimeout(timer);
    this.queue.length = 0;
    this.unsettled = 0;
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  private start(delivery: Delivery): void {
    if (this.ending.signal.aborted) return;
    this.unsettled += 1;
    const record = this.record(delivery);
    this.later(this.rules.delayMs, () => this.enqueue(() => this.attempt(delivery, record, 1)));
  }

  private async attempt(delivery: Delivery, record: DeliveryRecord, number: number): Promise<void> {
    if (!this.hooks.wanted(delivery)) {
      record.dropped ||= record.statuses.length === 0;
      return this.settle();
    }
    const begun = performance.now();
    const status = await this.post(delivery);
    if (this.ending.signal.aborted) return;
    record.statuses.push(status);
    record.took_ms.push(performance.now() - begun);
    if (this.hooks.answered(delivery, status) === 'stop') return this.settle();
    if (number < this.rules.attempts)
      return this.later(this.rules.retryDelayMs, () => this.enqueue(() => this.attempt(delivery, record, number + 1)));
    this.hooks.failed(delivery);
    this.settle();
  }

  private async post({ endpoint, headers, body }: Delivery): Promise<number | null> {
    if (this.cut) return null;
    try {
      const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(this.rules.timeoutMs)]);
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal,
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }

  private enqueue(job: () => Promise<void>): void {
    this.queue.push(job);
    this.pump();
  }

  private pump(): void {
    while (this.active < this.rules.concurrency) {
      const job = this.queue.shift();
      if (!job) return;
      this.active += 1;
      void job().finally(() => {
        this.active -= 1;
        this.pump();
      });
    }
  }

  private later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }

  private settle(): void {
    this.unsettled -= 1;
    if (this.unsettled <= 0) for (const waiter of this.waiters.splice(0)) waiter();
  }

  private record({ webhook_id, event, body }: Delivery): DeliveryRecord {
    const record: DeliveryRecord = { webhook_id, event, body, statuses: [], took_ms: [], dropped: false };
    if (this.log.length >= KEPT) this.log.splice(0, KEPT / 4);
    this.log.push(record);
    return record;
  }
}
