import { event } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { enableMetrics, eventually, staff, testEnv } from '@tandem/testing';
import { sql } from 'kysely';
import * as z from 'zod';
import { freshNotes, noteCreated } from '../../test/notes';
import { discardDeadLetter, listDeadLetters, replayDeadLetters, replayHeader } from './dead-letters';
import { Nats } from './nats';
import { emit, maxEventBytes, unmarkOlderThan } from './outbox';
import { OutboxRelay } from './relay';

const agent = staff('agent');
/** With short members, PostgreSQL's text is much longer than compact JSON. */
const measured = event('note.measured', 'tickets', z.object({ text: z.string(), values: z.array(z.record(z.string(), z.number())) }));
const log = createLogger('test', 'fatal');
/** Longer than a test may take: what is published was not found by looking for it. */
const pollMs = 600_000;

describe('a relay with a long polling interval', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function processOf(env: Record<string, string | undefined>, url: string) {
    const { NATS_URL, NATS_STREAM, EVENTS_PREFIX } = env as Record<'NATS_URL' | 'NATS_STREAM' | 'EVENTS_PREFIX', string>;
    const db = new Database({ url });
    const nats = new Nats({ NATS_URL, NATS_STREAM, EVENTS_PREFIX }, 'tickets', log);
    const relay = new OutboxRelay(db, nats, log, { pollMs });
    await nats.connected();
    open.push(async () => {
      await relay.close();
      await nats.close();
      await db.close();
    });
    return { db, nats, relay };
  }

  const announce = (db: Database) => db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, newId(), { text: 'hello' }));
  const published = (db: Database, count: number) =>
    eventually(async () => {
      const rows = await db.asSystem('look', (tx) => tx.selectFrom('outbox').select('published_at').execute());
      expect(rows.filter(({ published_at }) => published_at !== null)).toHaveLength(count);
    });

  it('publishes events of its own process and of one that does not publish', async () => {
    const [env, url] = [await testEnv(), await freshNotes()];
    const [publisher, other] = [await processOf(env, url), await processOf(env, url)];
    publisher.relay.start();
    other.relay.startHints();
    await announce(publisher.db);
    await published(publisher.db, 1);
    await announce(other.db);
    await published(publisher.db, 2);
  });

  it('publishes what was committed while another replica was publishing', async () => {
    const [env, url] = [await testEnv(), await freshNotes()];
    const [one, two] = [await processOf(env, url), await processOf(env, url)];
    one.relay.start();
    two.relay.start();
    await Promise.all(Array.from({ length: 40 }, (_, i) => announce((i % 2 ? one : two).db)));
    await published(one.db, 40);
  });

  it('publishes the largest event that may be emitted to a server with the default limit of 1 MiB', async () => {
    const env = await testEnv();
    const { db, nats, relay } = await processOf(env, await freshNotes());
    const { nc, jsm } = await nats.connected();
    expect(nc.info?.max_payload).toBe(1024 * 1024);
    const values = Array.from({ length: 50_000 }, () => ({ a: 1, b: 2 })).concat({ a: 1.5e300, b: Number.MIN_VALUE });
    const measure = (length: number) =>
      db.forTenant(agent, (tx) => emit(tx, agent, measured, newId(), { text: 'x'.repeat(length), values }));
    await measure(0);
    relay.start();
    await published(db, 1);
    const last = async () => {
      const message = await jsm.streams.getMessage(env['NATS_STREAM']!, {
        last_by_subj: `${nats.prefix}.${agent.organization_id}.note.measured`,
      });
      return message!.data.length;
    };
    const rest = maxEventBytes - (await last());
    // The sequence number is not counted, and numbers with an exponent are counted with a few bytes too many.
    await expect(measure(rest + 50)).rejects.toThrow('too large');
    await measure(rest);
    await published(db, 2);
    expect(await last()).toBe(maxEventBytes);
  });

  describe('with an event that is larger than the server accepts, as an earlier version could store one', () => {
    /** Its subject has another event before and after it. */
    async function withTooLarge() {
      const env = await testEnv();
      const process = await processOf(env, await freshNotes());
      const subject = newId();
      const say = (text: string) => process.db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, subject, { text }));
      for (const text of ['first', 'second', 'third']) await say(text);
      await process.db.asSystem('as emitted by an earlier version', (tx) =>
        sql`update outbox set envelope = jsonb_set(envelope, '{data,text}', to_jsonb(repeat('x', 1100000)))
          where envelope #>> '{data,text}' = 'second'`.execute(tx),
      );
      const texts = async () => {
        const { jsm } = await process.nats.connected();
        const { state } = await jsm.streams.info(env['NATS_STREAM']!);
        const found: unknown[] = [];
        for (let seq = 1; seq <= state.last_seq; seq += 1) {
          const message = await jsm.streams.getMessage(env['NATS_STREAM']!, { seq });
          const { subject: of, data } = message!.json<{ subject: string; data: { text: string } }>();
          if (of === subject) found.push([data.text, message!.header.get(replayHeader)]);
        }
        return found;
      };
      return { ...process, texts };
    }

    it('publishes the other events of its subject, and makes it a dead letter', async () => {
      const { db, relay, texts } = await withTooLarge();
      const scrape = await enableMetrics();
      relay.start();
      await published(db, 3);
      expect(await texts()).toEqual([
        ['first', ''],
        ['third', ''],
      ]);
      const [letter, ...others] = await listDeadLetters(db);
      expect(others).toEqual([]);
      expect(letter).toMatchObject({ consumer: 'tickets-relay', attempts: 1, envelope: { type: 'note.created', sequence: 2 } });
      expect(letter!.error).toMatch(/^The event has 11\d{5} bytes; the max_payload of NATS is 1048576$/);
      expect((await scrape()).value('tandem_dead_letters_total', { consumer: 'tickets-relay' })).toBe(1);
    });

    it('makes each a dead letter, even if several are not events', async () => {
      const { db, relay } = await withTooLarge();
      const { rows } = await db.asSystem('as no version emits them', (tx) =>
        sql<{ id: string }>`update outbox set envelope = '{}' || jsonb_build_object('position', position, 'text', repeat('x', 1100000))
          where envelope #>> '{data,text}' <> 'first' returning id`.execute(tx),
      );
      relay.start();
      await published(db, 3);
      expect((await listDeadLetters(db)).map(({ event_id }) => event_id).sort()).toEqual(rows.map(({ id }) => id).sort());
    });

    it('replays it for all consumers once the server accepts it', async () => {
      const { db, nats, relay, texts } = await withTooLarge();
      relay.start();
      await published(db, 3);
      const [letter] = await listDeadLetters(db);
      for (const id of [undefined, letter!.id]) expect(await replayDeadLetters(db, nats, id)).toEqual({ replayed: 0, tooLarge: 1 });
      expect(await listDeadLetters(db)).toHaveLength(1);
      // Shortening the event has the same effect as a larger max_payload, without starting another server, which takes seconds.
      await db.asSystem('shorten', (tx) =>
        sql`update dead_letters set envelope = jsonb_set(envelope, '{data,text}', '"second"')`.execute(tx),
      );
      expect(await replayDeadLetters(db, nats)).toEqual({ replayed: 1, tooLarge: 0 });
      expect((await texts()).at(-1)).toEqual(['second', '']);
      expect(await listDeadLetters(db)).toEqual([]);
    });

    it('does not publish it to a new stream once it is discarded', async () => {
      const { db, relay } = await withTooLarge();
      relay.start();
      await published(db, 3);
      await relay.close();
      const [letter] = await listDeadLetters(db);
      await discardDeadLetter(db, letter!.id);
      expect(await unmarkOlderThan(db, new Date(Date.now() + 60_000).toISOString())).toBe(2);
    });
  });
});
