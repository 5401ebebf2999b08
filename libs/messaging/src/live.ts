import { setTimeout as sleep } from 'node:timers/promises';
import { allEvents } from '@tandem/contracts';
import { DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { createLogger, type Logger } from '@tandem/platform';
import { Nats, type NatsOptions } from './nats';

/** What a browser hears: that something happened to a thing, never what is in it. */
export interface LiveEvent {
  type: string;
  subject: string;
  sequence: number;
  id: string;
}
/** `data` is for deciding who may hear of it, here on the server: it is passed on to nobody. */
type Listener = (event: LiveEvent, data: unknown) => void;

const liveTypes = new Set(allEvents.filter((event) => event.live).map((event) => event.type));

/**
 * New events, as they come, to whoever listens for their organization; only those whose contract says `live`. An ordered
 * ephemeral consumer of its own per process: every replica hears everything, nothing is acknowledged, a restart of NATS
 * continues where it stopped. Not a record: what happens while nobody listens is not told later.
 */
export class LiveEvents {
  readonly #nats: Nats;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #stop = new AbortController();
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;

  constructor(config: NatsOptions & { LOG_LEVEL?: string }, log: Logger = createLogger('live', config.LOG_LEVEL)) {
    this.#log = log;
    this.#nats = new Nats(config, 'live', log);
  }

  /** Begins to listen; does not wait for NATS. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** `listener` hears the live events of the organization until the returned function is called. It must not throw or block. */
  subscribe(organizationId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(organizationId) ?? new Set();
    this.#listeners.set(organizationId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(organizationId) === listeners) this.#listeners.delete(organizationId);
    };
  }

  /** Throws unless NATS answers: for readiness. */
  check(): Promise<void> {
    return this.#nats.check();
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
    while (!this.#stop.signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#log.warn({ err: error }, 'Live events were interrupted: trying again');
      }
      await sleep(500, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #listen(): Promise<void> {
    const { js } = await this.#nats.connected();
    await this.#nats.ensureStream();
    const consumer = await js.consumers.get(this.#nats.stream, {
      filter_subjects: `${this.#nats.prefix}.>`,
      deliver_policy: DeliverPolicy.New,
    });
    this.#messages = await consumer.consume({ abort_on_missing_resource: true });
    if (this.#stop.signal.aborted) this.#messages.stop();
    for await (const message of this.#messages) this.#tell(message);
  }

  #tell(message: JsMsg): void {
    // prefix.organization.type: most events have nobody listening, or are not live, and are not even parsed.
    const [organization = '', ...type] = message.subject.slice(this.#nats.prefix.length + 1).split('.');
    const listeners = this.#listeners.get(organization);
    if (!listeners || !liveTypes.has(type.join('.'))) return;
    const { type: name, subject, sequence, id, data } = message.json<LiveEvent & { data: unknown }>();
    for (const listener of listeners) listener({ type: name, subject, sequence, id }, data);
  }
}
