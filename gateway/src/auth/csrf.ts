import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@tandem/contracts';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { hostOf, type GatewayRequest } from '../request';
import { isRawRoute } from '../routes/for-operation';
import { AccessTokens } from './access-token';
import { SessionCookies } from './cookies';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
export const isUnsafe = (method: string) => !safeMethods.has(method);

const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * The double submit: the page reads the cookie and repeats it in `X-CSRF-Token`. The value is a keyed hash of the session's id, so a
 * cookie that somebody planted, or that belongs to another session, does not pass.
 */
@Injectable()
export class CsrfTokens {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
  ) {}

  for(session_id: string): string {
    return this.under(0, session_id);
  }

  private under(key: number, session_id: string): string {
    return createHmac('sha256', this.tokens.csrfKeys[key]!).update(session_id).digest('base64url');
  }

  /** Throws `csrf.failed` unless header, cookie and session agree. */
  check(request: GatewayRequest, session_id: string): void {
    const header = request.headers['x-csrf-token'];
    const cookie = this.cookies.read(request, 'csrf');
    const agree =
      typeof header === 'string' &&
      cookie !== undefined &&
      same(header, cookie) &&
      this.tokens.csrfKeys.some((_, key) => same(header, this.under(key, session_id)));
    if (!agree) throw new AppError('csrf.failed');
  }
}

/**
 * Unsafe calls come from our own pages or from no page at all. Browsers say where a request comes from (`Sec-Fetch-Site`, else `Origin`);
 * a caller that says neither is not a browser and has no cookies to abuse. Where a session counts, its token is checked too.
 */
@Injectable()
export class CsrfGuard implements CanActivate {
  private readonly publicHost: string;

  constructor(
    private readonly csrf: CsrfTokens,
    @Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>,
  ) {
    this.publicHost = new URL(config.PUBLIC_URL).host;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (!isUnsafe(request.method) || isRawRoute(context)) return true;
    if (!this.comesFromOurPages(request)) throw new AppError('csrf.failed');
    if (request.user !== undefined) this.csrf.check(request, request.user.sid);
    return true;
  }

  private comesFromOurPages(request: GatewayRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false; // 'null': a sandboxed frame, a redirect across origins.
    const { host } = new URL(origin);
    return host === hostOf(request) || host === this.publicHost;
  }
}
