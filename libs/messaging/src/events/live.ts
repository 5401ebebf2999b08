import { liveEventNames, longestReplayMs, type Actor, type Envelope } from '@tandem/contracts';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { createLogger, type Logger } from '@tandem/platform';
import type { NatsOptions } from './nats';
import { StreamReader } from './stream-reader';

/** A live event as a browser receives it: what happened to which subject, but no data. */
export interface LiveEvent {
  type: string;
  subject: string;
  sequence: number;
  id: string;
}
/** `data` and `actor` are for deciding on the server which browsers receive what; they are never sent to a browser. */
type Listener = (event: LiveEvent, data: unknown, actor: Actor) => void;

/** The latest live events of all organizations that a process keeps for listeners that come late. */
const maxRecent = 2_000;

const liveTypes: ReadonlySet<string> = new Set(liveEventNames);

/**
 * Passes new events to the listeners of their organization; only events whose contract is marked `live`. Each process has
 * its own ordered ephemeral consumer: every replica receives all events, nothing is acknowledged, and after a restart of NATS
 * it continues where it stopped. Not a record: a listener that comes late receives at most the latest.
 */
export class LiveEvents extends StreamReader {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** The position in the stream of the last message. A consumer that has failed is replaced by one that continues after it. */
  #position = 0;
  #recent: { organization: string; at: number; message: JsMsg }[] = [];

  constructor(config: NatsOptions & { LOG_LEVEL?: string }, log: Logger = createLogger('live', config.LOG_LEVEL)) {
    super(config, 'live', log);
  }

  /**
   * `listener` receives the live events of the organization until the returned function is called, beginning with those that arrived here
   * in the last `sinceMs` milliseconds (at most `longestReplayMs`). It must not throw or block.
   */
  subscribe(organizationId: string, listener: Listener, sinceMs = 0): () => void {
    const from = performance.now() - sinceMs;
    for (const { organization, at, message } of this.#recent) if (organization === organizationId && at >= from) pass(message, [listener]);
    const listeners = this.#listeners.get(organizationId) ?? new Set();
    this.#listeners.set(organizationId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(organizationId) === listeners) this.#listeners.delete(organizationId);
    };
  }

  /** Throws unless NATS responds: for readiness. */
  check(): Promise<void> {
    return this.nats.check();
  }

  protected async read(): Promise<void> {
    const { js, jsm } = await this.nats.connected();
    await this.nats.ensureStream();
    const { state } = await jsm.streams.info(this.nats.stream);
    // A stream that NATS has lost begins again at 1.
    const isKnown = this.#position > 0 && this.#position <= state.last_seq;
    const consumer = await js.consumers.get(this.nats.stream, {
      filter_subjects: `${this.nats.prefix}.>`,
      ...(isKnown
        ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.#position + 1 }
        : { deliver_policy: DeliverPolicy.New }),
    });
    for await (const message of await this.consume(consumer, { abort_on_missing_resource: true })) this.#dispatch(message);
  }

  #dispatch(message: JsMsg): void {
    this.#position = message.info.streamSequence;
    // prefix.organization.type: most events have no listener, or are not live, and are not parsed at all.
    const [organization = '', ...type] = message.subject.slice(this.nats.prefix.length + 1).split('.');
    if (!liveTypes.has(type.join('.'))) return;
    const now = performance.now();
    this.#recent.push({ organization, at: now, message });
    const first = this.#recent.findIndex(({ at }) => at > now - longestReplayMs);
    this.#recent.splice(0, Math.max(first, this.#recent.length - maxRecent));
    const listeners = this.#listeners.get(organization);
    if (listeners) pass(message, listeners);
  }
}

function pass(message: JsMsg, listeners: Iterable<Listener>): void {
  const { type, subject, sequence, id, data, actor } = message.json<Envelope>();
  for (const listener of listeners) listener({ type, subject, sequence, id }, data, actor);
}
