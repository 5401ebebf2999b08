import type { Context, DataOf, Envelope, EventType } from '@tandem/contracts';
import type { AnyTx } from './outbox';
import { addMark, type MethodMark } from './marks';

export const consumesKind = Symbol('tandem.consumes');

export interface ConsumesOptions {
  /** Where a consumer that never ran begins: `now` for what reaches people, `beginning` for projections. */
  from: 'now' | 'beginning';
  /** Deliveries until the event goes to the dead letters; 10 unless said. */
  attempts?: number;
  /** The pause before each repeat in milliseconds; the last one repeats. 1 s, 5 s, 30 s, 2 min, 10 min unless said. */
  backoffMs?: readonly number[];
}

export interface Consuming {
  event: EventType;
  options: ConsumesOptions;
}

/**
 * Reacts to an event, in one transaction with the inbox row that makes a second delivery change nothing; the message is
 * acknowledged after the commit. A failure rolls back and is repeated after the back-off; `Permanent`, or the last
 * attempt, puts the event into the service's dead letters. `ctx` is the system's, in the event's organization (who did it
 * stands in `envelope.actor`). Events of one subject come in order except after a failure: what cares compares
 * `envelope.sequence`. Slow or outside work belongs into a job.
 */
export function Consumes<E extends EventType>(
  event: E,
  options: ConsumesOptions,
): MethodMark<(ctx: Context, data: DataOf<E>, tx: AnyTx, envelope: Envelope) => unknown> {
  return (_target, _key, descriptor) => addMark(consumesKind, descriptor.value, { event, options } satisfies Consuming);
}

/** The durable's name, which is also the consumer's name in inbox, dead letters, logs and metrics. */
export const durableName = (service: string, event: EventType, method: string): string =>
  `${service}-${event.type.replaceAll('.', '_')}-${method}`;
