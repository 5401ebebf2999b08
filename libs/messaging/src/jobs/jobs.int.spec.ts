import { Permanent } from '@tandem/contracts';
import { connectRedis } from '..';
import { startService } from '@tandem/platform';
import { startFlakyProxy, eventually, staff, testServers } from '@tandem/testing';
import { createNote, NoteHooks, notesService, startNotes, startNotesWith } from '../../test/notes';

type Notes = Awaited<ReturnType<typeof startNotes>>;
const agent = staff('agent');
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
async function start(overrides: Record<string, string> = {}): Promise<Notes> {
  const notes = await startNotes({ RUN: 'http,jobs', ...overrides });
  open.push(notes.close);
  return notes;
}
const write = (notes: Pick<Notes, 'services'>, text = 'job') => notes.services.call(createNote, agent, { body: { text } });
const sent = (notes: Notes, id: string) =>
  eventually(async () => {
    const row = await notes.db.forTenant(agent, (tx) => tx.selectFrom('notes').select('state').where('id', '=', id).executeTakeFirst());
    expect(row?.state).toBe('sent');
  });
/** FLUSHALL for this test's keys only, because other tests use the same server. */
async function forgetAll(notes: Notes): Promise<number> {
  const redis = connectRedis(notes.env['REDIS_URL']!);
  const keys = await redis.keys(`${notes.env['REDIS_PREFIX']}*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
  return keys.length;
}

describe('a job', () => {
  it('runs after the commit of its row', async () => {
    const notes = await start();
    await sent(notes, (await write(notes)).id);
    expect(notes.hooks.attempts).toEqual([{ number: 1, last: false }]);
  });

  it('is retried after its pauses, and is marked as last in its last attempt', async () => {
    const notes = await start();
    notes.hooks.work = (_data, { last }) => {
      if (!last) throw new Error('not yet');
    };
    await sent(notes, (await write(notes)).id);
    expect(notes.hooks.attempts).toEqual([
      { number: 1, last: false },
      { number: 2, last: false },
      { number: 3, last: true },
    ]);
  });

  it('is not retried after a permanent failure', async () => {
    const notes = await start();
    notes.hooks.work = () => {
      throw new Permanent('no such mailbox');
    };
    await write(notes);
    await eventually(() => expect(notes.hooks.attempts.length).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 500));
    // The sweep at the start may add the row's job again, because this hook leaves the row pending: as a first attempt, never as a second.
    expect(notes.hooks.attempts.filter(({ number }) => number > 1)).toEqual([]);
  });

  it('that Redis has lost is added again by a sweep', async () => {
    const notes = await start({ RUN: 'http' });
    const { id } = await write(notes);
    await eventually(async () => expect(await forgetAll(notes)).toBeGreaterThan(0));
    const worker = await startNotesWith({ ...notes.env, RUN: 'jobs', SWEEP_MS: '200' });
    open.push(worker.close);
    await sent(notes, id);
  });

  it('waits until its process starts to run jobs', async () => {
    const notes = await start({ RUN: 'http' });
    const { id } = await write(notes);
    const worker = await startService(notesService, { ...notes.env, RUN: 'jobs' });
    open.push(() => worker.close());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(worker.app.get(NoteHooks).attempts).toEqual([]);
    worker.startJobs();
    await sent(notes, id);
  });

  it('is not duplicated by sweeps while it waits or runs', async () => {
    const notes = await start({ SWEEP_MS: '50' });
    const second = await startNotesWith({ ...notes.env, RUN: 'jobs' });
    open.push(second.close);
    const end = Promise.withResolvers<void>();
    for (const { hooks } of [notes, second]) hooks.work = () => end.promise;
    const attempts = () => notes.hooks.attempts.length + second.hooks.attempts.length;
    const { id } = await write(notes);
    await eventually(() => expect(attempts()).toBe(1));
    // Time for a dozen sweeps. A sweep that read the row just before the job ended may add it once more, when the job is no longer in the queue.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(attempts()).toBe(1);
    end.resolve();
    await sent(notes, id);
  });
});

describe('an outage of Redis', () => {
  it('causes no request to fail, and the jobs run afterwards', async () => {
    const proxy = await startFlakyProxy(testServers().redisUrl);
    open.push(proxy.close);
    proxy.cut();
    const notes = await start({ REDIS_URL: proxy.url });
    const first = await write(notes);
    expect(await (await fetch(`${notes.running.url}/health/ready`)).json()).toMatchObject({ checks: { redis: 'down' } });
    proxy.restore();
    await sent(notes, first.id);
    proxy.cut();
    const second = await write(notes);
    proxy.restore();
    // Sent without the next sweep, which is a minute away.
    await sent(notes, second.id);
  });

  it('does not keep the process from exiting', async () => {
    const proxy = await startFlakyProxy(testServers().redisUrl);
    open.push(proxy.close);
    const notes = await start({ REDIS_URL: proxy.url, SHUTDOWN_GRACE_MS: '1000' });
    await write(notes);
    proxy.cut();
    // Without a limit, waiting for Redis would take forever.
    await notes.close();
  });
});
