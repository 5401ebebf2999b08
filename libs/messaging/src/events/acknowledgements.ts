import { setTimeout as sleep } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { Database } from '@tandem/db';
import type { Logger } from '@tandem/platform';
import { writeEarlierCommits } from './durability';

/** Messages that were handled within this time are acknowledged together. */
const togetherMs = 100;
const retryMs = 1_000;

/**
 * Acknowledges messages whose handlers have committed without waiting for the disk, once that is on the disk. After a crash of PostgreSQL,
 * the messages whose transactions were undone are therefore delivered again.
 */
export class Acknowledgements {
  #waiting: JsMsg[] = [];
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  add(message: JsMsg): void {
    this.#waiting.push(message);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when all messages are acknowledged, or have failed to be. Later ones do not wait for others. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await sleep(togetherMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      const messages = this.#waiting.splice(0);
      try {
        await this.db.asSystem('write earlier commits', async (tx) => writeEarlierCommits(tx));
        for (const message of messages) message.ack();
      } catch (error) {
        this.log.debug({ err: error }, 'Acknowledging messages failed; they are delivered again');
        for (const message of messages) this.#refuse(message);
      }
    }
  }

  /** The inbox rows make the next delivery a no-op, unless they were lost. */
  #refuse(message: JsMsg): void {
    try {
      message.nak(retryMs);
    } catch {
      // The connection is closed: the broker delivers the message again.
    }
  }
}
