import { Database, newId } from '@tandem/db';
import { staff } from '@tandem/testing';
import { freshNotes, noteCreated } from '../../test/notes';
import { discardDeadLetter, listDeadLetters, writeDeadLetter } from './dead-letters';
import { emit } from './outbox';

const agent = staff('agent');
const failure = {
  consumer: 'tickets-test',
  nats_subject: 'test.org.note.created',
  stream_sequence: 7,
  error: 'Error: failed',
  attempts: 3,
};

describe('dead letters', () => {
  let db: Database;
  beforeAll(async () => {
    db = new Database({ url: await freshNotes() });
  });
  afterEach(async () => {
    await db.asSystem('clean up', (tx) => tx.deleteFrom('dead_letters').execute());
  });
  afterAll(() => db.close());

  const anEvent = async () => {
    await db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, newId(), { text: 'hello' }));
    const [row] = await db.asSystem('look', (tx) =>
      tx.selectFrom('outbox').select('envelope').orderBy('position', 'desc').limit(1).execute(),
    );
    return row!.envelope;
  };

  it('store the event with its consumer, error and attempts', async () => {
    const envelope = await anEvent();
    await writeDeadLetter(db, { ...failure, text: JSON.stringify(envelope) });
    expect(await listDeadLetters(db)).toMatchObject([
      { consumer: 'tickets-test', event_id: envelope.id, envelope, error: 'Error: failed', attempts: 3, replayed_at: null },
    ]);
  });

  it('are updated if the event fails again, and listed as pending again', async () => {
    const text = JSON.stringify(await anEvent());
    await writeDeadLetter(db, { ...failure, text });
    await db.asSystem('replay', (tx) => tx.updateTable('dead_letters').set({ replayed_at: new Date().toISOString() }).execute());
    expect(await listDeadLetters(db)).toEqual([]);
    expect(await listDeadLetters(db, { all: true })).toHaveLength(1);
    await writeDeadLetter(db, { ...failure, text, error: 'Error: failed again', attempts: 1 });
    expect(await listDeadLetters(db)).toMatchObject([{ error: 'Error: failed again', attempts: 1 }]);
  });

  it('are separate for each consumer of an event', async () => {
    const text = JSON.stringify(await anEvent());
    await writeDeadLetter(db, { ...failure, text });
    await writeDeadLetter(db, { ...failure, text, consumer: 'tickets-other' });
    expect((await listDeadLetters(db)).map(({ consumer }) => consumer).sort()).toEqual(['tickets-other', 'tickets-test']);
  });

  it.each(['not json', '{}', '"\u0000"', 'half a surrogate \ud800', ''])('store a message that is not an event: %j', async (text) => {
    await writeDeadLetter(db, { ...failure, text });
    await writeDeadLetter(db, { ...failure, text });
    const letters = await listDeadLetters(db);
    expect(letters).toMatchObject([{ event_id: '00000000-0000-8000-8000-000000000007', envelope: { nats_subject: failure.nats_subject } }]);
  });

  it('shorten a long error and remove what PostgreSQL cannot store', async () => {
    await writeDeadLetter(db, { ...failure, text: '{}', error: `\u0000${'x'.repeat(10_000)}` });
    const [letter] = await listDeadLetters(db);
    expect(letter!.error).toBe('x'.repeat(4_000));
  });

  it('are discarded one by one, and returned', async () => {
    for (const stream_sequence of [1, 2]) await writeDeadLetter(db, { ...failure, stream_sequence, text: '{}' });
    const [first, second] = await listDeadLetters(db);
    expect(await discardDeadLetter(db, first!.id)).toEqual(first);
    expect(await discardDeadLetter(db, first!.id)).toBeUndefined();
    expect(await listDeadLetters(db)).toEqual([second]);
  });

  it('are listed oldest first', async () => {
    for (const stream_sequence of [3, 1, 2]) await writeDeadLetter(db, { ...failure, stream_sequence, text: '{}' });
    const ids = (await listDeadLetters(db)).map(({ event_id }) => event_id.slice(-1));
    expect(ids).toEqual(['3', '1', '2']);
  });
});
