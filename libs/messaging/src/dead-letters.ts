import { Envelope, subjectOf } from '@tandem/contracts';
import { headers } from '@nats-io/transport-node';
import { newId, type Database } from '@tandem/db';
import { sql } from 'kysely';
import type { Nats } from './nats';

/** Names the one consumer that a replayed event is for; the others, who are done with it, pass it by. */
export const replayHeader = 'Tandem-Replay-For';

interface Burial {
  consumer: string;
  nats_subject: string;
  stream_sequence: number;
  /** The message as it came, JSON or not. */
  text: string;
  error: string;
  attempts: number;
}

/** Writes down an event that a consumer gave up on; the same event failing again renews its letter. */
export async function writeDeadLetter(db: Database, burial: Burial): Promise<void> {
  const parsed = Envelope.safeParse(jsonOrUndefined(burial.text));
  // What is no event has no id: made from its place in the stream, so that a second delivery finds the first letter.
  const event_id = parsed.success ? parsed.data.id : `00000000-0000-8000-8000-${burial.stream_sequence.toString(16).padStart(12, '0')}`;
  const unreadable = { nats_subject: burial.nats_subject, text: burial.text.replaceAll('\u0000', '\ufffd').toWellFormed() };
  await db.asSystem('write a dead letter', (tx) =>
    tx
      .insertInto('dead_letters')
      .values({
        id: newId(),
        consumer: burial.consumer,
        event_id,
        envelope: JSON.stringify(parsed.success ? parsed.data : unreadable),
        error: burial.error.replaceAll('\u0000', '').slice(0, 4_000),
        attempts: burial.attempts,
      })
      .onConflict((conflict) =>
        conflict.columns(['consumer', 'event_id']).doUpdateSet((eb) => ({
          error: eb.ref('excluded.error'),
          attempts: eb.ref('excluded.attempts'),
          created_at: sql<string>`now()`,
          replayed_at: null,
        })),
      )
      .execute(),
  );
}

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

/** The letters nobody has replayed yet, oldest first; with `all` the replayed ones too. At most 1,000. */
export async function listDeadLetters(db: Database, options: { all?: boolean } = {}): Promise<DeadLetter[]> {
  return db.asSystem('list dead letters', (tx) => {
    const letters = tx.selectFrom('dead_letters').selectAll().orderBy('created_at').limit(1_000);
    return (options.all ? letters : letters.where('replayed_at', 'is', null)).execute();
  });
}

/**
 * Publishes dead letters once more, each for the consumer that gave up on it and no other: one by its id, or all that
 * wait. Returns how many. Those that are no events cannot be replayed and stay.
 */
export async function replayDeadLetters(db: Database, nats: Nats, id?: string): Promise<number> {
  const { js } = await nats.connected();
  const letters = (await listDeadLetters(db, { all: id !== undefined })).filter((letter) => id === undefined || letter.id === id);
  let replayed = 0;
  for (const letter of letters) {
    const envelope = Envelope.safeParse(letter.envelope);
    if (!envelope.success) continue;
    const marked = headers();
    marked.set(replayHeader, letter.consumer);
    const subject = subjectOf(nats.prefix, envelope.data.organizationid, envelope.data.type);
    await db.asSystem('replay a dead letter', async (tx) => {
      // Marked first: the row's lock makes a consumer that fails again at once wait, so that its renewal comes last.
      await tx
        .updateTable('dead_letters')
        .set({ replayed_at: sql<string>`now()` })
        .where('id', '=', letter.id)
        .execute();
      // A message id of its own: the stream would drop a second message with the event's.
      await js.publish(subject, JSON.stringify(envelope.data), { msgID: `${letter.id}-${Date.now()}`, headers: marked, timeout: 5_000 });
    });
    replayed += 1;
  }
  return replayed;
}
