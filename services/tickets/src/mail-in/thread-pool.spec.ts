import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { ThreadLimitExceeded, ThreadPool } from './thread-pool';

type Behavior = 'answer' | 'wait' | 'loop' | 'allocate' | 'exit' | 'throw';
const limits = { maxThreads: 1, heapMb: 32, requestMs: 1_000, idleMs: 60_000 };
let pool: ThreadPool<Behavior, number>;
const start = (changed: Partial<typeof limits> = {}) =>
  (pool = new ThreadPool(join(__dirname, '..', '..', 'test', 'hostile-thread.cjs'), { ...limits, ...changed }));
afterEach(() => pool.close());

it('runs work in another thread, which it reuses', async () => {
  const first = await start({ requestMs: 60_000 }).run('answer');
  expect(first).not.toBe(threadId);
  expect(await pool.run('answer')).toBe(first);
});

it('does not block the event loop, and terminates a thread at its time limit', async () => {
  const running = start().run('loop');
  let isSettled = false;
  const outcome = running.catch((error: unknown) => error).finally(() => (isSettled = true));
  // The thread needs to end only after these turns: a blocked event loop would never get here.
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  expect(isSettled).toBe(false);
  expect(await outcome).toEqual(new ThreadLimitExceeded('time'));
});

it('counts the CPU time of a thread, not the time in which it waits', async () => {
  expect(await start().run('wait')).toBeGreaterThan(0);
});

it('terminates a thread that exceeds its memory limit', async () => {
  await expect(start({ requestMs: 60_000 }).run('allocate')).rejects.toEqual(new ThreadLimitExceeded('memory'));
});

it.each<Behavior>(['loop', 'allocate', 'exit', 'throw'])('replaces a thread after "%s"', async (behavior) => {
  start({ requestMs: behavior === 'loop' ? 1_000 : 60_000 });
  await expect(pool.run(behavior)).rejects.toThrow();
  expect(await pool.run('answer')).toBeGreaterThan(0);
});

it('shares one thread among concurrent requests if it may start only one', async () => {
  start({ requestMs: 60_000 });
  const ids = await Promise.all(Array.from({ length: 6 }, () => pool.run('answer')));
  expect(new Set(ids).size).toBe(1);
});

it('moves the transferred bytes', async () => {
  const bytes = new ArrayBuffer(8);
  await start({ requestMs: 60_000 }).run('answer', [bytes]);
  expect(bytes.byteLength).toBe(0);
});

it('ends idle threads', async () => {
  const first = await start({ requestMs: 60_000, idleMs: 1 }).run('answer');
  await sleep(50);
  expect(await pool.run('answer')).not.toBe(first);
});

it('ends the thread of a request that asks for it', async () => {
  const first = await start({ requestMs: 60_000 }).run('answer', [], { endsThread: true });
  expect(await pool.run('answer')).not.toBe(first);
});
