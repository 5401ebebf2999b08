import { Envelope, Permanent, systemContext, type Context } from '@tandem/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { executePrepared, fixedQuery, type Database, type Tx } from '@tandem/db';
import { withTrace, type Logger } from '@tandem/platform';
import type { ConsumerMetadata } from './consumes';
import { replayHeader, writeDeadLetter } from './dead-letters';
import type { AnyTx } from '../any-tx';
import { count } from '../spans';

/** One consumer: its name, options and handler. */
export interface EventConsumer extends ConsumerMetadata {
  /** The durable's name. */
  name: string;
  run(ctx: Context, data: unknown, tx: AnyTx, envelope: Envelope): unknown;
}

const defaultBackoffMs = [1_000, 5_000, 30_000, 120_000, 600_000];
const defaultAttempts = 10;
type Outcome = 'done' | 'duplicate' | 'skipped' | 'retry' | 'dead';

/**
 * Processes one delivery and acknowledges it, schedules a retry or writes a dead letter. Never throws. If the dead letter cannot
 * be written (PostgreSQL is down), the delivery is retried too: no message is acknowledged before its outcome is stored.
 */
export async function deliver(db: Database, consumer: EventConsumer, message: JsMsg, log: Logger): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = await consume(db, consumer, message);
  } catch (error) {
    outcome = await failed(db, consumer, message, error, log);
  }
  try {
    if (outcome === 'retry') message.nak(pauseOf(consumer, message.info.deliveryCount));
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
  const final = error instanceof Permanent || attempts >= (consumer.options.attempts ?? defaultAttempts);
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
    .returning('event_id'),
);

async function consume(db: Database, consumer: EventConsumer, message: JsMsg): Promise<Outcome> {
  const replayedFor = message.headers?.get(replayHeader);
  if (replayedFor && replayedFor !== consumer.name) return 'skipped';
  const envelope = envelopeOf(message);
  const event = consumer.events.find(({ type }) => type === envelope.type);
  if (!event) throw new Permanent(`${consumer.name} does not consume ${envelope.type}`);
  const parsed = event.data.safeParse(envelope.data);
  if (!parsed.success) throw new Permanent(`Data of ${envelope.type} does not match its contract: ${parsed.error.message}`);
  const ctx = systemContext(envelope.organizationid, envelope.requestid);
  if (event.tenant && ctx.organization_id === null) throw new Permanent(`${envelope.type} belongs to no organization`);
  const effect = async (tx: Tx): Promise<Outcome> => {
    const taken = await executePrepared(tx, inboxRow(tx, consumer.name, envelope.id));
    if (taken.rows.length === 0) return 'duplicate';
    await consumer.run(ctx, parsed.data, tx as AnyTx, envelope);
    return 'done';
  };
  return withTrace(envelope.traceparent ?? undefined, `consume ${consumer.name}`, () =>
    ctx.organization_id === null ? db.asSystem(`consume ${event.type}`, effect) : db.forTenant(ctx, effect),
  );
}

function envelopeOf(message: JsMsg): Envelope {
  const parsed = Envelope.safeParse(jsonOf(message));
  if (parsed.success) return parsed.data;
  throw new Permanent(`Not an event's envelope: ${parsed.error.message}`);
}

function jsonOf(message: JsMsg): unknown {
  try {
    return message.json();
  } catch (error) {
    throw new Permanent('Not JSON', { cause: error });
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
