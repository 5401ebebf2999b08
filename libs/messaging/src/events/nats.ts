import { setTimeout as sleep } from 'node:timers/promises';
import {
  jetstream,
  jetstreamManager,
  JetStreamApiError,
  JetStreamApiCodes,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { connect, errors, nanos, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Logger } from '@tandem/platform';

export interface NatsOptions {
  NATS_URL: string;
  NATS_STREAM: string;
  EVENTS_PREFIX: string;
  /** These two are applied to an existing stream as well; undefined leaves it unchanged. */
  NATS_STREAM_REPLICAS?: number | undefined;
  NATS_STREAM_MAX_BYTES?: number | undefined;
}

/** One connected client and its JetStream. */
export interface Connected {
  nc: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
}

const day = 24 * 60 * 60 * 1000;
/** How many days the stream keeps events; an inbox must keep its rows longer than this. */
export const streamDays = 30;

/** Whether NATS refuses a message because its disk, its storage limit or the stream is full. */
export const isStreamFull = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  /no space left|insufficient (storage )?resources|maximum (bytes|messages) exceeded/i.test(error.message);

/** Whether a message is larger than the server accepts (`max_payload`): sending it again cannot succeed until the operator raises that. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof errors.InvalidArgumentError && error.message.includes('max_payload');

/**
 * Errors that `work` creates before it first waits have no stack trace. The client of NATS composes one each time it closes, for which
 * `installSourceMaps` would read the bundle's map: 0.2 to 0.4 seconds of a stop in profiles of the single process.
 */
function withoutStackTrace<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * The only connection to NATS of a process (or of a service, if all services run in one process). It connects in the
 * background, so that a process starts and answers requests while NATS is down, and reconnects without limit.
 */
export class Nats {
  readonly stream: string;
  readonly prefix: string;
  readonly #limits: StreamLimits;
  #areLimitsApplied = false;
  readonly #url: string;
  readonly #closed = new AbortController();
  #connecting: Promise<Connected> | undefined;
  #current: Connected | undefined;
  #up = false;
  readonly #reconnected = new Set<() => void>();

  constructor(
    options: NatsOptions,
    readonly name: string,
    private readonly log: Logger,
  ) {
    this.#url = options.NATS_URL;
    this.stream = options.NATS_STREAM;
    this.prefix = options.EVENTS_PREFIX;
    this.#limits = streamLimits(options);
  }

  /** Whether the connection was up at the last status change. */
  get up(): boolean {
    return this.#up;
  }

  /** Resolves once connected, however long that takes; rejects only if closed in the meantime. */
  connected(): Promise<Connected> {
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** `listener` is called after every reconnection. Returns a function that unsubscribes. */
  onReconnect(listener: () => void): () => void {
    this.#reconnected.add(listener);
    return () => this.#reconnected.delete(listener);
  }

  /** Notifies other processes that there may be work of this kind. A hint may be lost, so its receivers also poll. */
  hint(kind: string): void {
    if (this.#up) this.#current?.nc.publish(this.#hintSubject(kind));
  }

  /** `listener` is called after each hint of this kind. Returns a function that unsubscribes. */
  onHint(kind: string, listener: () => void): () => void {
    let isOver = false;
    let subscription: Subscription | undefined;
    const subscribe = ({ nc }: Connected) => {
      if (!isOver) subscription = nc.subscribe(this.#hintSubject(kind), { callback: listener });
    };
    this.connected().then(subscribe, () => undefined);
    return () => {
      isOver = true;
      subscription?.unsubscribe();
    };
  }

  /** Outside the stream, which would store it. */
  #hintSubject(kind: string): string {
    return `hints.${this.prefix}.${kind}`;
  }

  /** Throws unless NATS responds within a second. */
  async check(): Promise<void> {
    if (!this.#current || !this.#up) throw new Error('Not connected to NATS');
    const { nc } = this.#current;
    const late = new AbortController();
    const timeout = sleep(1_000, undefined, { signal: late.signal }).then(
      () => Promise.reject(new Error('NATS does not respond')),
      () => undefined,
    );
    try {
      await Promise.race([nc.flush(), timeout]);
    } finally {
      late.abort();
    }
  }

  /** Makes sure that the stream exists, with our subjects and the configured limits; returns when it was created (ISO 8601). */
  async ensureStream(): Promise<{ created: string }> {
    const { jsm } = await this.connected();
    const info = await jsm.streams.info(this.stream).catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
      throw error;
    });
    if (info) {
      const names = Object.keys(this.#limits) as (keyof StreamLimits)[];
      const isChanged = names.some((name) => info.config[name] !== this.#limits[name]);
      // Once per process: during a rollout, an old process must not undo what a new one has set.
      if (isChanged && !this.#areLimitsApplied) await jsm.streams.update(this.stream, { ...info.config, ...this.#limits });
      this.#areLimitsApplied = true;
      return { created: info.created };
    }
    const { created } = await jsm.streams.add({ ...streamConfig(this), ...this.#limits });
    return { created };
  }

  /** Flushes what was published and closes. Repeated calls are fine. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#connecting?.catch(() => undefined);
    this.#up = false;
    const nc = this.#current?.nc;
    if (!nc || nc.isClosed()) return;
    // Draining waits for the server's response, which never arrives if the server is down.
    await withoutStackTrace(() => nc.close());
  }

  async #connect(): Promise<Connected> {
    let warned = false;
    for (;;) {
      if (this.#closed.signal.aborted) throw new Error('The connection to NATS is closed');
      try {
        const nc = await connect(optionsOf(this.#url, this.name));
        const jsm = await jetstreamManager(nc, { checkAPI: false });
        this.#current = { nc, js: jetstream(nc), jsm };
        this.#up = true;
        void this.#watch(nc);
        // If close() was called while connecting, it waits for this promise and closes the connection.
        return this.#current;
      } catch (error) {
        if (!warned) this.log.warn({ err: error }, 'NATS is down; connecting until it is available');
        warned = true;
        await sleep(250, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      }
    }
  }

  async #watch(nc: NatsConnection): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        this.#up = false;
        this.log.warn('NATS is down; reconnecting');
      } else if (status.type === 'reconnect') {
        this.#up = true;
        this.log.info('NATS is back');
        for (const listener of this.#reconnected) listener();
      }
    }
  }
}

/** The configuration of the stream of events. */
export const streamConfig = ({ stream, prefix }: Pick<Nats, 'stream' | 'prefix'>) => ({
  name: stream,
  subjects: [`${prefix}.>`],
  storage: 'file' as const,
  max_age: nanos(streamDays * day),
  duplicate_window: nanos(2 * 60 * 1000),
});

/** The limits of the stream that can be configured. */
export type StreamLimits = { num_replicas?: number; max_bytes?: number; discard?: 'new' };

/** A full stream refuses new events, which then wait in the outbox. By default, it would delete events that no consumer has processed. */
export const streamLimits = ({
  NATS_STREAM_REPLICAS: replicas,
  NATS_STREAM_MAX_BYTES: max_bytes,
}: Pick<NatsOptions, 'NATS_STREAM_REPLICAS' | 'NATS_STREAM_MAX_BYTES'>): StreamLimits => ({
  ...(replicas === undefined ? {} : { num_replicas: replicas }),
  ...(max_bytes === undefined ? {} : { max_bytes, discard: 'new' }),
});

function optionsOf(address: string, name: string) {
  const url = new URL(address);
  const credentials = url.username === '' ? {} : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    servers: url.host,
    ...credentials,
    name: `tandem-${name}`,
    timeout: 2_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    // Otherwise every request captures a stack trace, in case it fails.
    noAsyncTraces: true,
    // A dead peer (no FIN) is detected after two missed pings.
    pingInterval: 10_000,
    // Nothing we send may be lost silently: while NATS is down a request fails immediately instead of waiting in memory.
    ignoreClusterUpdates: true,
  };
}
