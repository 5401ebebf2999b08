import type { Logger } from '@tandem/platform';
import { Redis, type RedisOptions } from 'ioredis';

/**
 * A connection to Redis that reconnects without limit and whose commands fail immediately, instead of waiting in memory, when
 * Redis is down. The caller must close it. Without `log`, connection errors are not logged: the commands report them.
 */
export function connectRedis(url: string, log?: Logger, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    // Maximum time that a dead connection keeps the process running after disconnect().
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    ...options,
  });
  let down = false;
  // An error event without a listener would crash the process.
  redis.on('error', (error) => {
    if (!down) log?.warn({ err: error }, 'Redis is down; reconnecting');
    down = true;
  });
  redis.on('ready', () => {
    if (down) log?.info('Redis is back');
    down = false;
  });
  return redis;
}

/**
 * Sends the commands of this turn of the event loop in one write: under load, writing to the socket costs more than everything else that a
 * short command takes. Call it before the command.
 */
export function holdWrites({ status, stream }: Redis): void {
  if (status !== 'ready' || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
