import { setTimeout as sleep } from 'node:timers/promises';
import { accessChanged } from '@tandem/contracts';
import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { createLogger, type Logger } from '@tandem/platform';
import { nanos } from '@nats-io/transport-node';
import type { AccessChange } from './access-header';
import { Nats, type NatsOptions } from './nats';

type Listener = (change: AccessChange) => void;

/** An access token lives for ten minutes: a change that is older than this concerns no token that could still be shown. */
const memoryMs = 11 * 60_000;
/** How long a starting process waits for the changes before it. */
const patienceMs = 3_000;
const retryMs = 250;

/**
 * Whose access has changed of late, on every replica. A consumer of its own per process reads the changes of the last eleven minutes,
 * then each new one as it comes; after every interruption it reads those eleven minutes again, so that none is missed. While NATS is away
 * nothing new is heard, and what was heard before still holds.
 */
export class AccessChanges {
  readonly #nats: Nats;
  readonly #log: Logger;
  readonly #listeners = new Set<Listener>();
  readonly #stop = new AbortController();
  /** The oldest first: forgotten from the front. */
  readonly #latest = new Map<string, { version: number; until: number }>();
  readonly #caughtUp = Promise.withResolvers<void>();
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;

  /** @param rememberMs eleven minutes, unless a test cannot wait for so long */
  constructor(
    config: NatsOptions & { LOG_LEVEL?: string },
    log: Logger = createLogger('access', config.LOG_LEVEL),
    private readonly rememberMs = memoryMs,
  ) {
    this.#log = log;
    this.#nats = new Nats(config, 'access', log);
  }

  /** Begins to listen; does not wait for NATS. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** `listener` hears every change until the returned function is called, some of them twice. It must not throw or block. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a token with this version was superseded, as far as we have heard. */
  isSuperseded(user_id: string, version: number): boolean {
    const known = this.#latest.get(user_id);
    return known !== undefined && version < known.version;
  }

  /** Resolves once the changes before the start are known, or after three seconds: NATS may be away. */
  async caughtUp(): Promise<void> {
    const patience = new AbortController();
    const late = sleep(patienceMs, undefined, { signal: AbortSignal.any([patience.signal, this.#stop.signal]) }).catch(() => undefined);
    await Promise.race([this.#caughtUp.promise, late]);
    patience.abort();
  }

  /** Nest calls this when an instance is a provider: the process is ready once it knows whom to refuse. */
  onApplicationBootstrap(): Promise<void> {
    return this.caughtUp();
  }

  /** Repeated calls are fine. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#messages?.stop();
    await this.#nats.close();
    await this.#running;
  }

  /** Nest calls this when an instance is a provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async #run(): Promise<void> {
    // Whatever came while the connection was away came for nobody: from the beginning, then.
    const unsubscribe = this.#nats.onReconnect(() => this.#messages?.stop());
    while (!this.#stop.signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#log.warn({ err: error }, 'Changes of access were interrupted: reading them again');
      }
      await sleep(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
    unsubscribe();
  }

  /**
   * Not the client library's ordered consumer: when that one makes itself anew it sends a start time and a start number, which the
   * server refuses. This one is thrown away after any gap.
   */
  async #listen(): Promise<void> {
    const { js, jsm } = await this.#nats.connected();
    await this.#nats.ensureStream();
    const { name, num_pending } = await jsm.consumers.add(this.#nats.stream, {
      filter_subject: `${this.#nats.prefix}.*.${accessChanged.type}`,
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(Date.now() - this.rememberMs).toISOString(),
      ack_policy: AckPolicy.None,
      inactive_threshold: nanos(60_000),
      mem_storage: true,
      num_replicas: 1,
    });
    const consumer = await js.consumers.get(this.#nats.stream, name);
    const messages = (this.#messages = await consumer.consume({ expires: 10_000, abort_on_missing_resource: true }));
    if (this.#stop.signal.aborted) messages.stop();
    void this.#watch(messages);
    if (num_pending === 0) this.#caughtUp.resolve();
    let delivered = 0;
    for await (const message of messages) {
      delivered += 1;
      if (message.info.deliverySequence !== delivered) throw new Error('A change of access was not delivered');
      this.#take(message);
      if (message.info.pending === 0) this.#caughtUp.resolve();
    }
  }

  /** A server that is silent for two heartbeats may have lost the consumer. */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const status of messages.status()) if (status.type === 'heartbeats_missed' && status.count >= 2) messages.stop();
  }

  #take(message: JsMsg): void {
    const change = changeIn(message);
    if (change === undefined) return this.#log.warn({ subject: message.subject }, 'A change of access could not be read');
    this.apply(change);
  }

  /**
   * Applies a change: one that was announced, or one that this process has just caused. The second must not wait for its announcement, or
   * requests with the old rights would pass until it arrives.
   */
  apply({ user_id, access_version }: AccessChange): void {
    const now = Date.now();
    const version = Math.max(access_version, this.#latest.get(user_id)?.version ?? 0);
    this.#latest.delete(user_id);
    this.#latest.set(user_id, { version, until: now + this.rememberMs });
    for (const [known, { until }] of this.#latest) {
      if (until > now) break;
      this.#latest.delete(known);
    }
    for (const listener of this.#listeners) listener({ user_id, access_version: version });
  }
}

/** Undefined for what cannot be read: one bad message must not keep the good ones behind it from us. */
function changeIn(message: JsMsg): AccessChange | undefined {
  try {
    return accessChanged.data.safeParse(message.json<{ data?: unknown }>().data).data;
  } catch {
    return undefined;
  }
}
