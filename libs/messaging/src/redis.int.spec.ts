import { onTestFileEnd, testEnv } from '@tandem/testing';
import { connectRedis, holdWrites } from './redis';

async function connected() {
  const { REDIS_URL, REDIS_PREFIX } = await testEnv({ TICKETS_DATABASE_URL: 'postgres://unused' });
  const redis = connectRedis(REDIS_URL!, undefined, { enableOfflineQueue: false, retryStrategy: () => null });
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
