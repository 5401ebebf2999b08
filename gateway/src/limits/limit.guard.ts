import { AppError } from '@tandem/contracts';
import { Inject, Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import { isUnsafe } from '../auth/csrf';
import type { GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';
import { operationOf } from '../routes/for-operation';
import { countersOf, limitTable, type LimitName } from './limits';
import { LockOuts } from './lock-outs';
import { RedisLimitStorage, type Count, type CountOutcome } from './redis-limit-storage';

const limitKey = 'tandem:limit';
/** Counts a handler by another limit than its operation names. */
export const CountedBy = (name: LimitName) => SetMetadata(limitKey, name);

/** Which limit counts a call; undefined where nothing is counted (the site, the document, health). */
export const limitOf = (context: ExecutionContext): LimitName | undefined =>
  (Reflect.getMetadata(limitKey, context.getHandler()) as LimitName | undefined) ?? operationOf(context)?.limit;

/** Counts calls, tells callers where they stand, and refuses whoever is over, or whose session has ended. */
@Injectable()
export class LimitGuard extends ThrottlerGuard {
  private readonly table: ReturnType<typeof limitTable>;

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly storage: RedisLimitStorage,
    reflector: Reflector,
    @Inject('CONFIG') config: GatewayConfig,
    private readonly lockOuts: LockOuts,
  ) {
    super(options, storage, reflector);
    this.table = limitTable(config);
  }

  protected override async handleRequest({ context, throttler }: ThrottlerRequest): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const counters = countersOf(throttler.name as LimitName, this.table, request, operationOf(context));
    const outcome = await this.count(request, counters);
    if (outcome === undefined) return true;
    if (outcome.sessionHasEnded) throw new AppError('session.expired');
    sendStanding(context.switchToHttp().getResponse<GatewayReply>(), outcome.counts);
    if (throttler.name === 'login' && outcome.counts.some(({ beginsBlock }) => beginsBlock)) this.lockOuts.tell(request);
    refuseIfOver(outcome.counts, throttler.name as LimitName);
    request.counted = counters;
    return true;
  }

  /** Without Redis nobody can be counted: reading goes on, everything that changes something waits. */
  private async count(request: GatewayRequest, counters: Parameters<RedisLimitStorage['count']>[0]): Promise<CountOutcome | undefined> {
    try {
      return await this.storage.count(counters, request.user?.sid);
    } catch (error) {
      if (isUnsafe(request.method)) throw error;
      return undefined;
    }
  }
}

/** The headers speak of the counter that is nearest to its limit. */
function sendStanding(reply: GatewayReply, counts: Count[]): void {
  const [nearest] = counts.toSorted((a, b) => a.counter.limit - a.hits - (b.counter.limit - b.hits));
  if (nearest === undefined) return;
  const { limit } = nearest.counter;
  reply.header('X-RateLimit-Limit', limit);
  reply.header('X-RateLimit-Remaining', Math.max(0, limit - nearest.hits));
  reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + nearest.remainingMs) / 1000));
  reply.header('X-RateLimit-Used', Math.min(limit, nearest.hits));
}

/** Spec part 1, section 5. */
function refuseIfOver(counts: Count[], name: LimitName): void {
  const over = counts.find(({ hits, counter }) => hits > counter.limit);
  if (over === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(over.remainingMs / 1000));
  if (name === 'login' && over.counter.blockSeconds > 0) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const detail = `Too many failed login attempts. Please try again in ${minutes} minutes.`;
    throw new AppError('login.blocked', { detail, retryAfterSeconds });
  }
  throw new AppError('limit.exceeded', { detail: `Rate limit exceeded. Please wait ${retryAfterSeconds} seconds.`, retryAfterSeconds });
}
