import { AppError, type Operation } from '@tandem/contracts';
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
import type { GatewayReply, GatewayRequest } from '../request';
import { handlerMetadata, operationOf } from '../routes/for-operation';
import { OrganizationOfRequest } from '../host/organization-of-request';
import { countersOf, countersWithin, isSubmission, type limitTable, type LimitName } from './limits';
import type { Counter, Count, CountOutcome } from './counter';
import { LockOuts } from './lock-outs';
import { RedisLimitStorage, type VersionedData } from './redis-limit-storage';
import { RefusalDelays } from './refusal-delays';

const limitKey = 'tandem:limit';
/** Counts a handler against a limit other than the one its operation names. */
export const CountedBy = (name: LimitName) => SetMetadata(limitKey, name);

const countedBy = handlerMetadata<LimitName>(limitKey);

/** Which limit applies to a call; undefined if it is not rate-limited (site, API document, health checks). */
export const limitOf = (context: ExecutionContext): LimitName | undefined => countedBy(context) ?? operationOf(context)?.limit;

/** Counts calls, sends the rate-limit headers, and rejects callers that are over a limit or whose session has ended. */
@Injectable()
export class LimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly storage: RedisLimitStorage,
    reflector: Reflector,
    @Inject('LIMITS') private readonly table: ReturnType<typeof limitTable>,
    private readonly lockOuts: LockOuts,
    private readonly delays: RefusalDelays,
    private readonly organizations: OrganizationOfRequest,
  ) {
    super(options, storage, reflector);
  }

  /** Runs only the throttler of the call's limit. The base class would check for all of them whether they apply. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const name = limitOf(context);
    const throttler = this.throttlers.find((each) => each.name === name);
    return throttler === undefined || this.handleRequest({ context, throttler });
  }

  protected override async handleRequest({ context, throttler }: Pick<ThrottlerRequest, 'context' | 'throttler'>): Promise<boolean> {
    const name = throttler.name as LimitName;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const reply = context.switchToHttp().getResponse<GatewayReply>();
    const operation = operationOf(context);
    await this.take(name, request, reply, countersOf(name, this.table, request, operation), versionedData(operation, request));
    if (name !== 'widget' && !isSubmission(operation)) return true;
    // Resolve the organization only after the first check, to skip the lookup for callers that are already over their limit.
    const organization_id = await this.organizations.find(operation, request);
    if (organization_id !== null) await this.take(name, request, reply, countersWithin(organization_id, this.table, request, operation!));
    return true;
  }

  /** Counts the request and rejects it if a counter exceeds its limit; a rejected request is not counted anywhere. */
  private async take(
    name: LimitName,
    request: GatewayRequest,
    reply: GatewayReply,
    counters: Counter[],
    versioned?: VersionedData,
  ): Promise<void> {
    const outcome = await this.count(request, counters, versioned);
    if (outcome === undefined) return;
    if (outcome.dataVersion !== undefined) request.dataVersion = outcome.dataVersion;
    if (outcome.sessionHasEnded) throw new AppError('session.expired');
    sendLimitHeaders(reply, [...(request.counts ?? []), ...outcome.counts]);
    if (name === 'login' && outcome.counts.some(({ startsBlock }) => startsBlock)) this.lockOuts.report(request);
    try {
      assertUnderLimit(outcome.counts, name);
    } catch (refusal) {
      await this.storage.refundAll(request.consumed ?? []);
      await this.delays.wait(outcome.counts.at(-1)!.counter.key);
      throw refusal;
    }
    request.consumed = [...(request.consumed ?? []), ...counters];
    request.counts = [...(request.counts ?? []), ...outcome.counts];
  }

  /** Without Redis no request can be counted: reads continue, writes are rejected. */
  private async count(request: GatewayRequest, counters: Counter[], versioned?: VersionedData): Promise<CountOutcome | undefined> {
    try {
      return await this.storage.count(counters, request.user?.sid, versioned);
    } catch (error) {
      if (isUnsafe(request.method)) throw error;
      return undefined;
    }
  }
}

/** The data whose version shows whether the response of the operation has changed. */
function versionedData(operation: Operation | undefined, { user, apiToken }: GatewayRequest): VersionedData | undefined {
  const organization_id = apiToken?.organization_id ?? user?.org;
  return operation?.versioned && organization_id ? { owner: operation.owner, organization_id } : undefined;
}

/**
 * The headers describe the counter that is nearest to its limit: the X-RateLimit ones, and the standard ones of
 * draft-ietf-httpapi-ratelimit-headers-11. The policy has the name of the limit (`docs/product-rules.md#limits`).
 */
function sendLimitHeaders(reply: GatewayReply, counts: Count[]): void {
  const [nearest] = counts.toSorted((a, b) => a.counter.limit - a.hits - (b.counter.limit - b.hits));
  if (nearest === undefined) return;
  const { limit, windowSeconds, key } = nearest.counter;
  const remaining = Math.max(0, limit - nearest.hits);
  reply.header('X-RateLimit-Limit', limit);
  reply.header('X-RateLimit-Remaining', remaining);
  reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + nearest.remainingMs) / 1000));
  reply.header('X-RateLimit-Used', Math.min(limit, nearest.hits));
  const policy = `"${key.slice(0, key.indexOf(':'))}"`;
  reply.header('RateLimit-Policy', `${policy};q=${limit};w=${windowSeconds}`);
  reply.header('RateLimit', `${policy};r=${remaining};t=${Math.ceil(nearest.remainingMs / 1000)}`);
}

/** A blocked sign-in gives the wait in minutes, any other limit in seconds. */
export function assertUnderLimit(counts: Count[], name: LimitName): void {
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
