import { AppError } from '@tandem/contracts';
import { assertAllowed } from '@tandem/messaging';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { contextOfCaller, type GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';

/**
 * Rejects early what the service would reject anyway, which saves a call to it and one to Redis. This is an optimization, not the security
 * check: the service checks `allow` itself, from the signed context.
 */
@Injectable()
export class AllowGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const ctx = contextOfCaller(request);
    if (ctx === undefined && request.accessTokenExpired) throw new AppError('session.expired');
    if (ctx === undefined) throw new AppError(operation.allow === 'operator' ? 'route.not_found' : 'session.required');
    // Before the permission check, which would fail with a less specific error: such a session has no role (`contextOfSession`).
    if (request.user?.enrol && operation.allow === 'operator') throw new AppError('route.not_found');
    if (request.user?.enrol && operation.allow !== 'signed-in') throw new AppError('mfa.enrolment_required');
    assertAllowed(operation, ctx);
    return true;
  }
}
