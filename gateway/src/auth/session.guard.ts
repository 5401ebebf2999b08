import { signOut } from '@tandem/contracts';
import { AccessChanges } from '@tandem/messaging';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import type { GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';
import { AccessTokens, type SessionClaims } from './access-token';
import { SessionCookies } from './cookies';

/**
 * Reads the session, but rejects no request: `AllowGuard` decides whether the operation needs one. Passport verifies each token once. A
 * token issued before a change to the user's access counts as expired: the browser refreshes and gets a token with the current rights, or
 * none.
 */
@Injectable()
export class SessionGuard extends AuthGuard() {
  constructor(
    options: AuthModuleOptions,
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly changes: AccessChanges,
  ) {
    super(options);
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (request.apiToken !== undefined) return true;
    const known = this.tokens.findVerified(this.cookies.read(request, 'access'));
    if (known === undefined) return super.canActivate(context) as Promise<boolean>;
    request.user = this.currentOnly(known, context);
    return true;
  }

  /** Called by passport with the claims of a valid token, or with the reason why there are none. */
  override handleRequest<Claims>(error: unknown, claims: Claims | false, info: unknown, context: ExecutionContext): Claims {
    if (error) throw error as Error;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (claims === false) {
      request.accessTokenExpired = info instanceof jwt.TokenExpiredError;
      return undefined as Claims;
    }
    const verified = claims as SessionClaims;
    this.tokens.addVerified(this.cookies.read(request, 'access')!, verified);
    return this.currentOnly(verified, context) as Claims;
  }

  /** The claims, unless the user's access has changed since. Such a user may still sign out. */
  private currentOnly(claims: SessionClaims, context: ExecutionContext): SessionClaims | undefined {
    const isSuperseded = operationOf(context) !== signOut && this.changes.isSuperseded(claims.sub, claims.ver);
    if (isSuperseded) context.switchToHttp().getRequest<GatewayRequest>().accessTokenExpired = true;
    return isSuperseded ? undefined : claims;
  }
}
