import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import type { GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';

/** Finds out who is signed in. Refuses nobody: whether somebody must be signed in is the operation's word (`AllowGuard`). */
@Injectable()
export class SessionGuard extends AuthGuard() {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<Claims>(error: unknown, claims: Claims | false, info: unknown, context: ExecutionContext): Claims {
    if (error) throw error as Error;
    if (info instanceof jwt.TokenExpiredError) context.switchToHttp().getRequest<GatewayRequest>().accessTokenExpired = true;
    return (claims || undefined) as Claims;
  }
}
