import type { Logger } from '@tandem/platform';
import { Redis, type Command, type RedisOptions } from 'ioredis';

/**
 * A connection to Redis that reconnects without limit and whose commands fail immediately, instead of waiting in memory, when
 * Redis is down. The caller must close it. Without `log`, connection errors are not logged: the commands report them. `commandTimeout` is the
 * longest time that a command may take, in milliseconds.
 */
export function connectRedis(url: string, log?: Logger, { commandTimeout, ...options }: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    // Maximum time that a dead connection keeps the process running after disconnect().
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    ...options,
  });
  if (commandTimeout !== undefined) limitCommands(redis, commandTimeout);
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

const partsOfLimit = 4;

/**
 * Rejects commands without a response after `ms`. Unlike with ioredis' `commandTimeout`, a blocked event loop, in which no response can be
 * read, uses up at most a quarter of this time: its timer would run before the response is read that has been waiting in the socket.
 */
function limitCommands(redis: Redis, ms: number): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const response = send(command, stream);
    if (!command.isSettled) limitCommand(command, ms);
    return response;
  };
}

function limitCommand(command: Command, ms: number): void {
  let timer: NodeJS.Timeout;
  const wait = (parts: number) => {
    const next = () => (parts > 1 ? wait(parts - 1) : command.reject(new Error(`Redis has not responded within ${ms} ms`)));
    timer = setTimeout(next, ms / partsOfLimit);
  };
  wait(partsOfLimit);
  const stop = () => clearTimeout(timer);
  command.promise.then(stop, stop);
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
