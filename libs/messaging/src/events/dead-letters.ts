import { Envelope, subjectOf } from '@tandem/contracts';
import { headers } from '@nats-io/transport-node';
import { newId, type Database, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import { isTooLarge, type Nats } from './nats';

/** Names the only consumer that may handle a replayed event; the other consumers of the event skip it. */
export const replayHeader = 'Tandem-Replay-For';

const relaySuffix = '-relay';

/** The consumer of a dead letter that could not be published, so that no consumer has received it. */
export const relayOf = (service: string): string => service + relaySuffix;

type FailedDelivery = {
  consumer: string;
  nats_subject: string;
  /** The message as received, JSON or not. */
  text: string;
  error: string;
  attempts: number;
} & (InStream | InOutbox);
interface InStream {
  stream_sequence: number;
}
/** Of an event that has never been in the stream. */
interface InOutbox {
  event_id: string;
}

/** Stores an event after a consumer's last attempt; if the same event fails again, its row is updated. */
export const writeDeadLetter = (db: Database, failed: FailedDelivery): Promise<void> =>
  db.asSystem('write a dead letter', (tx) => insertDeadLetter(tx, failed));

/** Like `writeDeadLetter`, in a transaction of `asSystem`. */
export async function insertDeadLetter(tx: Tx, failed: FailedDelivery): Promise<void> {
  const parsed = Envelope.safeParse(jsonOrUndefined(failed.text));
  const event_id = parsed.success ? parsed.data.id : idOfUnreadable(failed);
  const unreadable = { nats_subject: failed.nats_subject, text: failed.text.replaceAll('\u0000', '\ufffd').toWellFormed() };
  await tx
    .insertInto('dead_letters')
    .values({
      id: newId(),
      consumer: failed.consumer,
      event_id,
      envelope: JSON.stringify(parsed.success ? parsed.data : unreadable),
      error: failed.error.replaceAll('\u0000', '').slice(0, 4_000),
      attempts: failed.attempts,
    })
    .onConflict((conflict) =>
      conflict.columns(['consumer', 'event_id']).doUpdateSet((eb) => ({
        error: eb.ref('excluded.error'),
        attempts: eb.ref('excluded.attempts'),
        created_at: sql<string>`now()`,
        replayed_at: null,
      })),
    )
    .execute();
}

/** A message that is not an event has no id: derives one from its stream sequence, so that a second delivery updates the same row. */
const idOfUnreadable = (failed: InStream | InOutbox): string =>
  'event_id' in failed ? failed.event_id : `00000000-0000-8000-8000-${failed.stream_sequence.toString(16).padStart(12, '0')}`;

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface DeadLetter {
  id: string;
  consumer: string;
  event_id: string;
  envelope: Envelope;
  error: string;
  attempts: number;
  created_at: string;
  replayed_at: string | null;
}

/** The dead letters that have not been replayed yet, oldest first; with `all` the replayed ones too. At most 1,000. */
export async function listDeadLetters(db: Database, options: { all?: boolean } = {}): Promise<DeadLetter[]> {
  return db.asSystem('list dead letters', (tx) => {
    const letters = tx.selectFrom('dead_letters').selectAll().orderBy('created_at').limit(1_000);
    return (options.all ? letters : letters.where('replayed_at', 'is', null)).execute();
  });
}

/**
 * Publishes dead letters again: the one with this id, or all that have not been replayed. Each is for the consumer that failed on it and no
 * other; one that could not be published is for all consumers. Messages that are not events, and events that are still too large, cannot be
 * replayed and stay. Returns the number published, and the number that are too large.
 */
export async function replayDeadLetters(db: Database, nats: Nats, id?: string): Promise<{ replayed: number; tooLarge: number }> {
  const letters = (await listDeadLetters(db, { all: id !== undefined })).filter((letter) => id === undefined || letter.id === id);
  const result = { replayed: 0, tooLarge: 0 };
  for (const letter of letters) {
    const envelope = Envelope.safeParse(letter.envelope);
    if (!envelope.success) continue;
    try {
      await replay(db, nats, letter, envelope.data);
      result.replayed += 1;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      result.tooLarge += 1;
    }
  }
  return result;
}

async function replay(db: Database, nats: Nats, { id, consumer }: DeadLetter, envelope: Envelope): Promise<void> {
  const { js } = await nats.connected();
  const replayHeaders = headers();
  if (!consumer.endsWith(relaySuffix)) replayHeaders.set(replayHeader, consumer);
  await db.asSystem('replay a dead letter', async (tx) => {
    // Updated first: if a consumer fails again immediately, the row lock makes its upsert wait, so that it is applied last.
    await tx
      .updateTable('dead_letters')
      .set({ replayed_at: sql<string>`now()` })
      .where('id', '=', id)
      .execute();
    // A new message id: the stream would drop a second message with the event's id as a duplicate.
    await js.publish(subjectOf(nats.prefix, envelope.organizationid, envelope.type), JSON.stringify(envelope), {
      msgID: `${id}-${Date.now()}`,
      headers: replayHeaders,
      timeout: 5_000,
    });
  });
}

/**
 * Deletes a dead letter and returns it; undefined if there is none with this id. One that could not be published is deleted from the outbox,
 * too: if the stream is recreated, it would be published again.
 */
export const discardDeadLetter = (db: Database, id: string): Promise<DeadLetter | undefined> =>
  db.asSystem('discard a dead letter', async (tx) => {
    const letter = await tx.deleteFrom('dead_letters').where('id', '=', id).returningAll().executeTakeFirst();
    if (letter?.consumer.endsWith(relaySuffix) && letter.replayed_at === null)
      await tx.deleteFrom('outbox').where('id', '=', letter.event_id).execute();
    return letter;
  });
