import { signOut } from '@tandem/contracts';
import { AccessChanges } from '@tandem/messaging';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';
import { AccessTokens } from './access-token';
import { SessionCookies } from './cookies';

/**
 * Reads the session from its cookie, never from a query or a header. Rejects no request: `AllowGuard` decides whether the operation needs a
 * session. A token issued before a change of the user's access counts as expired: the browser refreshes and gets a token with the current
 * rights, or none.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly changes: AccessChanges,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (request.apiToken !== undefined) return true;
    const claims = this.tokens.verify(this.cookies.read(request, 'access'));
    if (claims === undefined) return true;
    // A user whose access has changed may still sign out.
    const isExpired = claims === 'expired' || (operation !== signOut && this.changes.isSuperseded(claims.sub, claims.ver));
    if (isExpired) request.accessTokenExpired = true;
    else request.user = claims;
    return true;
  }
}
