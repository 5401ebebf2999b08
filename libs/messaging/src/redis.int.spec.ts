import { setTimeout } from 'node:timers/promises';
import { onTestFileEnd, testEnv } from '@tandem/testing';
import type { RedisOptions } from 'ioredis';
import { connectRedis, holdWrites } from './redis';

async function connected(options: RedisOptions = {}) {
  const { REDIS_URL, REDIS_PREFIX } = await testEnv({ TICKETS_DATABASE_URL: 'postgres://unused' });
  const redis = connectRedis(REDIS_URL!, undefined, { enableOfflineQueue: false, retryStrategy: () => null, ...options });
  onTestFileEnd(async () => redis.disconnect());
  await new Promise((resolve) => redis.once('ready', resolve));
  return { redis, key: `${REDIS_PREFIX}:held` };
}

describe('holdWrites', () => {
  it('sends the commands of one turn in one write, in their order', async () => {
    const { redis, key } = await connected();
    const writes = jest.spyOn(redis.stream as unknown as { _writev: () => void }, '_writev');
    const single = jest.spyOn(redis.stream as unknown as { _write: () => void }, '_write');
    const counts = Array.from({ length: 50 }, () => {
      holdWrites(redis);
      return redis.incr(key);
    });
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect([writes.mock.calls.length, single.mock.calls.length]).toEqual([1, 0]);
    holdWrites(redis);
    expect(await redis.incr(key)).toBe(51);
  });

  it('rejects the commands of a connection that is lost before they are sent', async () => {
    const { redis, key } = await connected();
    holdWrites(redis);
    const lost = redis.incr(key);
    redis.stream.destroy();
    await expect(lost).rejects.toThrow(/Connection is closed|Stream isn't writeable/);
    holdWrites(redis);
    await expect(redis.incr(key)).rejects.toThrow();
  });
});

describe('the time limit of commands', () => {
  const limitMs = 400;
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limitMs);

  it('does not count while the event loop is blocked', async () => {
    const { redis, key } = await connected({ commandTimeout: limitMs });
    const sent = redis.incr(key);
    // The response arrives while the event loop is blocked.
    setImmediate(block);
    expect(await sent).toBe(1);
    // The command is sent after the event loop was blocked.
    holdWrites(redis);
    const held = redis.incr(key);
    block();
    expect(await held).toBe(2);
  });

  it('rejects commands whose response does not come, and leaves later ones in order', async () => {
    const { redis, key } = await connected({ commandTimeout: limitMs });
    const late = Promise.allSettled([redis.blpop(`${key}:list`, 1), redis.incr(key)]);
    expect(await late).toEqual([
      { status: 'rejected', reason: new Error('Redis has not responded within 400 ms') },
      { status: 'rejected', reason: new Error('Redis has not responded within 400 ms') },
    ]);
    await setTimeout(1_000);
    expect(await redis.incr(key)).toBe(2);
  });
});
