import { setTimeout as sleep } from 'node:timers/promises';
import type { DataOf, EventType } from '@tandem/contracts';
import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { Logger } from '@tandem/platform';
import { nanos } from '@nats-io/transport-node';
import type { NatsOptions } from './nats';
import { StreamReader } from './stream-reader';

/** Maximum time that a starting process waits for the earlier events. */
const maxStartDelayMs = 3_000;

/**
 * Reads all recent events of one type, on every replica. Each process has its own consumer, which reads the events of the last `windowMs`,
 * then each new one as it arrives; after every interruption it reads the window again, so that none is missed and some are received twice.
 * While NATS is down no new events arrive.
 */
export abstract class RecentEvents<Type extends EventType> extends StreamReader {
  readonly #caughtUp = Promise.withResolvers<void>();

  protected constructor(
    options: NatsOptions,
    name: string,
    log: Logger,
    private readonly event: Type,
    protected readonly windowMs: number,
  ) {
    super(options, name, log);
    // Messages published while the connection was down were not delivered: read from the beginning again.
    this.nats.onReconnect(() => this.interrupt());
  }

  /** Must not throw or block. */
  protected abstract received(data: DataOf<Type>): void;

  /** Resolves once the events before the start are known, or after three seconds, because NATS may be down. */
  async caughtUp(): Promise<void> {
    const timeout = new AbortController();
    const late = sleep(maxStartDelayMs, undefined, { signal: AbortSignal.any([timeout.signal, this.closed]) }).catch(() => undefined);
    await Promise.race([this.#caughtUp.promise, late]);
    timeout.abort();
  }

  /** Nest calls this when an instance is a provider. */
  onApplicationBootstrap(): Promise<void> {
    return this.caughtUp();
  }

  /**
   * The client library's ordered consumer cannot be used: when it recreates itself it sends a start time and a start sequence, which the
   * server rejects. This consumer is discarded after any gap.
   */
  protected async read(): Promise<void> {
    const { js, jsm } = await this.nats.connected();
    await this.nats.ensureStream();
    const { name, num_pending } = await jsm.consumers.add(this.nats.stream, {
      filter_subject: `${this.nats.prefix}.*.${this.event.type}`,
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(Date.now() - this.windowMs).toISOString(),
      ack_policy: AckPolicy.None,
      inactive_threshold: nanos(60_000),
      mem_storage: true,
      num_replicas: 1,
    });
    const consumer = await js.consumers.get(this.nats.stream, name);
    const messages = await this.consume(consumer, { expires: 10_000, abort_on_missing_resource: true });
    void this.#watch(messages);
    if (num_pending === 0) this.#caughtUp.resolve();
    let delivered = 0;
    for await (const message of messages) {
      delivered += 1;
      if (message.info.deliverySequence !== delivered) throw new Error(`An event ${this.event.type} was not delivered`);
      this.#receive(message);
      if (message.info.pending === 0) this.#caughtUp.resolve();
    }
  }

  /** Recreates the consumer after two missed heartbeats: the server may have lost it. */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const status of messages.status()) if (status.type === 'heartbeats_missed' && status.count >= 2) messages.stop();
  }

  #receive(message: JsMsg): void {
    const data = this.#dataOf(message);
    if (data === undefined) return this.log.warn({ subject: message.subject }, 'An event could not be parsed');
    this.received(data);
  }

  /** Undefined for a message that cannot be parsed: an invalid message must not block the valid ones after it. */
  #dataOf(message: JsMsg): DataOf<Type> | undefined {
    try {
      return this.event.data.safeParse(message.json<{ data?: unknown }>().data).data as DataOf<Type> | undefined;
    } catch {
      return undefined;
    }
  }
}
