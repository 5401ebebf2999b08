import { setTimeout as sleep } from 'node:timers/promises';
import { accessChanged } from '@tandem/contracts';
import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { createLogger, type Logger } from '@tandem/platform';
import { nanos } from '@nats-io/transport-node';
import type { AccessChange } from '../rpc/access-header';
import type { NatsOptions } from './nats';
import { StreamReader } from './stream-reader';

type Listener = (change: AccessChange) => void;

/** An access token is valid for ten minutes, so a change older than this affects no token that is still valid. */
const defaultRetentionMs = 11 * 60_000;
/** Maximum time that a starting process waits for the earlier changes. */
const maxStartDelayMs = 3_000;

/**
 * Keeps track, on every replica, of the users whose access has changed recently. Each process has its own consumer, which reads the changes
 * of the last eleven minutes, then each new one as it arrives; after every interruption it reads those eleven minutes again, so that none is
 * missed. While NATS is down no new changes arrive, and those received before remain in effect.
 */
export class AccessChanges extends StreamReader {
  readonly #listeners = new Set<Listener>();
  /** In insertion order, so that expired entries are removed from the front. */
  readonly #latest = new Map<string, { version: number; until: number }>();
  readonly #caughtUp = Promise.withResolvers<void>();

  /** @param retentionMs eleven minutes by default; tests may use less */
  constructor(
    config: NatsOptions & { LOG_LEVEL?: string },
    log: Logger = createLogger('access', config.LOG_LEVEL),
    private readonly retentionMs = defaultRetentionMs,
  ) {
    super(config, 'access', log);
    // Messages published while the connection was down were not delivered: read from the beginning again.
    this.nats.onReconnect(() => this.interrupt());
  }

  /** `listener` receives every change until the returned function is called, some of them twice. It must not throw or block. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a token with this version was superseded, according to the changes received so far. */
  isSuperseded(user_id: string, version: number): boolean {
    const known = this.#latest.get(user_id);
    return known !== undefined && version < known.version;
  }

  /** Resolves once the changes before the start are known, or after three seconds, because NATS may be down. */
  async caughtUp(): Promise<void> {
    const timeout = new AbortController();
    const late = sleep(maxStartDelayMs, undefined, { signal: AbortSignal.any([timeout.signal, this.closed]) }).catch(() => undefined);
    await Promise.race([this.#caughtUp.promise, late]);
    timeout.abort();
  }

  /** Nest calls this when an instance is a provider: the process is ready once it knows which tokens to reject. */
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
      filter_subject: `${this.nats.prefix}.*.${accessChanged.type}`,
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(Date.now() - this.retentionMs).toISOString(),
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
      if (message.info.deliverySequence !== delivered) throw new Error('An access change was not delivered');
      this.#receive(message);
      if (message.info.pending === 0) this.#caughtUp.resolve();
    }
  }

  /** Recreates the consumer after two missed heartbeats: the server may have lost it. */
  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const status of messages.status()) if (status.type === 'heartbeats_missed' && status.count >= 2) messages.stop();
  }

  #receive(message: JsMsg): void {
    const change = changeIn(message);
    if (change === undefined) return this.log.warn({ subject: message.subject }, 'An access change could not be parsed');
    this.apply(change);
  }

  /**
   * Applies a change that was announced, or that this process has just caused. The latter must not wait for its announcement, or
   * requests with the old rights would pass until it arrives.
   */
  apply({ user_id, access_version }: AccessChange): void {
    const now = Date.now();
    const version = Math.max(access_version, this.#latest.get(user_id)?.version ?? 0);
    this.#latest.delete(user_id);
    this.#latest.set(user_id, { version, until: now + this.retentionMs });
    for (const [known, { until }] of this.#latest) {
      if (until > now) break;
      this.#latest.delete(known);
    }
    for (const listener of this.#listeners) listener({ user_id, access_version: version });
  }
}

/** Undefined for a message that cannot be parsed: one bad message must not block the good ones behind it. */
function changeIn(message: JsMsg): AccessChange | undefined {
  try {
    return accessChanged.data.safeParse(message.json<{ data?: unknown }>().data).data;
  } catch {
    return undefined;
  }
}
