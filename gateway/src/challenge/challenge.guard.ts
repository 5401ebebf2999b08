import { AppError, type Operation } from '@tandem/contracts';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { OrganizationOfRequest } from '../host/organization-of-request';
import { isSubmission, membersIn, type Counter } from '../limits/limits';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { bytesOf, type GatewayRequest } from '../request';
import { operationOf } from '../routes/for-operation';
import { Challenges } from './challenges';

export const challengeHeader = 'x-tandem-challenge';

const minuteMs = 60_000;
const minutes = 10;

/**
 * Asks for a proof of work under abuse, and only then: when an organization gets more submissions than it ever should, when a client that
 * has sent much already comes to one that is busy, or when a field is filled in that people do not see. A person whose browser filled that
 * field in by itself waits a second or two, and nothing is lost.
 */
@Injectable()
export class ChallengeGuard implements CanActivate {
  constructor(
    @Inject('CONFIG') private readonly config: Pick<GatewayConfig, 'CHALLENGE_ABOVE_PER_10_MINUTES'>,
    private readonly organizations: OrganizationOfRequest,
    private readonly storage: RedisLimitStorage,
    private readonly challenges: Challenges,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationOf(context);
    if (operation === undefined || !isSubmission(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const recent = await this.countRecent(operation, request);
    if (!this.isSuspicious(request, recent)) return true;
    const proof = request.headers[challengeHeader];
    if (typeof proof === 'string' && (await this.challenges.accept(proof))) return true;
    // Who is asked first has submitted nothing yet.
    await this.storage.giveBackAll(request.counted ?? []);
    throw new AppError('challenge.required');
  }

  /** The organization's submissions of the last ten minutes with this one, by the minute, on all replicas and through all doors. */
  private async countRecent(operation: Operation, request: GatewayRequest): Promise<number> {
    const organization_id = await this.organizations.find(operation, request);
    const now = Math.floor(Date.now() / minuteMs);
    const keyOf = (minute: number) => `submissions:${organization_id}:${minute}`;
    const windowSeconds = ((minutes + 1) * minuteMs) / 1000;
    const counter: Counter = { key: keyOf(now), of: 'organization', limit: Number.MAX_SAFE_INTEGER, windowSeconds, blockSeconds: 0 };
    const earlier = Array.from({ length: minutes - 1 }, (_, i) => keyOf(now - 1 - i));
    const [{ counts }, before] = await Promise.all([this.storage.count([counter], undefined), this.storage.sum(earlier)]);
    request.counted = [...(request.counted ?? []), counter];
    return counts[0]!.hits + before;
  }

  private isSuspicious(request: GatewayRequest, recent: number): boolean {
    const { website } = membersIn(bytesOf(request));
    if (typeof website === 'string' && website.trim() !== '') return true;
    const most = this.config.CHALLENGE_ABOVE_PER_10_MINUTES;
    if (recent > most) return true;
    const own = request.counts?.find(({ counter }) => counter.of === 'address' && counter.key.startsWith('ticket_submission:'));
    return own !== undefined && own.hits > own.counter.limit / 2 && recent > most / 3;
  }
}
