import { apiTokenRules, AppError, type ApiTokenRequest, type KnownApiToken } from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { GatewayConfig } from '../config';

const keepMs = apiTokenRules.requestLogDays * 24 * 60 * 60 * 1000;
/** Requests that finish within this time are written together. */
const flushMs = 200;
/** Entries in memory while Redis is slow or unavailable; the rest is lost. */
const maxWaiting = 5_000;

type Owner = Pick<KnownApiToken, 'id' | 'organization_id'>;
interface Waiting {
  owner: Owner;
  entry: ApiTokenRequest;
}

/** The latest requests of each API token, in one Redis stream per token. If it is lost, only this log is lost, and no other data. */
@Injectable()
export class ApiTokenRequestLog implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly prefix: string;
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject('CONFIG') config: Pick<GatewayConfig, 'REDIS_URL' | 'REDIS_PREFIX'>,
    @Inject('LOG') private readonly log: Logger,
  ) {
    this.prefix = `${config.REDIS_PREFIX}:api-token-requests:`;
    this.redis = connectRedis(config.REDIS_URL, undefined, { maxRetriesPerRequest: 0, commandTimeout: 2_000 });
  }

  /** Returns immediately; the entry is written after the response. */
  add(owner: Owner, entry: ApiTokenRequest): void {
    if (this.waiting.length < maxWaiting) this.waiting.push({ owner, entry });
    this.timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Latest first. `cursor` is the last entry of the previous page. */
  async read(owner: Owner, limit: number, cursor?: string): Promise<{ requests: ApiTokenRequest[]; next_cursor: string | null }> {
    await this.flush();
    const oldest = String(Date.now() - keepMs);
    const newest = cursor === undefined ? '+' : `(${cursor}`;
    const found = await this.redis.xrevrange(this.keyOf(owner), newest, oldest, 'COUNT', limit + 1).catch((cause: unknown) => {
      throw new AppError('service.unavailable', { retryAfterSeconds: 5, cause });
    });
    const page = found.slice(0, limit);
    const requests = page.map(([, fields]) => JSON.parse(fields[1]!) as ApiTokenRequest);
    return { requests, next_cursor: found.length > limit ? page.at(-1)![0] : null };
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.waiting;
    this.waiting = [];
    if (entries.length === 0) return;
    const pipeline = this.redis.pipeline();
    for (const { owner, entry } of entries)
      pipeline.xadd(this.keyOf(owner), 'MAXLEN', apiTokenRules.requestLogMax, '*', 'request', JSON.stringify(entry));
    for (const key of new Set(entries.map(({ owner }) => this.keyOf(owner)))) {
      pipeline.xtrim(key, 'MINID', '~', Date.now() - keepMs);
      pipeline.pexpire(key, keepMs);
    }
    const results = await pipeline.exec().catch((error: Error): [Error, unknown][] => [[error, null]]);
    const err = results?.find(([error]) => error !== null)?.[0];
    if (err) this.log.warn({ err, entries: entries.length }, 'Writing the log of API token requests failed');
  }

  private keyOf({ organization_id, id }: Owner): string {
    return `${this.prefix}${organization_id}:${id}`;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.redis.disconnect();
  }
}
