import type { TenantContext } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import type { Claimed } from './webhook-delivery.store';
import { isOverload } from './webhook-failure';
import type { Sent } from './webhook-sender';

/** An outcome waits this long for others of its endpoint, to be stored with them in one transaction. */
const recordDelayMs = 250;

/** An attempt that is not stored yet. */
export interface Finished {
  claimed: Claimed;
  sent: Sent;
}

/** The work of this process for one endpoint: its attempts run concurrently, its transactions one after another. */
export class Lane {
  underWay = 0;
  /** Attempts that the endpoint may have in progress, according to the last transaction. */
  limit: number = webhookRules.concurrency;
  finished: Finished[] = [];
  /** Deliveries may have become due since the last claim. */
  isWanted = false;
  #wake = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly ctx: TenantContext,
    readonly endpoint_id: string,
  ) {}

  /** Deliveries may be due. A claim now would find nothing if the limit is reached; the end of an attempt claims, too. */
  want(): void {
    this.isWanted = true;
    if (this.underWay < this.limit) this.#wake.resolve();
  }

  finish(finished: Finished): void {
    this.finished.push(finished);
    const { status, failure } = finished.sent;
    // Deliveries may be waiting for this one to be stored, or must no longer be claimed once it is stored, or a user waits for the outcome.
    const isFull = this.underWay + this.finished.length >= this.limit;
    const isAwaited = finished.claimed.cause === 'test' || finished.claimed.cause === 'redelivery';
    if (isFull || isAwaited || (failure && isOverload(status, failure))) this.#wake.resolve();
    else this.#timer ??= setTimeout(() => this.#wake.resolve(), recordDelayMs);
  }

  /** Resolves when there is something to store or to claim. */
  async next(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
