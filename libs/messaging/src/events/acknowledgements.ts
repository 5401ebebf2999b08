import { setTimeout as sleep } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import { executePrepared, type Database, type Tx } from '@tandem/db';
import type { Logger } from '@tandem/platform';
import { sql } from 'kysely';
import { writeEarlierCommits } from './durability';

/** Messages that were handled within this time are acknowledged together. */
const togetherMs = 100;
const retryMs = 1_000;

/** A handled message, and the key of its inbox row. */
interface Handled {
  message: Pick<JsMsg, 'ack' | 'nak'>;
  consumer: string;
  event_id: string;
}

/**
 * Acknowledges messages whose handlers have committed without waiting for the disk, once that is on the disk. After a crash of PostgreSQL,
 * the messages whose transactions were undone are therefore delivered again. The inbox rows are read again, because the server may have
 * recovered, or a standby may have been promoted, between the handler's commit and this one.
 */
export class Acknowledgements {
  #waiting: Handled[] = [];
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  add(handled: Handled): void {
    this.#waiting.push(handled);
    this.#running ??= this.#run();
  }

  /** Resolves when all messages are acknowledged, or have failed to be. Later ones do not wait for others. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await sleep(togetherMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      const handled = this.#waiting.splice(0);
      try {
        const stored = await this.db.asSystem('write earlier commits', (tx) => {
          writeEarlierCommits(tx);
          return findInboxRows(tx, handled);
        });
        for (const each of handled) {
          if (stored.has(keyOf(each))) each.message.ack();
          else this.#refuse(each.message);
        }
      } catch (error) {
        this.log.debug({ err: error }, 'Acknowledging messages failed; they are delivered again');
        for (const { message } of handled) this.#refuse(message);
      }
    }
    // In the same turn as the last look at `#waiting`: `add` would not start this again for a message that is added in between.
    this.#running = undefined;
  }

  /** The inbox rows make the next delivery a no-op, unless they were lost. */
  #refuse(message: Handled['message']): void {
    try {
      message.nak(retryMs);
    } catch {
      // The connection is closed: the broker delivers the message again.
    }
  }
}

type InboxKey = Pick<Handled, 'consumer' | 'event_id'>;
const keyOf = ({ consumer, event_id }: InboxKey): string => `${consumer} ${event_id}`;

async function findInboxRows(tx: Tx, keys: readonly InboxKey[]): Promise<Set<string>> {
  const consumers = keys.map(({ consumer }) => consumer);
  const ids = keys.map(({ event_id }) => event_id);
  const statement = sql<InboxKey>`
    select i.consumer, i.event_id from unnest(${consumers}::text[], ${ids}::uuid[]) as k (consumer, event_id)
    join inbox i on i.consumer = k.consumer and i.event_id = k.event_id`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  return new Set(rows.map(keyOf));
}
