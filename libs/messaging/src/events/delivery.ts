import { Envelope, Permanent, systemContext, type Context, type EventType } from '@tandem/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { DatabaseUnavailable, executePrepared, fixedQuery, type Database, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import { withTrace, type Logger } from '@tandem/platform';
import { NotTogether, type BatchedEvent, type ConsumerMetadata } from './consumes';
import type { Acknowledgements } from './acknowledgements';
import { replayHeader, writeDeadLetter } from './dead-letters';
import { waitForDisk, withoutDisk } from './durability';
import { KeyedQueue } from './keyed-queue';
import { hasEmitted } from './outbox';
import type { AnyTx } from '../any-tx';
import { count } from '../spans';

/** One consumer: its name, options and handler. */
export interface EventConsumer extends ConsumerMetadata {
  /** The durable's name. */
  name: string;
  run(...args: ConsumerArguments): unknown;
}
/** The arguments of a method with `@Consumes` or `@ConsumesBatch`. */
export type ConsumerArguments = [ctx: Context, data: unknown, tx: AnyTx, envelope: Envelope] | [events: readonly BatchedEvent[], tx: AnyTx];

/** A message with its content, which is parsed once. */
export interface Delivery {
  message: JsMsg;
  /** Undefined if it is not JSON. */
  json: unknown;
}

/** Maximum number of messages processed at once per consumer and replica; messages of one subject are processed one at a time. */
export const concurrency = 16;
/** Few concurrent batches, so that events accumulate for the next ones. */
export const batches = { concurrency: 4, maxBatch: 50, maxAccepted: 200 };

const defaultBackoffMs = [1_000, 5_000, 30_000, 120_000, 600_000];
const defaultAttempts = 10;
type Outcome = 'done' | 'duplicate' | 'skipped' | 'retry' | 'dead';

/** What the deliveries of a service share. */
export interface Processing {
  db: Database;
  log: Logger;
  acknowledgements: Acknowledgements;
}

/**
 * Processes one delivery and has it acknowledged, schedules a retry or writes a dead letter. Never throws. If the dead letter cannot
 * be written (PostgreSQL is down), the delivery is retried too: no message is acknowledged before its outcome is stored on the disk.
 */
export async function deliver(processing: Processing, consumer: EventConsumer, delivery: Delivery): Promise<void> {
  const { db, log } = processing;
  let outcome: Outcome;
  try {
    outcome = await consume(db, consumer, delivery);
  } catch (error) {
    outcome = await failed(db, consumer, delivery.message, error, log);
  }
  settle(processing, consumer, delivery, outcome);
}

/** Like `deliver`, for deliveries of one organization to a consumer of batches. If the batch fails, its events are handled one by one. */
export async function deliverBatch(processing: Processing, consumer: EventConsumer, deliveries: Delivery[]): Promise<void> {
  const { db, log } = processing;
  let outcomes: Outcome[];
  try {
    if (deliveries.length === 1) return await deliver(processing, consumer, deliveries[0]!);
    outcomes = await consumeBatch(db, consumer, deliveries);
  } catch (error) {
    const isDown = error instanceof DatabaseUnavailable;
    // Without the database each event would fail too, after a timeout.
    if (isDown) outcomes = await Promise.all(deliveries.map(({ message }) => failed(db, consumer, message, error, log)));
    else {
      if (!(error instanceof NotTogether))
        log.debug({ err: error, consumer: consumer.name }, 'Consuming a batch of events failed; consuming them one by one');
      // Several batches may do this at once, and share the limit.
      const queue = new KeyedQueue(error instanceof NotTogether && error.isConcurrent ? concurrency / batches.concurrency : 1);
      for (const delivery of deliveries) await queue.add(subjectOf(delivery), () => deliver(processing, consumer, delivery));
      return await queue.idle();
    }
  }
  for (const [i, delivery] of deliveries.entries()) settle(processing, consumer, delivery, outcomes[i]!);
}

function settle({ log, acknowledgements }: Processing, consumer: EventConsumer, { message, json }: Delivery, outcome: Outcome): void {
  try {
    if (outcome === 'retry') message.nak(pauseOf(consumer, message.info.deliveryCount));
    // The inbox row of a duplicate may not be on the disk yet.
    else if (outcome === 'done' || outcome === 'duplicate')
      acknowledgements.add({ message, consumer: consumer.name, event_id: (json as Envelope).id });
    else message.ack();
  } catch (error) {
    // The connection is closed: the broker delivers the message again, and the inbox row makes that a no-op.
    log.debug({ err: error, consumer: consumer.name }, 'Acknowledging a message failed');
  }
  count('tandem_events_consumed_total', { consumer: consumer.name, outcome });
}

/** The pause before the retry that follows this attempt, in milliseconds. */
function pauseOf(consumer: EventConsumer, attempts: number): number {
  const backoffMs = consumer.options.backoffMs ?? defaultBackoffMs;
  return backoffMs[Math.min(attempts, backoffMs.length) - 1] ?? 1_000;
}

async function failed(db: Database, consumer: EventConsumer, message: JsMsg, error: unknown, log: Logger): Promise<'dead' | 'retry'> {
  const attempts = message.info.deliveryCount;
  // An outage of the database is not a failure of the event, however long it lasts. A full disk may still have room for a dead letter.
  const isDown = error instanceof DatabaseUnavailable;
  const final = error instanceof Permanent || (!isDown && attempts >= (consumer.options.attempts ?? defaultAttempts));
  const fields = { err: error, consumer: consumer.name, attempts };
  if (!final || !(await deadLetter(db, consumer, message, error, log))) {
    log.warn(fields, 'Consuming an event failed; it will be retried');
    return 'retry';
  }
  log.error(fields, 'Dead-lettered an event after its last attempt');
  count('tandem_dead_letters_total', { consumer: consumer.name });
  return 'dead';
}

const inboxRow = fixedQuery((tx: Tx, consumer: string, event_id: string) =>
  tx
    .insertInto('inbox')
    .values({ consumer, event_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['event_id', withoutDisk.as('without_disk')]),
);

/** The ids of the events that this consumer has not handled. Sorted, so that two replicas with the same events do not deadlock. */
async function insertInboxRows(tx: Tx, consumer: string, ids: string[]): Promise<Set<string>> {
  const statement = sql<{ event_id: string }>`
    insert into inbox (consumer, event_id) select ${consumer}, id from unnest(${ids}::uuid[]) as id order by id
    on conflict do nothing returning event_id, ${withoutDisk}`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  return new Set(rows.map(({ event_id }) => event_id));
}

async function consume(db: Database, consumer: EventConsumer, delivery: Delivery): Promise<Outcome> {
  const event = eventOf(consumer, delivery);
  if (!event) return 'skipped';
  const { type, ctx, data, envelope } = event;
  return withTrace(envelope.traceparent ?? undefined, `consume ${consumer.name}`, () =>
    inScope(db, ctx, type, async (tx): Promise<Outcome> => {
      const taken = await executePrepared(tx, inboxRow(tx, consumer.name, envelope.id));
      if (taken.rows.length === 0) return 'duplicate';
      if (consumer.isBatch) await consumer.run([{ ctx, data, envelope }], tx as AnyTx);
      else await consumer.run(ctx, data, tx as AnyTx, envelope);
      keepEvents(tx);
      return 'done';
    }),
  );
}

/** The outcome of each delivery; throws if any of them fails. */
async function consumeBatch(db: Database, consumer: EventConsumer, deliveries: Delivery[]): Promise<Outcome[]> {
  const events = deliveries.map((delivery) => eventOf(consumer, delivery));
  const known = new Map(events.flatMap((event) => (event ? [[event.envelope.id, event] as const] : [])));
  const [first] = known.values();
  if (!first) return events.map(() => 'skipped');
  return withTrace(first.envelope.traceparent ?? undefined, `consume ${consumer.name}`, () =>
    inScope(db, first.ctx, first.type, async (tx) => {
      const taken = await insertInboxRows(tx, consumer.name, [...known.keys()]);
      const fresh = [...known.values()].filter(({ envelope }) => taken.has(envelope.id));
      if (fresh.length > 0) await consumer.run(fresh, tx as AnyTx);
      keepEvents(tx);
      // The same event twice in one batch is done once.
      return events.map((event): Outcome => (!event ? 'skipped' : taken.delete(event.envelope.id) ? 'done' : 'duplicate'));
    }),
  );
}

/** An event that is published must not be undone by a crash. */
function keepEvents(tx: Tx): void {
  if (hasEmitted(tx)) waitForDisk(tx as AnyTx);
}

function inScope<T>(db: Database, ctx: Context, type: EventType, work: (tx: Tx) => Promise<T>): Promise<T> {
  return ctx.organization_id === null ? db.asSystem(`consume ${type.type}`, work) : db.forTenant(ctx, work);
}

/**
 * The event of a delivery; undefined if it is a dead letter that is replayed for another consumer.
 * @throws {Permanent} if the consumer cannot handle it
 */
function eventOf(consumer: EventConsumer, { message, json }: Delivery): (BatchedEvent & { type: EventType }) | undefined {
  const replayedFor = message.headers?.get(replayHeader);
  if (replayedFor && replayedFor !== consumer.name) return undefined;
  const envelope = envelopeOf(json);
  const type = consumer.events.find((each) => each.type === envelope.type);
  if (!type) throw new Permanent(`${consumer.name} does not consume ${envelope.type}`);
  const parsed = type.data.safeParse(envelope.data);
  if (!parsed.success) throw new Permanent(`Data of ${envelope.type} does not match its contract: ${parsed.error.message}`);
  const ctx = systemContext(envelope.organizationid, envelope.requestid);
  if (type.tenant && ctx.organization_id === null) throw new Permanent(`${envelope.type} belongs to no organization`);
  return { type, ctx, data: parsed.data, envelope };
}

function envelopeOf(json: unknown): Envelope {
  if (json === undefined) throw new Permanent('Not JSON');
  const parsed = Envelope.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Permanent(`Not an event's envelope: ${parsed.error.message}`);
}

/** The id of the event's subject; unparseable messages share one key. */
export const subjectOf = ({ json }: Delivery): string => String((json as { subject?: unknown } | null | undefined)?.subject);

export function deliveryOf(message: JsMsg): Delivery {
  try {
    return { message, json: message.json() };
  } catch {
    return { message, json: undefined };
  }
}

/** Writes the dead letter; returns false if that failed too. */
async function deadLetter(db: Database, consumer: EventConsumer, message: JsMsg, error: unknown, log: Logger): Promise<boolean> {
  try {
    await writeDeadLetter(db, {
      consumer: consumer.name,
      nats_subject: message.subject,
      stream_sequence: message.seq,
      text: message.string(),
      error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      attempts: message.info.deliveryCount,
    });
    return true;
  } catch (cause) {
    log.error({ err: cause, consumer: consumer.name }, 'Writing a dead letter failed');
    return false;
  }
}
