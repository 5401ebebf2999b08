import { createLogger } from '@tandem/platform';
import { DatabaseFull, newId } from '@tandem/db';
import { enableMetrics, startFlakyProxy, eventually, staff, testServers } from '@tandem/testing';
import { Permanent, systemContext, type Context } from '@tandem/contracts';
import { sql } from 'kysely';
import { emit, emitAll, listDeadLetters, listDurables, Nats, NotTogether, removeDurable, replayDeadLetters } from '..';
import { prune } from './outbox';
import {
  backupMade,
  createNote,
  effectsOf,
  freshNotes,
  noteAdded,
  noteCreated,
  noteFiled,
  startNotes,
  startNotesWith,
} from '../../test/notes';

type Notes = Awaited<ReturnType<typeof startNotes>>;
const agent = staff('agent');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
async function start(overrides: Record<string, string> = {}): Promise<Notes> {
  const notes = await startNotes({ RUN: 'http,events', ...overrides });
  open.push(notes.close);
  return notes;
}
async function natsOf(notes: Notes): Promise<Nats> {
  const { NATS_URL, NATS_STREAM, EVENTS_PREFIX } = notes.env as Record<string, string>;
  const nats = new Nats(
    { NATS_URL: NATS_URL!, NATS_STREAM: NATS_STREAM!, EVENTS_PREFIX: EVENTS_PREFIX! },
    'test',
    createLogger('test', 'fatal'),
  );
  open.push(() => nats.close());
  await nats.connected();
  return nats;
}
const announce = (notes: Notes, subject: string, text = 'hello', ctx: Context = agent) =>
  notes.db.forTenant(ctx, (tx) => emit(tx, ctx, noteCreated, subject, { text }));
const unpublished = (notes: Notes) =>
  notes.db.asSystem('look at the outbox', (tx) => tx.selectFrom('outbox').selectAll().where('published_at', 'is', null).execute());
const forgetPublishing = (notes: Notes) =>
  notes.db.asSystem('as after a crash', (tx) => tx.updateTable('outbox').set({ published_at: null }).execute());
const allPublished = (notes: Notes) => eventually(async () => expect(await unpublished(notes)).toEqual([]));
const effects = (notes: Notes, count: number) =>
  eventually(async () => {
    const found = await effectsOf(notes.db);
    expect(found).toHaveLength(count);
    return found;
  });

describe('an event', () => {
  it('is consumed after its commit, numbered per subject from 1', async () => {
    const notes = await start();
    const [a, b] = [newId(), newId()];
    for (const subject of [a, b, a, a]) await announce(notes, subject);
    const found = await effects(notes, 4);
    expect(found.filter(({ subject }) => subject === a).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(found.filter(({ subject }) => subject === b).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('is dropped by a rollback, without a gap in the numbers', async () => {
    const notes = await start();
    const subject = newId();
    await expect(
      notes.db.forTenant(agent, async (tx) => {
        await emit(tx, agent, noteCreated, subject, { text: 'no' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await announce(notes, subject);
    expect(await effects(notes, 1)).toEqual([{ subject, sequence: 1 }]);
  });

  it('emitted for many subjects at once is numbered as if each were emitted alone', async () => {
    const notes = await start({ RUN: 'http' });
    const subjects = Array.from({ length: 2_500 }, () => newId()).reverse();
    const known = subjects[7]!;
    await announce(notes, known);
    const all = subjects.map((subject) => ({ subject, data: { text: `about ${subject}` } }));
    await notes.db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, all));
    await notes.db.forTenant(agent, (tx) => emitAll(tx, agent, noteCreated, []));
    const rows = (await unpublished(notes)).filter(({ envelope }) => JSON.stringify(envelope.data) !== '{"text":"hello"}');
    expect(rows.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
    for (const { subject, sequence, type, envelope } of rows) {
      const expected = subject === known ? 2 : 1;
      expect([type, sequence, envelope.sequence, envelope.data]).toEqual([
        noteCreated.type,
        expected,
        expected,
        { text: `about ${subject}` },
      ]);
    }
  });

  it('is refused where it is emitted if it does not match its contract', async () => {
    const notes = await start({ RUN: 'http' });
    await expect(announce(notes, newId(), 7 as unknown as string)).rejects.toThrow('does not match its contract');
  });

  it('is numbered without gaps and consumed in order under concurrent writers', async () => {
    const notes = await start();
    const subjects = [newId(), newId(), newId()];
    await Promise.all(Array.from({ length: 60 }, (_, i) => announce(notes, subjects[i % 3]!)));
    const found = await effects(notes, 60);
    for (const subject of subjects) {
      expect(found.filter((effect) => effect.subject === subject).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
    }
  });

  it('takes effect once if the relay dies between publishing and marking', async () => {
    const notes = await start();
    for (let i = 0; i < 5; i++) await announce(notes, newId());
    await effects(notes, 5);
    await allPublished(notes);
    await forgetPublishing(notes);
    await announce(notes, newId());
    await effects(notes, 6);
    await allPublished(notes);
    await pause(300);
    await effects(notes, 6);
  });

  it('takes effect once if the broker delivers it twice', async () => {
    const notes = await start();
    await announce(notes, newId());
    await effects(notes, 1);
    const [row] = await notes.db.asSystem('look', (tx) => tx.selectFrom('outbox').selectAll().execute());
    const nats = await natsOf(notes);
    const { js } = await nats.connected();
    // The handler runs, but has no effect, and its failure does not count as a failure of the event.
    notes.hooks.beforeCommit = ({ id }) => {
      if (id === row!.id) throw new Permanent('handled twice');
    };
    // Simulates a repeat after the stream's deduplication window: a second message with the same event.
    await js.publish(`${nats.prefix}.${agent.organization_id}.note.created`, JSON.stringify(row!.envelope));
    await announce(notes, newId());
    await effects(notes, 2);
    await pause(300);
    await effects(notes, 2);
    expect(await listDeadLetters(notes.db)).toEqual([]);
  });
});

describe('a batch', () => {
  const file = (notes: Notes, ctx: Context, subjects: string[], text = 'hello') =>
    notes.db.forTenant(ctx, (tx) =>
      emitAll(
        tx,
        ctx,
        noteFiled,
        subjects.map((subject) => ({ subject, data: { text } })),
      ),
    );
  const ids = (count: number) => Array.from({ length: count }, () => newId());
  /** Records the batches that committed or failed, and fails those of which `fails` returns true. */
  const observe = (notes: Notes, fails: (subjects: string[]) => boolean = () => false) => {
    const seen: { organization_id: string | null; subjects: string[] }[] = [];
    notes.hooks.beforeBatchCommit = (events) => {
      const subjects = events.map(({ envelope }) => envelope.subject);
      for (const { ctx } of events) expect(ctx.organization_id).toBe(events[0]!.ctx.organization_id);
      seen.push({ organization_id: events[0]!.ctx.organization_id, subjects });
      if (fails(subjects)) throw new Error('before the commit');
    };
    return seen;
  };

  it('has events of one organization, and each takes effect once and in the order of its subject', async () => {
    const notes = await start();
    const seen = observe(notes);
    const [a, b, other] = [ids(60), ids(60), staff('agent')];
    await file(notes, agent, a);
    await file(notes, other, b);
    await file(notes, agent, a);
    const found = await effects(notes, 180);
    for (const subject of a) expect(found.filter((effect) => effect.subject === subject).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(new Set(seen.map(({ organization_id }) => organization_id))).toEqual(new Set([agent.organization_id, other.organization_id]));
    expect(seen.length).toBeLessThan(90);
    for (const { subjects } of seen) expect(subjects.length).toBeLessThanOrEqual(50);
    // Published and delivered a second time.
    await allPublished(notes);
    const nats = await natsOf(notes);
    const { js } = await nats.connected();
    const rows = await notes.db.asSystem('look', (tx) => tx.selectFrom('outbox').selectAll().execute());
    for (const row of rows.toReversed()) await js.publish(`${nats.prefix}.${row.organization_id}.note.filed`, JSON.stringify(row.envelope));
    const last = newId();
    await file(notes, agent, [last]);
    await effects(notes, 181);
    await pause(300);
    await effects(notes, 181);
  });

  it('that is interrupted before its commit has no effect, and then each event takes effect once', async () => {
    const notes = await start();
    let failures = 0;
    observe(notes, (subjects) => subjects.length > 1 && ++failures > 0);
    await file(notes, agent, ids(40));
    await effects(notes, 40);
    expect(failures).toBeGreaterThan(0);
    await pause(200);
    await effects(notes, 40);
    expect(await listDeadLetters(notes.db)).toEqual([]);
  });

  it.each([
    { isConcurrent: false, atOnce: 'one by one' },
    { isConcurrent: true, atOnce: 'those of different subjects at the same time' },
  ])('is handled event by event if its consumer asks for it, $atOnce', async ({ isConcurrent }) => {
    const notes = await start();
    const sizes: number[] = [];
    const [running, most] = [new Set<string>(), { count: 0 }];
    notes.hooks.beforeBatchCommit = async (events) => {
      sizes.push(events.length);
      if (events.length > 1) throw new NotTogether({ isConcurrent });
      const { subject } = events[0]!.envelope;
      expect(running).not.toContain(subject);
      most.count = Math.max(most.count, running.add(subject).size);
      await pause(5);
      running.delete(subject);
    };
    await file(notes, agent, ids(40));
    await effects(notes, 40);
    expect(sizes.filter((size) => size === 1)).toHaveLength(40);
    expect(sizes.length).toBeGreaterThan(40);
    if (isConcurrent) expect(most.count).toBeGreaterThan(1);
    else expect(most.count).toBe(1);
  });

  it('with one event that fails permanently dead-letters only that event', async () => {
    const notes = await start({ RUN: 'http' });
    const poison = newId();
    await file(notes, agent, ids(20));
    await file(notes, agent, [poison], 'poison');
    await file(notes, agent, ids(20));
    const nats = await natsOf(notes);
    const { js } = await nats.connected();
    await nats.ensureStream();
    const rows = await notes.db.asSystem('look', (tx) => tx.selectFrom('outbox').selectAll().execute());
    for (const row of rows) await js.publish(`${nats.prefix}.${row.organization_id}.note.filed`, JSON.stringify(row.envelope));
    await js.publish(`${nats.prefix}.${agent.organization_id}.note.filed`, 'not JSON');
    const replica = await startNotesWith({ ...notes.env, RUN: 'http,events' });
    open.push(replica.close);
    await effects(notes, 40);
    await eventually(async () => {
      const letters = await listDeadLetters(notes.db);
      expect(letters.map(({ error }) => error).sort()).toEqual(['Permanent: Not JSON', 'Permanent: This one is poison']);
    });
    expect((await effectsOf(notes.db)).map(({ subject }) => subject)).not.toContain(poison);
  });
});

describe('outages', () => {
  it('of NATS: the service starts, handles requests and publishes later', async () => {
    const proxy = await startFlakyProxy(testServers().natsUrl);
    open.push(proxy.close);
    proxy.cut();
    const notes = await start({ NATS_URL: proxy.url });
    const note = await notes.services.call(createNote, agent, { body: { text: 'while away' } });
    const ready = await fetch(`${notes.running.url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'degraded', checks: { nats: 'down', postgres: 'ok' } });
    proxy.restore();
    expect(await effects(notes, 1)).toEqual([{ subject: note.id, sequence: 1 }]);
    proxy.cut();
    await announce(notes, newId());
    await pause(500);
    expect(await unpublished(notes)).toHaveLength(1);
    proxy.restore();
    await effects(notes, 2);
  });

  it('of space for the stream: events wait in the outbox, and arrive once the limit is higher', async () => {
    const notes = await start({ NATS_STREAM_MAX_BYTES: '1000000' });
    await announce(notes, newId());
    await effects(notes, 1);
    const nats = await natsOf(notes);
    const { js } = await nats.connected();
    await js.publish(`${nats.prefix}.filler`, new Uint8Array(990_000));
    for (let event = 0; event < 60; event++) await announce(notes, newId());
    await eventually(async () => expect((await unpublished(notes)).length).toBeGreaterThan(0));
    await expect(js.publish(`${nats.prefix}.filler`, new Uint8Array(50_000))).rejects.toThrow(/maximum bytes exceeded/);
    const replica = await startNotesWith({ ...notes.env, NATS_STREAM_MAX_BYTES: '5000000' });
    open.push(replica.close);
    await effects(notes, 61);
    expect(await unpublished(notes)).toEqual([]);
  });

  it('of PostgreSQL: no message is acknowledged before its effect is committed', async () => {
    const database = await freshNotes();
    const proxy = await startFlakyProxy(database);
    open.push(proxy.close);
    const notes = await start({ TICKETS_DATABASE_URL: proxy.url });
    await announce(notes, newId());
    await effects(notes, 1);
    let held!: () => void;
    const reached = new Promise<void>((resolve) => {
      notes.hooks.beforeCommit = () => {
        resolve();
        return new Promise<void>((release) => (held = release));
      };
    });
    await announce(notes, newId());
    await reached;
    proxy.cut();
    notes.hooks.beforeCommit = () => undefined;
    held();
    await pause(300);
    proxy.restore();
    await effects(notes, 2);
  });

  it('of the stream: it is recreated, and its events are published again and take effect once', async () => {
    const notes = await start();
    await announce(notes, newId());
    await effects(notes, 1);
    await allPublished(notes);
    const nats = await natsOf(notes);
    const { jsm } = await nats.connected();
    await jsm.streams.delete(nats.stream);
    await announce(notes, newId());
    await effects(notes, 2);
    await allPublished(notes);
    expect((await jsm.streams.info(nats.stream)).state.messages).toBe(2);
    await pause(1_000);
    await effects(notes, 2);
  });

  it('of a replica: another one takes over, and each event takes effect once', async () => {
    const notes = await start();
    const second = await startNotesWith(notes.env);
    open.push(second.close);
    await Promise.all(Array.from({ length: 20 }, () => announce(notes, newId())));
    await effects(notes, 20);
    await second.close();
    await announce(notes, newId());
    await effects(notes, 21);
    await pause(300);
    await effects(notes, 21);
  });
});

describe('a failing consumer', () => {
  it('is retried until it succeeds, each time without the effects of the failed attempts', async () => {
    const notes = await start();
    let tries = 0;
    notes.hooks.beforeCommit = () => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
    };
    await announce(notes, newId());
    await effects(notes, 1);
    expect(tries).toBe(3);
    expect(await listDeadLetters(notes.db)).toEqual([]);
  });

  it('dead-letters a permanent failure immediately, continues with other events, and can be replayed', async () => {
    const notes = await start();
    const subject = newId();
    let poison = true;
    let tries = 0;
    notes.hooks.beforeCommit = (envelope) => {
      if (envelope.subject !== subject) return;
      tries += 1;
      if (poison) throw new Permanent('cannot be');
    };
    await announce(notes, subject);
    await announce(notes, newId());
    await effects(notes, 1);
    const [letter] = await eventually(async () => {
      const letters = await listDeadLetters(notes.db);
      expect(letters).toHaveLength(1);
      return letters;
    });
    expect(letter).toMatchObject({
      consumer: 'tickets-notes-seen',
      attempts: 1,
      envelope: { subject },
      error: 'Permanent: cannot be',
    });
    expect(tries).toBe(1);

    const nats = await natsOf(notes);
    // It fails again: the same dead letter is pending again.
    expect(await replayDeadLetters(notes.db, nats)).toEqual({ replayed: 1, tooLarge: 0 });
    await eventually(async () => {
      expect(tries).toBe(2);
      expect(await listDeadLetters(notes.db)).toHaveLength(1);
    });
    poison = false;
    expect(await replayDeadLetters(notes.db, nats, letter!.id)).toEqual({ replayed: 1, tooLarge: 0 });
    await effects(notes, 2);
    expect(await listDeadLetters(notes.db)).toEqual([]);
    expect(await listDeadLetters(notes.db, { all: true })).toHaveLength(1);
  });

  it('dead-letters an event after its last attempt', async () => {
    const notes = await start();
    notes.hooks.beforeCommit = () => {
      throw new Error('never');
    };
    await announce(notes, newId());
    await eventually(async () => expect(await listDeadLetters(notes.db)).toMatchObject([{ attempts: 3, error: 'Error: never' }]));
    expect(await effectsOf(notes.db)).toEqual([]);
  });

  it('is retried without a limit while the database cannot write', async () => {
    const notes = await start();
    let tries = 0;
    notes.hooks.beforeCommit = () => {
      tries += 1;
      if (tries < 5) throw new DatabaseFull(new Error('No space left on device'));
    };
    await announce(notes, newId());
    await effects(notes, 1);
    expect(tries).toBe(5);
    expect(await listDeadLetters(notes.db, { all: true })).toEqual([]);
  });

  it('dead-letters messages that are not events', async () => {
    const notes = await start();
    const nats = await natsOf(notes);
    const { js } = await nats.connected();
    await nats.ensureStream();
    const subject = `${nats.prefix}.${agent.organization_id}.note.created`;
    for (const garbage of ['not json', '{}', '"\\u0000"', JSON.stringify({ id: 1 })]) await js.publish(subject, garbage);
    await announce(notes, newId());
    await effects(notes, 1);
    await eventually(async () => expect(await listDeadLetters(notes.db)).toHaveLength(4));
    expect(await replayDeadLetters(notes.db, nats)).toEqual({ replayed: 0, tooLarge: 0 });
  });
});

describe('a consumer', () => {
  it('receives only its own type of event', async () => {
    const notes = await start();
    await notes.db.forTenant(agent, (tx) => emit(tx, agent, noteAdded, newId(), { text: 'other' }));
    await announce(notes, newId());
    await effects(notes, 1);
  });

  it('of an event without an organization runs as the system', async () => {
    const notes = await start();
    const ctx = systemContext(null, 'backup');
    await notes.db.asSystem('announce', (tx) => emit(tx, ctx, backupMade, 'backup', { size: 7 }));
    await eventually(() => expect(notes.hooks.backups).toEqual([null]));
    expect(await listDeadLetters(notes.db)).toEqual([]);
  });

  it('of an event of an organization never runs without one', async () => {
    const notes = await start();
    const ctx = systemContext(null, 'test');
    const emitted = notes.db.asSystem('announce', (tx) => emit(tx, ctx, noteCreated, newId(), { text: 'no organization' }));
    await expect(emitted).rejects.toThrow('note.created needs a context with an organization');
    // Simulates that a release without this check has published it.
    const nats = await natsOf(notes);
    await announce(notes, newId());
    await effects(notes, 1);
    const [row] = await notes.db.asSystem('look', (tx) => tx.selectFrom('outbox').select('envelope').execute());
    const { js } = await nats.connected();
    await js.publish(`${nats.prefix}._.note.created`, JSON.stringify({ ...row!.envelope, id: newId(), organizationid: null }));
    await eventually(async () =>
      expect(await listDeadLetters(notes.db)).toMatchObject([{ error: 'Permanent: note.created belongs to no organization' }]),
    );
    await effects(notes, 1);
  });

  it('processes several subjects concurrently and each one in order', async () => {
    const notes = await start();
    const running = new Set<string>();
    const manyAtOnce = Promise.withResolvers<void>();
    const doubled: string[] = [];
    notes.hooks.beforeCommit = async ({ subject }) => {
      if (running.has(subject)) doubled.push(subject);
      running.add(subject);
      // The first handler waits for a second one, however slowly the other events are published.
      if (running.size > 1) manyAtOnce.resolve();
      await manyAtOnce.promise;
      await pause(20);
      running.delete(subject);
    };
    const subjects = Array.from({ length: 8 }, () => newId());
    for (const subject of [...subjects, ...subjects]) await announce(notes, subject);
    await effects(notes, 16);
    expect(doubled).toEqual([]);
  });
});

describe('durables', () => {
  it('are listed with the events that they have not received, and removed on request', async () => {
    const notes = await start();
    const nats = await natsOf(notes);
    const own = [
      { name: 'tickets-backups-seen', pending: 0 },
      { name: 'tickets-notes-filed', pending: 0 },
      { name: 'tickets-notes-seen', pending: 0 },
    ];
    expect(await listDurables(nats)).toEqual(own.map((durable) => ({ ...durable, unfinished: 0 })));
    const { jsm } = await nats.connected();
    await jsm.consumers.add(nats.stream, { durable_name: 'tickets-former', filter_subject: `${nats.prefix}.*.${noteCreated.type}` });
    await announce(notes, newId());
    await effects(notes, 1);
    // An acknowledgment may still be in transit.
    expect(await listDurables(nats)).toMatchObject([own[0], { name: 'tickets-former', pending: 1, unfinished: 0 }, own[1], own[2]]);
    expect(await removeDurable(nats, 'tickets-former')).toBe(true);
    expect(await removeDurable(nats, 'tickets-former')).toBe(false);
    expect(await listDurables(nats)).toMatchObject(own);
  });
});

describe('the relay', () => {
  it('publishes a row that a slow transaction commits behind younger ones', async () => {
    const notes = await start();
    let finish!: () => void;
    const slow = notes.db.forTenant(agent, async (tx) => {
      await emit(tx, agent, noteCreated, newId(), { text: 'slow' });
      await new Promise<void>((resolve) => (finish = resolve));
    });
    while (!(finish as unknown)) await pause(5);
    await announce(notes, newId());
    await effects(notes, 1);
    finish();
    await slow;
    await effects(notes, 2);
  });

  it('publishes rows that a replica without a relay has committed', async () => {
    const notes = await start();
    const quiet = await startNotesWith({ ...notes.env, RUN: 'http' });
    open.push(quiet.close);
    await quiet.services.call(createNote, agent, { body: { text: 'from a replica without a relay' } });
    await effects(notes, 1);
  });

  it('deletes old published rows and idempotency keys, and nothing else', async () => {
    const notes = await start();
    await announce(notes, newId());
    await allPublished(notes);
    await notes.db.asSystem('age', (tx) => sql`update outbox set published_at = now() - interval '8 days'`.execute(tx));
    await announce(notes, newId());
    await allPublished(notes);
    await notes.db.forTenant(agent, (tx) =>
      tx
        .insertInto('idempotency_keys')
        .values({
          organization_id: agent.organization_id,
          operation: 'x',
          key: 'x',
          fingerprint: 'x',
          status: 'running',
          created_at: '2020-01-01T00:00:00Z',
        })
        .execute(),
    );
    await prune(notes.db, 7, 35);
    expect(await notes.db.asSystem('look', (tx) => tx.selectFrom('outbox').select('id').execute())).toHaveLength(1);
    expect(await notes.db.forTenant(agent, (tx) => tx.selectFrom('idempotency_keys').select('key').execute())).toEqual([]);
  });
});

describe('the metrics of a service', () => {
  /** Work that waits until the test ends, at the latest. */
  const hold = () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    open.push(async () => release());
    return { held, release };
  };

  it('report events, dead letters, jobs, sweeps and connections that wait', async () => {
    const scrape = await enableMetrics();
    const notes = await start({ RUN: 'http,events,jobs', SWEEP_MS: '50' });
    const consumer = 'tickets-notes-seen';
    const queue = 'notes';
    await eventually(async () => {
      const atRest = await scrape();
      for (const name of ['pending_events', 'unacknowledged_events', 'oldest_seconds'])
        expect(atRest.value(`tandem_consumer_${name}`, { consumer })).toBe(0);
      expect(atRest.value('tandem_dead_letters_open', { consumer })).toBe(0);
      expect(atRest.value('tandem_dead_letters_total', { consumer })).toBe(0);
      expect(atRest.value('tandem_jobs_total', { job: 'send_note', outcome: 'failed' })).toBe(0);
      expect(atRest.value('tandem_queue_jobs', { queue, state: 'waiting' })).toBe(0);
      expect(atRest.value('tandem_outbox_oldest_seconds')).toBe(0);
      expect(atRest.value('tandem_database_connections_limit')).toBe(10);
      expect(atRest.value('tandem_database_waiting_callers')).toBe(0);
    });
    const sweptAt = (await scrape()).value('tandem_sweep_last_success_timestamp_seconds', { job: 'send_note' });

    const { held, release } = hold();
    notes.hooks.work = () => held;
    for (let i = 0; i < 7; i += 1) await notes.services.call(createNote, agent, { body: { text: 'hello' } });
    await notes.db.forTenant(agent, (tx) => sql`update notes set state = 'pending'`.execute(tx));
    notes.hooks.beforeCommit = () => held;
    await announce(notes, newId(), 'poison');
    // All of one subject: the first is in progress, the others wait for it, and more than 256 are not delivered.
    const subject = newId();
    await notes.db.forTenant(agent, async (tx) => {
      for (let i = 0; i < 300; i += 1) await emit(tx, agent, noteCreated, subject, { text: 'hello' });
    });
    await eventually(async () => {
      const now = await scrape();
      expect(now.value('tandem_consumer_pending_events', { consumer })).toBeGreaterThan(0);
      expect(now.value('tandem_consumer_unacknowledged_events', { consumer })).toBeGreaterThan(0);
      expect(now.value('tandem_consumer_oldest_seconds', { consumer })).toBeGreaterThan(0.2);
      expect(now.value('tandem_dead_letters_open', { consumer })).toBe(1);
      expect(now.value('tandem_dead_letters_total', { consumer })).toBe(1);
      expect(now.value('tandem_queue_jobs', { queue, state: 'active' })).toBe(5);
      expect(now.value('tandem_queue_jobs', { queue, state: 'waiting' })).toBe(2);
      expect(now.value('tandem_queue_oldest_seconds', { queue })).toBeGreaterThan(0.2);
      expect(now.value('tandem_database_connections', { state: 'used' })).toBeGreaterThan(0);
      expect(now.value('tandem_sweep_last_success_timestamp_seconds', { job: 'send_note' })).toBeGreaterThan(sweptAt);
      expect(now.value('tandem_events_published_total', { type: 'note.created' })).toBeGreaterThan(300);
    });
    release();
    await eventually(async () => {
      const done = await scrape();
      expect(done.value('tandem_consumer_oldest_seconds', { consumer })).toBe(0);
      expect(done.value('tandem_queue_oldest_seconds', { queue })).toBe(0);
      expect(done.value('tandem_jobs_total', { job: 'send_note', outcome: 'done' })).toBeGreaterThan(6);
      expect(done.value('tandem_events_consumed_total', { consumer, outcome: 'done' })).toBeGreaterThan(299);
    });
  });

  it('report the callers that wait for a connection, and the age of events that cannot be published', async () => {
    const scrape = await enableMetrics();
    const proxy = await startFlakyProxy(testServers().natsUrl);
    open.push(() => proxy.close());
    const notes = await start({ NATS_URL: proxy.url });
    // Not 0 if a scrape of an earlier test was slow: the counters of a test file are shared.
    const failures = await eventually(async () => (await scrape()).value('tandem_metric_read_failures_total', { reader: 'consumers' }));
    proxy.cut();
    await announce(notes, newId());
    await eventually(async () => {
      const now = await scrape();
      expect(now.value('tandem_outbox_oldest_seconds')).toBeGreaterThan(0.2);
      // Absent instead of outdated, and counted.
      expect(now.all('tandem_consumer_pending_events')).toEqual([]);
      expect(now.value('tandem_metric_read_failures_total', { reader: 'consumers' })).toBeGreaterThan(failures);
    });
    const { held, release } = hold();
    const work = Array.from({ length: 12 }, () => notes.db.asSystem('hold a connection', () => held));
    await eventually(async () => expect((await scrape()).value('tandem_database_waiting_callers')).toBeGreaterThan(0));
    release();
    await Promise.all(work);
  });
});
