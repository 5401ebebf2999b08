import { AppError, type Operation } from '@tandem/contracts';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { connectRedis, holdWrites, renewVersion, versionKey } from '@tandem/messaging';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@tandem/platform';
import type { Redis, Result } from 'ioredis';
import type { GatewayConfig } from '../config';
import type { Counter, CountOutcome } from './counter';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countRequest(keys: number, ...keysAndRules: (string | number)[]): Result<(number | string)[], Context>;
    refund(key: string, limit: number, blockSeconds: number): Result<number, Context>;
  }
}

/**
 * Counts one request in all its windows or in none. Checks in the same round trip whether its session has ended (the key after the
 * counters), and reads the version of the organization's data (the key after that, if there is one). A counter stops at one above its
 * limit, so rejected calls extend neither a window nor a block. Returns: ended, version, then hits, remaining milliseconds and whether
 * this request started a block, for each counter up to the first one that is over its limit.
 */
const countRequest = `
local counters = #ARGV / 3
local version = KEYS[counters + 2] and redis.call('GET', KEYS[counters + 2]) or ''
local answer = { redis.call('EXISTS', KEYS[counters + 1]), version }
if answer[1] == 1 then return answer end
for i = 1, counters do
  local window, limit, block = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local hits = tonumber(redis.call('GET', KEYS[i]) or '0')
  local started = 0
  if hits <= limit then
    hits = redis.call('INCR', KEYS[i])
    if hits == 1 then redis.call('PEXPIRE', KEYS[i], window) end
    if hits > limit and block > 0 then
      redis.call('PEXPIRE', KEYS[i], block)
      started = 1
    end
  end
  answer[#answer + 1] = hits
  answer[#answer + 1] = redis.call('PTTL', KEYS[i])
  answer[#answer + 1] = started
  if hits > limit then
    for before = 1, i - 1 do redis.call('DECR', KEYS[before]) end
    return answer
  end
end
return answer`;

/** Refunds one hit; a block that has started stays. */
const refund = `
local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits > 0 and (hits <= tonumber(ARGV[1]) or tonumber(ARGV[2]) == 0) then return redis.call('DECR', KEYS[1]) end
return hits`;

/** An organization's data in one service. */
export interface VersionedData {
  owner: Operation['owner'];
  organization_id: string;
}

/** Ended sessions are stored for longer than an access token lives (10 minutes). */
const endedSessionMs = 11 * 60_000;

/** The counters of all replicas, in Redis. If Redis is unavailable, every method throws `service.unavailable` within about a second. */
@Injectable()
export class RedisLimitStorage implements ThrottlerStorage, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly prefix: string;
  private readonly versionPrefix: string;
  /** Number of connections to Redis so far. */
  private connections = 0;

  constructor(@Inject('CONFIG') config: Pick<GatewayConfig, 'REDIS_URL' | 'REDIS_PREFIX'>, @Inject('LOG') log: Logger) {
    this.prefix = `${config.REDIS_PREFIX}:limit:`;
    this.versionPrefix = config.REDIS_PREFIX;
    this.redis = connectRedis(config.REDIS_URL, log, {
      // Fail fast instead of queuing requests while Redis is unavailable.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 1_000,
      // Not `enableAutoPipelining`: its pipelines cost more CPU time than a separate write per request. See `holdWrites`.
      scripts: { countRequest: { lua: countRequest }, refund: { lua: refund, numberOfKeys: 1 } },
    });
    this.redis.on('ready', () => (this.connections += 1));
  }

  /** Waits at most two seconds for Redis: startup does not depend on it. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 2_000);
      this.redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Counts a request unless its session has ended, and reads the version of the data that `versioned` names. */
  async count(counters: readonly Counter[], session_id: string | undefined, versioned?: VersionedData): Promise<CountOutcome> {
    const keys = [...counters.map(({ key }) => this.prefix + key), this.endedKey(session_id ?? 'none')];
    if (versioned !== undefined) keys.push(versionKey(this.versionPrefix, versioned.owner, versioned.organization_id));
    const rules = counters.flatMap(({ windowSeconds, limit, blockSeconds }) => [windowSeconds * 1000, limit, blockSeconds * 1000]);
    holdWrites(this.redis);
    const [ended, version, ...rest] = await this.unavailableOnError(this.redis.countRequest(keys.length, ...keys, ...rules));
    const figures = rest as number[];
    // A Redis that was restarted may have lost its last writes, and so repeat an older version: versions of different connections differ.
    const dataVersion = versioned === undefined ? undefined : `${this.connections} ${version}`;
    const counts = counters.slice(0, figures.length / 3).map((counter, i) => ({
      counter,
      hits: figures[3 * i]!,
      remainingMs: Math.max(0, figures[3 * i + 1]!),
      startsBlock: figures[3 * i + 2] === 1,
    }));
    return { sessionHasEnded: ended === 1, dataVersion, counts };
  }

  /** Announces a change for a service that has lost Redis. */
  async renewVersion({ owner, organization_id }: VersionedData): Promise<void> {
    await this.unavailableOnError(renewVersion(this.redis, versionKey(this.versionPrefix, owner, organization_id)));
  }

  /** Deletes a counter and its block, after a success. */
  async reset(counter: Pick<Counter, 'key'>): Promise<void> {
    await this.unavailableOnError(this.redis.del(this.prefix + counter.key));
  }

  /** Readiness check: throws if Redis does not answer. */
  async check(): Promise<void> {
    await this.redis.ping();
  }

  /** Undoes the count of this request. */
  async refund(counter: Counter): Promise<void> {
    await this.unavailableOnError(this.redis.refund(this.prefix + counter.key, counter.limit, counter.blockSeconds));
  }

  async refundAll(counters: readonly Counter[]): Promise<void> {
    await Promise.all(counters.map((counter) => this.refund(counter)));
  }

  /** The sum of these counters. */
  async sum(keys: readonly string[]): Promise<number> {
    const hits = await this.unavailableOnError(this.redis.mget(keys.map((key) => this.prefix + key)));
    return hits.reduce((sum, each) => sum + Number(each ?? 0), 0);
  }

  /** Whether this is the first call for `key` within `ms`. */
  async isFirst(key: string, ms: number): Promise<boolean> {
    return (await this.unavailableOnError(this.redis.set(this.prefix + key, '1', 'PX', ms, 'NX'))) === 'OK';
  }

  /** Makes every replica reject the access tokens of this session from now on. */
  async endSession(session_id: string): Promise<void> {
    await this.unavailableOnError(this.redis.set(this.endedKey(session_id), '1', 'PX', endedSessionMs));
  }

  async hasEnded(session_id: string): Promise<boolean> {
    return (await this.unavailableOnError(this.redis.exists(this.endedKey(session_id)))) === 1;
  }

  private async unavailableOnError<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (cause) {
      throw new AppError('service.unavailable', { retryAfterSeconds: 5, cause });
    }
  }

  private endedKey(session_id: string) {
    return `${this.prefix}ended:${session_id}`;
  }

  /** Required by the throttler's interface: one counter and no session. */
  async increment(key: string, ttl: number, limit: number, blockDuration: number) {
    const counter: Counter = { key, of: 'address', limit, windowSeconds: ttl / 1000, blockSeconds: blockDuration / 1000 };
    const [count] = (await this.count([counter], undefined)).counts;
    const seconds = Math.ceil(count!.remainingMs / 1000);
    const isBlocked = count!.hits > limit;
    return { totalHits: count!.hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
  }

  onApplicationShutdown() {
    this.redis.disconnect();
  }
}
