import { event } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { eventually, staff, testEnv } from '@tandem/testing';
import * as z from 'zod';
import { freshNotes, noteCreated } from '../../test/notes';
import { Nats } from './nats';
import { emit, maxEventBytes } from './outbox';
import { OutboxRelay } from './relay';

const agent = staff('agent');
/** With short members, PostgreSQL's text is much longer than compact JSON. */
const measured = event('note.measured', 'tickets', z.object({ text: z.string(), values: z.array(z.record(z.string(), z.number())) }));
const log = createLogger('test', 'fatal');
/** Longer than a test may take: what is published was not found by looking for it. */
const pollMs = 600_000;

describe('a relay that looks for unpublished events rarely', () => {
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

  it('publishes what its own process and one that does not publish commit', async () => {
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
});
