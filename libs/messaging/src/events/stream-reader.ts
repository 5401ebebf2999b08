import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumeOptions, Consumer, ConsumerMessages } from '@nats-io/jetstream';
import type { Logger } from '@tandem/platform';
import { Nats, type NatsOptions } from './nats';

const retryMs = 250;

/** Reads messages over its own connection, from `start` to `close`. After every interruption it reads again, with a new consumer. */
export abstract class StreamReader {
  protected readonly nats: Nats;
  readonly #stop = new AbortController();
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;

  protected constructor(
    options: NatsOptions,
    name: string,
    protected readonly log: Logger,
  ) {
    this.nats = new Nats(options, name, log);
  }

  /** Creates a consumer and handles its messages until there are no more, or throws. */
  protected abstract read(): Promise<void>;

  /** Aborted by `close`. */
  protected get closed(): AbortSignal {
    return this.#stop.signal;
  }

  /** Starts to read; does not wait for NATS. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** The messages of a consumer, until `interrupt` or `close`. */
  protected async consume(consumer: Consumer, options: ConsumeOptions): Promise<ConsumerMessages> {
    this.#messages = await consumer.consume(options);
    if (this.closed.aborted) this.#messages.stop();
    return this.#messages;
  }

  /** Ends the current consumer: reading starts again. */
  protected interrupt(): void {
    this.#messages?.stop();
  }

  /** Can be called repeatedly. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.interrupt();
    await this.nats.close();
    await this.#running;
  }

  /** Nest calls this when an instance is a provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async #run(): Promise<void> {
    while (!this.closed.aborted) {
      try {
        await this.read();
      } catch (error) {
        if (!this.closed.aborted) this.log.warn({ err: error }, 'Reading the stream was interrupted; starting again');
      }
      await sleep(retryMs, undefined, { signal: this.closed }).catch(() => undefined);
    }
  }
}
