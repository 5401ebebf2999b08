import { Database, newId, type Tx } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { eventually, staff } from '@tandem/testing';
import { sql } from 'kysely';
import { effectsOf, freshNotes, noteCreated, startNotes } from '../../test/notes';
import type { AnyTx } from '../any-tx';
import { Acknowledgements } from './acknowledgements';
import { waitForDisk, withoutDisk, writeEarlierCommits } from './durability';
import { Nats, type NatsOptions } from './nats';
import { emitAll } from './outbox';

const agent = staff('agent');

/** How far the log of the server is written: `inserted` in memory, `flushed` on the disk. Bytes from its beginning. */
const logOf = async (tx: Tx): Promise<{ inserted: number; flushed: number }> =>
  (
    await sql<{ inserted: number; flushed: number }>`
      select (pg_current_wal_insert_lsn() - '0/0')::float as inserted, (pg_current_wal_flush_lsn() - '0/0')::float as flushed`.execute(tx)
  ).rows[0]!;
const isOnDisk = async (db: Database, { inserted }: { inserted: number }) => (await db.asSystem('look', logOf)).flushed >= inserted;

describe('a commit', () => {
  let db: Database;
  beforeAll(async () => {
    db = new Database({ url: await freshNotes() });
  });
  afterAll(() => db.close());

  /** Writes rows of an inbox, and returns the position of the log after the last one. */
  const write = (last: (tx: AnyTx) => void = () => undefined) =>
    db.asSystem('write', async (tx) => {
      await sql`insert into inbox (consumer, event_id) values ('tickets-test', ${newId()}) returning ${withoutDisk}`.execute(tx);
      last(tx as AnyTx);
      return logOf(tx);
    });

  it('writes all earlier commits to the disk, which did not wait for it', async () => {
    for (let i = 0; i < 50; i++) {
      const written = await write();
      await db.asSystem('read', async (tx) => writeEarlierCommits(tx));
      expect(await isOnDisk(db, written)).toBe(true);
    }
  });

  it('waits for the disk after all', async () => {
    for (let i = 0; i < 50; i++) expect(await isOnDisk(db, await write(waitForDisk))).toBe(true);
  });
});

describe('a handled message', () => {
  it('is acknowledged only if its inbox row still exists: a crash can undo it before the row is on the disk', async () => {
    const db = new Database({ url: await freshNotes() });
    const [stored, undone] = [newId(), newId()];
    await db.asSystem('write', (tx) => tx.insertInto('inbox').values({ consumer: 'tickets-test', event_id: stored }).execute());
    const acknowledgements = new Acknowledgements(db, createLogger('test', 'fatal'));
    const outcomes: [string, string][] = [];
    for (const event_id of [stored, undone]) {
      const message = { ack: () => outcomes.push([event_id, 'ack']), nak: () => outcomes.push([event_id, 'nak']) };
      acknowledgements.add({ message, consumer: 'tickets-test', event_id });
    }
    await acknowledgements.close();
    await db.close();
    expect(outcomes).toEqual([
      [stored, 'ack'],
      [undone, 'nak'],
    ]);
  });

  it('is acknowledged even if it was handled while the acknowledging of others was ending', async () => {
    const db = new Database({ url: await freshNotes() });
    const [first, second] = [newId(), newId()];
    await db.asSystem('write', (tx) =>
      tx
        .insertInto('inbox')
        .values([first, second].map((event_id) => ({ consumer: 'tickets-test', event_id })))
        .execute(),
    );
    const acknowledgements = new Acknowledgements(db, createLogger('test', 'fatal'));
    const add = (event_id: string, ack: () => void) =>
      acknowledgements.add({ message: { ack, nak: () => undefined }, consumer: 'tickets-test', event_id });
    const acknowledged = Promise.withResolvers<void>();
    // A handler that ends in a microtask behind the last acknowledgement.
    add(first, () => queueMicrotask(() => add(second, acknowledged.resolve)));
    await acknowledged.promise;
    await acknowledgements.close();
    await db.close();
  });
});

describe('a consumer', () => {
  it('does not wait for the disk, and its messages are acknowledged before the service ends', async () => {
    const notes = await startNotes({ RUN: 'http,events' });
    const settings: unknown[] = [];
    notes.hooks.beforeCommit = async (_envelope, tx) => {
      const { rows } = await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(tx);
      settings.push(rows[0]!.setting);
    };
    const subjects = Array.from({ length: 20 }, () => ({ subject: newId(), data: { text: 'hello' } }));
    await notes.db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, subjects));
    await eventually(async () => expect(await effectsOf(notes.db)).toHaveLength(20));
    await notes.close();
    expect(settings).toEqual(subjects.map(() => 'off'));
    const nats = new Nats(notes.env as unknown as NatsOptions, 'test', createLogger('test', 'fatal'));
    const { jsm } = await nats.connected();
    const { num_ack_pending, ack_floor } = await jsm.consumers.info(nats.stream, 'tickets-notes-seen');
    expect([num_ack_pending, ack_floor.consumer_seq]).toEqual([0, 20]);
    await nats.close();
  });
});
