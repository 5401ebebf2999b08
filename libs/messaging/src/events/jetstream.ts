import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { nanos } from '@nats-io/transport-node';
import type { Database } from '@tandem/db';
import type { Logger } from '@tandem/platform';
import { durableName, type ConsumerMetadata } from './consumes';
import { Acknowledgements } from './acknowledgements';
import {
  batches,
  concurrency,
  deliver,
  deliverBatch,
  deliveryOf,
  subjectOf,
  type ConsumerArguments,
  type Delivery,
  type EventConsumer,
  type Processing,
} from './delivery';
import { BatchQueue, KeyedQueue } from './keyed-queue';
import type { ConsumedDurable } from './durables';
import { callMethod, type DecoratedMethod } from '../method-metadata';
import type { Nats } from './nats';

/** After this long without an ack or a progress signal, the server delivers a message to another replica. */
const ackWaitMs = 10_000;
const retryMs = 500;
/** Maximum time that a starting service waits for its durables. */
const maxStartDelayMs = 3_000;

/**
 * JetStream as a transport of `@nestjs/microservices`. (Nest's own NATS transport is core NATS: a handler's failure is
 * logged and the event is lost.) Each consumer is a durable that filters its events, shared by all replicas. It
 * survives restarts of NATS, and recreates a deleted stream or durable.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  readonly #consumers: EventConsumer[] = [];
  readonly #stop = new AbortController();
  readonly #open = new Set<ConsumerMessages>();
  readonly #processing: Processing;
  #loops: Promise<void>[] = [];

  constructor(
    private readonly service: string,
    private readonly db: Database,
    private readonly nats: Nats,
    private readonly log: Logger,
  ) {
    super();
    this.#processing = { db, log, acknowledgements: new Acknowledgements(db, log) };
  }

  /**
   * Registers a method decorated with `@Consumes`.
   * @throws {Error} if another method has the same consumer name: each would receive only part of the events
   */
  add(decorated: DecoratedMethod<ConsumerMetadata>): void {
    const name = durableName(this.service, decorated.metadata.options.name);
    if (this.messageHandlers.has(name)) throw new Error(`Two consumers are named ${name}: give ${decorated.name} another name`);
    this.addHandler(name, ((args: ConsumerArguments) => Promise.resolve(callMethod(decorated, ...args))) as MessageHandler, true);
    // Looked up once: Nest normalizes the pattern at each call, which takes as long as parsing the event.
    const handler = this.getHandlerByPattern(name)!;
    this.#consumers.push({ ...decorated.metadata, name, run: (...args) => handler(args) });
  }

  /** The durables of this service, with the subjects that they receive. */
  get durables(): ConsumedDurable[] {
    return this.#consumers.map(({ name, events }) => ({ name, subjects: events.map(({ type }) => `${this.nats.prefix}.*.${type}`) }));
  }

  /**
   * Starts to consume, and calls back once every durable exists: a consumer with `from: 'now'` must not start later than the service
   * reports that it has started. Calls back after `maxStartDelayMs` at the latest, because a service must start even if NATS is down.
   */
  listen(callback: () => void): void {
    const started = this.#consumers.map((consumer) => new Promise<void>((resolve) => void this.#loops.push(this.#run(consumer, resolve))));
    const timeout = sleep(maxStartDelayMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
    void Promise.race([Promise.all(started), timeout]).then(() => callback());
  }

  /** Stops receiving messages and waits for the running handlers. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const messages of this.#open) messages.stop();
    await Promise.all(this.#loops);
    await this.#processing.acknowledgements.close();
  }

  override on(): never {
    throw new Error('JetStreamStrategy has no events to listen to: see Nats.onReconnect');
  }

  override unwrap<T>(): T {
    return this.nats as T;
  }

  async #run(consumer: EventConsumer, started: () => void): Promise<void> {
    let failing = false;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#consume(consumer, () => {
          failing = false;
          started();
        });
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (!failing) this.log.warn({ err: error, consumer: consumer.name }, 'Consuming was interrupted; retrying');
        failing = true;
      }
      await sleep(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** Consumes until the durable or the connection is lost. */
  async #consume(consumer: EventConsumer, started: () => void): Promise<void> {
    const { js, jsm } = await Promise.race([this.nats.connected(), rejected(this.#stop.signal)]);
    await this.nats.ensureStream();
    await this.#ensureDurable(jsm, consumer);
    const durable = await js.consumers.get(this.nats.stream, consumer.name);
    const inProgress = new Set<JsMsg>();
    const queue = this.#queue(consumer, (message) => inProgress.delete(message));
    const messages = await durable.consume({ max_messages: queue.prefetch, expires: 10_000, abort_on_missing_resource: true });
    this.#open.add(messages);
    if (this.#stop.signal.aborted) messages.stop();
    // Extend the ack deadline while a handler is running, so that its message is not redelivered.
    const progressTimer = setInterval(() => inProgress.forEach((message) => message.working()), ackWaitMs / 3);
    try {
      started();
      for await (const message of messages) {
        inProgress.add(message);
        await queue.add(deliveryOf(message));
      }
    } finally {
      await queue.idle();
      clearInterval(progressTimer);
      this.#open.delete(messages);
    }
  }

  /** Handles deliveries in the order of their subjects, or in batches of their organizations. */
  #queue(consumer: EventConsumer, done: (message: JsMsg) => void): Deliveries {
    if (!consumer.isBatch) {
      const queue = new KeyedQueue(concurrency);
      const handle = (delivery: Delivery) => deliver(this.#processing, consumer, delivery).finally(() => done(delivery.message));
      return {
        prefetch: concurrency * 2,
        add: (delivery) => queue.add(subjectOf(delivery), () => handle(delivery)),
        idle: () => queue.idle(),
      };
    }
    const queue = new BatchQueue<Delivery>({ ...batches, intervalMs: consumer.options.intervalMs }, (deliveries) =>
      deliverBatch(this.#processing, consumer, deliveries).finally(() => deliveries.forEach(({ message }) => done(message))),
    );
    return {
      prefetch: batches.maxAccepted,
      add: (delivery) => queue.add(organizationOf(delivery), delivery),
      idle: () => queue.idle(),
    };
  }

  async #ensureDurable(jsm: JetStreamManager, consumer: EventConsumer): Promise<void> {
    const existing = await jsm.consumers.info(this.nats.stream, consumer.name).catch(unlessMissing);
    // The deliver policy of a durable cannot be updated, and need not be: it only applies to a new durable.
    if (existing) return;
    await jsm.consumers.add(this.nats.stream, {
      durable_name: consumer.name,
      ...filterOf(this.nats.prefix, consumer),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: 256,
      max_deliver: -1,
      deliver_policy: (await this.#startsNow(consumer)) ? DeliverPolicy.New : DeliverPolicy.All,
    });
  }

  /**
   * A consumer that has consumed before, but whose durable no longer exists (stream lost), reads all events again, even with `from: 'now'`:
   * its inbox skips the events that it has processed, and the others must not be lost.
   */
  async #startsNow(consumer: EventConsumer): Promise<boolean> {
    if (consumer.options.from === 'beginning') return false;
    const known = await this.db.asSystem('find a processed event of a consumer', (tx) =>
      tx.selectFrom('inbox').select('event_id').where('consumer', '=', consumer.name).limit(1).executeTakeFirst(),
    );
    return known === undefined;
  }
}

/** One subject in the form that servers before 2.10 also understand. */
function filterOf(prefix: string, { events }: EventConsumer): { filter_subject: string } | { filter_subjects: string[] } {
  const subjects = events.map(({ type }) => `${prefix}.*.${type}`);
  return subjects.length === 1 ? { filter_subject: subjects[0]! } : { filter_subjects: subjects };
}

interface Deliveries {
  /** Messages to request in advance. */
  prefetch: number;
  add(delivery: Delivery): Promise<void>;
  idle(): Promise<void>;
}

/** Unparseable messages share one key. */
const organizationOf = ({ json }: Delivery): string => String((json as { organizationid?: unknown } | null | undefined)?.organizationid);

function unlessMissing(error: unknown): undefined {
  const missing: number[] = [JetStreamApiCodes.ConsumerNotFound, JetStreamApiCodes.StreamNotFound];
  if (error instanceof JetStreamApiError && missing.includes(error.code)) return undefined;
  throw error;
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(new Error('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
