import { AppError, type KnownApiToken } from '@tandem/contracts';
import { hashToken, isApiTokenValue } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayRequest } from '../request';
import { addressOf, type limitTable } from '../limits/limits';
import { assertUnderLimit } from '../limits/limit.guard';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { ApiTokenUses } from './api-token-uses';
import { KnownApiTokens } from './known-api-tokens';
import { allowsAddress } from './networks';

const bearer = /^Bearer(?: +|$)/i;

/** The value of `Authorization: Bearer …`; undefined if the request has no such header. */
export function bearerOf({ headers: { authorization } }: GatewayRequest): string | undefined {
  return authorization !== undefined && bearer.test(authorization) ? authorization.replace(bearer, '').trimEnd() : undefined;
}

const isPast = (time: string | null): boolean => time !== null && Date.parse(time) <= Date.now();

/** Authenticates requests by API token (docs/decisions/0033-api-tokens.md). */
@Injectable()
export class ApiTokenAuthentication {
  constructor(
    private readonly tokens: KnownApiTokens,
    private readonly uses: ApiTokenUses,
    private readonly limits: RedisLimitStorage,
    @Inject('LIMITS') private readonly table: ReturnType<typeof limitTable>,
  ) {}

  /** The token with this value. Throws unless the request may use it. Sets `presentedToken` even if it throws. */
  async authenticate(value: string, request: GatewayRequest): Promise<KnownApiToken> {
    // A typo costs no lookup.
    if (!isApiTokenValue(value)) throw new AppError('token.invalid');
    const hash = hashToken(value);
    const cached = this.tokens.cached(hash);
    const token = cached === undefined ? await this.lookUp(hash, request) : cached;
    if (token === null || isPast(token.valid_until)) throw new AppError('token.invalid');
    request.presentedToken = token;
    if (!token.is_active) throw new AppError('token.inactive');
    if (isPast(token.expires_at)) throw new AppError('token.expired');
    if (!allowsAddress(token, request.ip)) {
      this.uses.rejected(token, request);
      throw new AppError('token.network_refused');
    }
    this.uses.used(token, request.ip.slice(0, 64));
    return token;
  }

  /** Values that no token has are counted by client address, so that guessing does not reach identity more often than that. */
  private async lookUp(hash: string, request: GatewayRequest): Promise<KnownApiToken | null> {
    const counter = { ...this.table.rest_api.address!, of: 'address' as const, key: `token_lookup:address:${addressOf(request)}` };
    // Without Redis nothing is counted here; `LimitGuard` then rejects writes.
    const outcome = await this.limits.count([counter], undefined).catch(() => undefined);
    if (outcome !== undefined) assertUnderLimit(outcome.counts, 'rest_api');
    const token = await this.tokens.load(hash, request.id);
    if (token !== null && outcome !== undefined) await this.limits.refund(counter).catch(() => undefined);
    return token;
  }
}
