import { signOut } from '@tandem/contracts';
import { AccessChanges } from '@tandem/messaging';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import type { GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';
import type { SessionClaims } from './access-token';

/**
 * Reads the session, but rejects no request: `AllowGuard` decides whether the operation needs one. A token issued before a change of the
 * user's access counts as expired: the browser refreshes and gets a token with the current rights, or none.
 */
@Injectable()
export class SessionGuard extends AuthGuard() {
  constructor(
    options: AuthModuleOptions,
    private readonly changes: AccessChanges,
  ) {
    super(options);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    if (context.switchToHttp().getRequest<GatewayRequest>().apiToken !== undefined) return true;
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<Claims>(error: unknown, claims: Claims | false, info: unknown, context: ExecutionContext): Claims {
    if (error) throw error as Error;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    request.accessTokenExpired = info instanceof jwt.TokenExpiredError || this.isSuperseded(claims as SessionClaims | false, context);
    return (request.accessTokenExpired ? undefined : claims || undefined) as Claims;
  }

  /** A user whose access has changed may still sign out. */
  private isSuperseded(claims: SessionClaims | false, context: ExecutionContext): boolean {
    return claims !== false && operationOf(context) !== signOut && this.changes.isSuperseded(claims.sub, claims.ver);
  }
}
