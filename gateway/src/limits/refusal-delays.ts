import { Injectable } from '@nestjs/common';

/** Refusals of one counter per second that are not delayed: a person or a program that stops when it is refused does not notice. */
const immediatePerSecond = 10;
const delayMs = 500;
/** Above this, refusals are not delayed: each one that waits needs memory and a connection. */
const maxWaiting = 1_000;

/**
 * Delays the refusals of a client that goes on calling over its limit. It waits for them before it sends more on the same connections: with
 * 16 connections, 42 requests a second instead of thousands, which would keep the gateway busy.
 */
@Injectable()
export class RefusalDelays {
  private second = 0;
  /** Refusals in this second, by the key of the counter that is over its limit. */
  private refusals = new Map<string, number>();
  private waiting = 0;

  async wait(key: string): Promise<void> {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.second) this.refusals = new Map();
    this.second = second;
    const refusals = (this.refusals.get(key) ?? 0) + 1;
    this.refusals.set(key, refusals);
    if (refusals <= immediatePerSecond || this.waiting >= maxWaiting) return;
    this.waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    this.waiting -= 1;
  }
}
