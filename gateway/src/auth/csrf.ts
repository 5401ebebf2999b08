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
 * Double-submit protection: the page reads the cookie and repeats its value in `X-CSRF-Token`. The value is an HMAC of the session id, so a
 * planted cookie or one of another session fails.
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
 * Rejects unsafe requests from other sites. Browsers send their origin (`Sec-Fetch-Site`, else `Origin`); a client that sends neither is
 * not a browser and has no cookies to abuse. If the operation uses a session, its CSRF token is checked too.
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
    if (!isUnsafe(request.method) || isRawRoute(context) || request.apiToken !== undefined) return true;
    if (!this.comesFromOurPages(request)) throw new AppError('csrf.failed');
    if (request.user !== undefined) this.csrf.check(request, request.user.sid);
    return true;
  }

  private comesFromOurPages(request: GatewayRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false; // 'null': a sandboxed frame or a cross-origin redirect.
    const { host } = new URL(origin);
    return host === hostOf(request) || host === this.publicHost;
  }
}
