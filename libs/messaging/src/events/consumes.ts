import type { Context, ContextOfEvent, DataOf, Envelope, EventType } from '@tandem/contracts';
import type { AnyTx } from '../any-tx';
import { addMethodMetadata, type MethodDecoratorFor } from '../method-metadata';

export const eventConsumers = Symbol('tandem.consumes');

export interface ConsumesOptions {
  /**
   * Unique within the service, in kebab-case. The durable is named after it, so the class and the method may be renamed; another name is
   * another consumer, which does not continue where this one stopped.
   */
  name: string;
  /** Where a new consumer starts: `now` for notifications to people, `beginning` for projections. */
  from: 'now' | 'beginning';
  /** Deliveries before the event becomes a dead letter; default 10. */
  attempts?: number;
  /** The pause before each retry in milliseconds; the last one repeats. Default: 1 s, 5 s, 30 s, 2 min, 10 min. */
  backoffMs?: readonly number[];
}
export interface ConsumesBatchOptions extends ConsumesOptions {
  /**
   * In milliseconds. The batches of an organization begin at a random distance between half of this and all of it, so that a busy one needs
   * fewer transactions. The first event after a pause does not wait. Default: they follow each other immediately.
   */
  intervalMs?: number;
}

export interface ConsumerMetadata {
  events: readonly EventType[];
  options: ConsumesBatchOptions;
  /** Whether the method receives several events at once. */
  isBatch?: boolean;
}

/**
 * Handles an event, or several events that one consumer must see in their order per subject: in one transaction with the inbox row that makes a second delivery a no-op; the message is
 * acknowledged after the commit. A failure rolls back and is retried after the back-off; `Permanent`, or a failure of the
 * last attempt, moves the event to the service's dead letters. `ctx` is the system's, in the event's organization
 * (`envelope.actor` is the user or token that caused the event). Events of one subject arrive in order except after a
 * failure: a handler that depends on the order compares `envelope.sequence`. Slow work and external calls belong in a job.
 */
export function Consumes<E extends EventType>(
  event: E | readonly E[],
  options: ConsumesOptions,
): MethodDecoratorFor<(ctx: ContextOfEvent<E>, data: DataOf<E>, tx: AnyTx, envelope: Envelope) => unknown> {
  const events = [event].flat() as E[];
  return (_target, _key, descriptor) => addMethodMetadata(eventConsumers, descriptor.value, { events, options } satisfies ConsumerMetadata);
}

/** An event as `ConsumesBatch` passes it, with its own context: the events of a batch have different request IDs. */
export interface BatchedEvent<D = unknown, C = Context> {
  ctx: C;
  data: D;
  envelope: Envelope;
}

/**
 * Like `Consumes`, for all events of one organization that are waiting, in their order: one transaction handles up to 50 of them. For
 * consumers that handle many events per second. A batch that fails is handled again event by event, so that one event cannot fail others.
 * A batch locks rows of several subjects: a statement for all of them locks in sorted order, and no other consumer may lock several of these
 * rows in another order.
 */
export function ConsumesBatch<E extends EventType>(
  event: E | readonly E[],
  options: ConsumesBatchOptions,
): MethodDecoratorFor<(events: readonly BatchedEvent<DataOf<E>, ContextOfEvent<E>>[], tx: AnyTx) => unknown> {
  const metadata: ConsumerMetadata = { events: [event].flat(), options, isBatch: true };
  return (_target, _key, descriptor) => addMethodMetadata(eventConsumers, descriptor.value, metadata);
}

/**
 * Thrown by a consumer of batches that would rather handle these events one by one, each in its own transaction: for example because their
 * rows could not be locked in the order of other transactions. `isConcurrent`: those of different subjects at the same time.
 */
export class NotTogether extends Error {
  readonly isConcurrent: boolean;

  constructor({ isConcurrent = false }: { isConcurrent?: boolean } = {}) {
    super('These events are handled one by one');
    this.isConcurrent = isConcurrent;
  }
}

const validName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * The durable's name, which is also the consumer's name in inbox, dead letters, logs and metrics: `notifications-reply-emails`.
 * @throws {Error} if `name` is not in kebab-case: JetStream refuses dots, spaces and wildcards
 */
export function durableName(service: string, name: string): string {
  if (!validName.test(name)) throw new Error(`The consumer name ${JSON.stringify(name)} is not in kebab-case`);
  return `${service}-${name}`;
}
