import { event, type Context } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { customer, staff } from '@tandem/testing';
import { sql } from 'kysely';
import * as z from 'zod';
import { freshNotes, noteCreated } from '../../test/notes';
import { emit, emitAll, hasEmitted, markPublished, prune, takeUnpublished, unmarkOlderThan } from './outbox';

const agent = staff('agent');
const client = { ip: '203.0.113.7', user_agent: 'Firefox' };
const audited = event('note.audited', 'tickets', z.object({ text: z.string() }), { audited: true });

/** The outbox of a service without a relay, so that its rows stay unchanged. */
describe('the outbox', () => {
  let db: Database;
  beforeAll(async () => {
    db = new Database({ url: await freshNotes(), max: 6 });
  });
  afterEach(async () => {
    await db.asSystem('clean up', (tx) => tx.deleteFrom('outbox').execute());
  });
  afterAll(() => db.close());

  const rows = () => db.asSystem('look', (tx) => tx.selectFrom('outbox').selectAll().orderBy('position').execute());
  const announce = (subject: string, text = 'hello', ctx: Context = agent) =>
    db.forTenant(agent, (tx) => emit(tx, ctx, noteCreated, subject, { text }));
  const take = (limit = 100) => db.asSystem('take', (tx) => takeUnpublished(tx, 'test', limit));

  it('stores an event in the format of CloudEvents 1.0, with its context', async () => {
    const subject = newId();
    await announce(subject);
    const [row] = await rows();
    expect(row).toMatchObject({ subject, type: 'note.created', sequence: 1, published_at: null, organization_id: agent.organization_id });
    expect(row!.envelope).toEqual({
      specversion: '1.0',
      id: row!.id,
      type: 'note.created',
      source: '/services/tickets',
      time: expect.any(String) as string,
      subject,
      datacontenttype: 'application/json',
      organizationid: agent.organization_id,
      actor: agent.actor,
      sequence: 1,
      requestid: agent.request_id,
      traceparent: null,
      data: { text: 'hello' },
    });
  });

  it('stores the address and browser of the client with audited events only', async () => {
    const ctx: Context = { ...customer(agent.organization_id), client: { ...client, browser_hash: 'a'.repeat(64) } };
    await db.forTenant(agent, async (tx) => {
      await emit(tx, ctx, audited, newId(), { text: 'x' });
      await emit(tx, ctx, noteCreated, newId(), { text: 'x' });
    });
    expect((await rows()).map(({ envelope }) => envelope.client)).toEqual([client, undefined]);
  });

  it('removes members that the contract does not declare', async () => {
    await db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, newId(), { text: 'x', secret: 'y' } as { text: string }));
    expect((await rows())[0]!.envelope.data).toEqual({ text: 'x' });
  });

  it('knows which transactions have emitted an event', async () => {
    await db.forTenant(agent, async (tx) => {
      expect(hasEmitted(tx)).toBe(false);
      await emitAll(tx, agent, noteCreated, []);
      expect(hasEmitted(tx)).toBe(false);
      await emit(tx, agent, noteCreated, newId(), { text: 'x' });
      expect(hasEmitted(tx)).toBe(true);
    });
  });

  it('refuses to emit two events about one subject in a single call', async () => {
    const subject = newId();
    const twice = [1, 2].map(() => ({ subject, data: { text: 'x' } }));
    await expect(db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, twice))).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  it('does not deadlock when concurrent calls emit about the same subjects in different orders', async () => {
    const subjects = Array.from({ length: 50 }, () => newId());
    const all = (order: string[]) => order.map((subject) => ({ subject, data: { text: 'x' } }));
    const emitted = [subjects, subjects.toReversed(), subjects].map((order) =>
      db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, all(order))),
    );
    await Promise.all(emitted);
    expect(Map.groupBy(await rows(), ({ sequence }) => sequence).get(3)).toHaveLength(50);
  });

  it('is read in the order of its events, up to the limit, with the subject of NATS', async () => {
    const [a, b] = [newId(), newId()];
    for (const subject of [a, b, a]) await announce(subject);
    const found = await take(2);
    expect(found?.map(({ subject }) => subject)).toEqual([a, b]);
    expect(found?.[0]?.nats_subject).toBe(`test.${agent.organization_id}.note.created`);
  });

  it('is read by one process at a time', async () => {
    await announce(newId());
    await db.asSystem('hold', async (tx) => {
      expect(await takeUnpublished(tx, 'test', 10)).toHaveLength(1);
      expect(await take()).toBeUndefined();
    });
    expect(await take()).toHaveLength(1);
  });

  it('does not return rows that are marked as published', async () => {
    await announce(newId());
    await announce(newId());
    const [first] = (await take())!;
    await db.asSystem('mark', async (tx) => markPublished(tx, []));
    await db.asSystem('mark', async (tx) => markPublished(tx, [first!.id]));
    expect((await take())!.map(({ id }) => id)).toEqual([(await rows())[1]!.id]);
  });

  it('publishes again what was published before the stream was created', async () => {
    for (let i = 0; i < 3; i++) await announce(newId());
    const [first, second] = (await take())!;
    await db.asSystem('mark', async (tx) => markPublished(tx, [first!.id, second!.id]));
    await db.asSystem('mark', async (tx) => {
      await sql`update outbox set published_at = now() - interval '1 hour' where id = ${first!.id}`.execute(tx);
    });
    expect(await unmarkOlderThan(db, new Date(Date.now() - 60_000).toISOString())).toBe(1);
    expect((await take())!.map(({ id }) => id)).toContain(first!.id);
    expect((await take())!.map(({ id }) => id)).not.toContain(second!.id);
  });

  it('is pruned of old published rows, in several batches, and of nothing that is still unpublished', async () => {
    const subjects = Array.from({ length: 6_000 }, () => ({ subject: newId(), data: { text: 'x' } }));
    await db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, subjects));
    await db.asSystem('age', (tx) => sql`update outbox set published_at = now() - interval '8 days'`.execute(tx));
    await announce(newId());
    await db.asSystem('add inbox rows', async (tx) => {
      await tx
        .insertInto('inbox')
        .values([newId(), newId()].map((event_id) => ({ consumer: 'tickets-test', event_id })))
        .execute();
      await sql`update inbox set processed_at = now() - interval '36 days' where event_id = (select event_id from inbox limit 1)`.execute(
        tx,
      );
    });
    await prune(db, 7, 35);
    expect(await rows()).toHaveLength(1);
    expect(await db.asSystem('look', (tx) => tx.selectFrom('inbox').selectAll().execute())).toHaveLength(1);
  });
});
