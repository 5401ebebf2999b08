import { AppError, limits, type Operation } from '@tandem/contracts';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { OrganizationOfRequest } from '../host/organization-of-request';
import { isSubmission, membersIn } from '../limits/limits';
import type { Counter } from '../limits/counter';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { bytesOf, type GatewayRequest } from '../request';
import { operationOf } from '../routes/for-operation';
import { Challenges } from './challenges';

export const challengeHeader = 'x-tandem-challenge';

const minuteMs = 60_000;
const minutes = 10;

/**
 * Requires a proof of work only when abuse is likely: when an organization gets more submissions than `CHALLENGE_ABOVE_PER_10_MINUTES`,
 * when a client has used half of its hourly limit while the organization is at a third of that number, or when the hidden honeypot field is
 * filled in. If a browser's autofill fills that field, the person waits a second or two and loses nothing.
 */
@Injectable()
export class ChallengeGuard implements CanActivate {
  constructor(
    @Inject('CONFIG') private readonly config: Pick<GatewayConfig, 'CHALLENGE_ABOVE_PER_10_MINUTES'>,
    private readonly organizations: OrganizationOfRequest,
    private readonly storage: RedisLimitStorage,
    private readonly challenges: Challenges,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationOf(context);
    return operation === undefined || !isSubmission(operation) || this.admit(operation, context);
  }

  private async admit(operation: Operation, context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const recent = await this.countRecent(operation, request);
    if (!this.isSuspicious(request, recent)) return true;
    const proof = request.headers[challengeHeader];
    if (typeof proof === 'string' && (await this.challenges.accept(proof))) return true;
    // A request that still has to solve a challenge has submitted nothing: refund it.
    await this.storage.refundAll(request.consumed ?? []);
    throw new AppError('challenge.required');
  }

  /**
   * Counts this submission and returns the organization's total of the last ten minutes, across all replicas and from both the page and the
   * widget. The counters are per minute.
   */
  private async countRecent(operation: Operation, request: GatewayRequest): Promise<number> {
    const organization_id = await this.organizations.find(operation, request);
    const now = Math.floor(Date.now() / minuteMs);
    const keyOf = (minute: number) => `submissions:${organization_id}:${minute}`;
    const windowSeconds = ((minutes + 1) * minuteMs) / 1000;
    const rule = { limit: Number.MAX_SAFE_INTEGER, windowSeconds, blockSeconds: 0, refundOn: limits.ticket_submission.refundOn };
    const counter: Counter = { key: keyOf(now), of: 'organization', ...rule };
    const earlier = Array.from({ length: minutes - 1 }, (_, i) => keyOf(now - 1 - i));
    const [{ counts }, before] = await Promise.all([this.storage.count([counter], undefined), this.storage.sum(earlier)]);
    request.consumed = [...(request.consumed ?? []), counter];
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
