import { signOut } from '@tandem/contracts';
import { AccessChanges } from '@tandem/messaging';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import type { GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';
import type { SessionClaims } from './access-token';

/**
 * Finds out who is signed in. Refuses nobody: whether somebody must be signed in is the operation's word (`AllowGuard`). A token from
 * before a change of the person's access is as good as an expired one: the browser refreshes, and gets what holds now or nothing.
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
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<Claims>(error: unknown, claims: Claims | false, info: unknown, context: ExecutionContext): Claims {
    if (error) throw error as Error;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    request.accessTokenExpired = info instanceof jwt.TokenExpiredError || this.isSuperseded(claims as SessionClaims | false, context);
    return (request.accessTokenExpired ? undefined : claims || undefined) as Claims;
  }

  /** Whose access has changed may still leave. */
  private isSuperseded(claims: SessionClaims | false, context: ExecutionContext): boolean {
    return claims !== false && operationOf(context) !== signOut && this.changes.isSuperseded(claims.sub, claims.ver);
  }
}
