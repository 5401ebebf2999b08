import { Permanent } from '@tandem/contracts';
import { DatabaseUnavailable } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { eventually, staff, testEnv } from '@tandem/testing';
import { Queue } from 'bullmq';
import { Jobs, connectRedis } from '..';
import { sendNote } from '../../test/notes';
import type { DecoratedMethod } from '../method-metadata';
import { NotYet, prefixOf, uncountedPauseMs, type Attempt, type JobHandlerMetadata, type PendingJob } from './jobs';
import { Workers } from './workers';

type Handler = (ctx: unknown, data: { id: string }, attempt: Attempt) => unknown;

const ctx = staff('agent');
const log = createLogger('test', 'fatal');
const id = '01980000-0000-7000-8000-0000000000aa';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('workers', () => {
  let config: { REDIS_URL: string; REDIS_PREFIX: string; SWEEP_MS: number; SHUTDOWN_GRACE_MS: number };
  const open: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    const { REDIS_URL, REDIS_PREFIX } = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Record<string, string>;
    config = { REDIS_URL: REDIS_URL!, REDIS_PREFIX: REDIS_PREFIX!, SWEEP_MS: 60_000, SHUTDOWN_GRACE_MS: 10_000 };
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  const handling = (run: Handler, options: JobHandlerMetadata['options'] = {}): DecoratedMethod<JobHandlerMetadata> => ({
    instance: { run },
    name: 'Test.run',
    key: 'run',
    metadata: { job: sendNote, options },
  });
  const listing = (list: () => PendingJob[] | Promise<PendingJob[]>) => ({
    instance: { list },
    name: 'Test.list',
    key: 'list',
    metadata: sendNote,
  });
  function start(handlers: DecoratedMethod<JobHandlerMetadata>[], sweeps: ReturnType<typeof listing>[] = []) {
    const jobs = new Jobs(config, log);
    const workers = new Workers(config, jobs, handlers, sweeps, log);
    open.push(async () => {
      await workers.close();
      await jobs.close();
    });
    workers.start();
    return { jobs, workers };
  }
  const restore = async (jobs: Jobs, ...ids: string[]) => {
    jobs.open();
    await eventually(() => jobs.check());
    await jobs.restore(
      sendNote,
      ids.map((each) => ({ id: each, ctx, data: { id: each } })),
    );
  };
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `${id.slice(0, -2)}${String(i).padStart(2, '0')}`);
  async function queue() {
    const connection = connectRedis(config.REDIS_URL);
    const found = new Queue(sendNote.queue, { connection, prefix: prefixOf(config) });
    open.push(async () => {
      await found.close();
      connection.disconnect();
    });
    return found;
  }

  it('call the handler with the context, the data and the attempt of the job', async () => {
    const calls: unknown[] = [];
    const { jobs } = start([handling((...args) => calls.push(args))]);
    await restore(jobs, id);
    await eventually(() => expect(calls).toEqual([[ctx, { id }, { number: 1, last: false }]]));
  });

  it('retry a failed job after its pauses and leave nothing in the queue after the last attempt', async () => {
    const attempts: Attempt[] = [];
    const { jobs } = start([
      handling((_ctx, _data, attempt) => {
        attempts.push(attempt);
        throw new Error('not yet');
      }),
    ]);
    await restore(jobs, id);
    await eventually(() =>
      expect(attempts.map(({ number, last }) => [number, last])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ]),
    );
    const rest = await queue();
    await eventually(async () => expect(await rest.getJobCounts()).toMatchObject({ waiting: 0, active: 0, delayed: 0, failed: 0 }));
  });

  it.each([
    ['while PostgreSQL is not available', new DatabaseUnavailable(new Error('connection refused'))],
    ['while another process works on the row', new NotYet('another worker is sending this note')],
  ])('do not count attempts %s, and retry within seconds, however long that takes', async (_when, error) => {
    const attempts: Attempt[] = [];
    let isPossible = false;
    const { jobs } = start([
      handling((_ctx, _data, attempt) => {
        attempts.push(attempt);
        if (!isPossible) throw error;
      }),
    ]);
    await restore(jobs, id);
    const jobsOf = await queue();
    for (const made of [1, 2, 3, 4]) {
      await eventually(async () => expect([attempts.length, await jobsOf.getDelayedCount()]).toEqual([made, 1]));
      const [job] = await jobsOf.getDelayed();
      expect(job!.delay).toBeGreaterThan(uncountedPauseMs - 1_000);
      expect(job!.delay).toBeLessThanOrEqual(uncountedPauseMs);
      isPossible = made === 4;
      await job!.promote(); // instead of waiting for the pause
    }
    await eventually(async () => expect(await jobsOf.getJobCounts()).toMatchObject({ waiting: 0, active: 0, delayed: 0, failed: 0 }));
    expect(attempts).toEqual(Array.from({ length: 5 }, () => ({ number: 1, last: false })));
  });

  it('do not retry a permanent failure, and accept the job again afterwards', async () => {
    let attempts = 0;
    const { jobs } = start([
      handling(() => {
        attempts += 1;
        throw new Permanent('no such row');
      }),
    ]);
    await restore(jobs, id);
    await eventually(() => expect(attempts).toBe(1));
    await pause(300);
    expect(attempts).toBe(1);
    await restore(jobs, id);
    await eventually(() => expect(attempts).toBe(2));
  });

  it('fail a job whose data does not match its contract, without calling the handler', async () => {
    let calls = 0;
    start([handling(() => (calls += 1))]);
    const wrong = await queue();
    await wrong.add(sendNote.type, { ctx, data: { id: 7 }, traceparent: null }, { jobId: 'wrong', removeOnFail: false });
    await eventually(async () => expect(await wrong.getFailedCount()).toBe(1));
    const [job] = await wrong.getFailed();
    expect(job!.failedReason).toContain('does not match its contract');
    expect(calls).toBe(0);
  });

  it('fail a job of an unknown type, so that another release can retry it', async () => {
    start([handling(() => undefined)]);
    const unknown = await queue();
    await unknown.add('future_job', { ctx, data: {}, traceparent: null }, { jobId: 'future', removeOnFail: false });
    await eventually(async () => expect((await unknown.getFailed())[0]?.failedReason).toBe('This process has no worker for future_job'));
  });

  it('run at most as many jobs at once as the handler allows', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    const { jobs } = start([
      handling(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await pause(30);
          running -= 1;
          done += 1;
        },
        { concurrency: 2 },
      ),
    ]);
    await restore(jobs, ...ids(8));
    await eventually(() => expect(done).toBe(8));
    expect(most).toBe(2);
  });

  it('refuse two handlers of one job', () => {
    const jobs = new Jobs(config, log);
    expect(() => new Workers(config, jobs, [handling(() => 1), handling(() => 2)], [], log)).toThrow('Two methods handle send_note');
  });

  it('sweep when they start, and share a sweep that is already running', async () => {
    const seen: string[] = [];
    let sweeps = 0;
    const { workers } = start(
      [handling((_ctx, { id: done }) => seen.push(done))],
      [
        listing(async () => {
          sweeps += 1;
          await pause(100);
          return seen.includes(id) ? [] : [{ id, ctx, data: { id } }];
        }),
      ],
    );
    await eventually(() => expect(seen).toEqual([id]));
    const before = sweeps;
    await Promise.all([workers.sweep(), workers.sweep()]);
    expect(sweeps).toBe(before + 1);
  });

  it('continue with the next sweep when one fails', async () => {
    const seen: string[] = [];
    const { workers } = start(
      [handling((_ctx, { id: done }) => seen.push(done))],
      [
        listing(() => Promise.reject(new Error('the database is down'))),
        listing(() => (seen.length > 0 ? [] : [{ id, ctx, data: { id } }])),
      ],
    );
    await eventually(async () => {
      await workers.sweep();
      expect(seen).toEqual([id]);
    });
  });

  it('wait for running jobs when they close, but start no others', async () => {
    const started: string[] = [];
    const finished: string[] = [];
    const { jobs, workers } = start([
      handling(
        async (_ctx, data) => {
          started.push(data.id);
          await pause(300);
          finished.push(data.id);
        },
        { concurrency: 1 },
      ),
    ]);
    const [first, second] = ids(2) as [string, string];
    await restore(jobs, first, second);
    await eventually(() => expect(started).toHaveLength(1));
    await workers.close();
    expect(finished).toEqual(started);
    expect(started).toHaveLength(1);
  });
});

describe('the id of a job', () => {
  it.each(['', 'a:b', 'a b', 'x'.repeat(201)])('cannot be %j, which would not be a single key in Redis', async (wrong) => {
    const env = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Record<string, string>;
    const jobs = new Jobs({ REDIS_URL: env['REDIS_URL']!, REDIS_PREFIX: env['REDIS_PREFIX']! }, log);
    await expect(jobs.restore(sendNote, [{ id: wrong, ctx, data: { id } }])).rejects.toThrow('Not the id of a row');
    await jobs.close();
  });
});
