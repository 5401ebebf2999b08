import { AppError } from '@tandem/contracts';
import { assertAllowed } from '@tandem/messaging';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { contextOfSession, type GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';

/**
 * Refuses early what the owner would refuse anyway: it saves the hop and the limiter's trip. The owner checks `allow` itself, from the
 * signed context; this guard is a courtesy, not the lock.
 */
@Injectable()
export class AllowGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    if (request.user === undefined) throw new AppError(request.accessTokenExpired ? 'session.expired' : 'session.required');
    // Said before the role is asked, which such a session does not have (`contextOfSession`).
    if (request.user.enrol && operation.allow !== 'signed-in') throw new AppError('mfa.enrolment_required');
    assertAllowed(operation.allow, contextOfSession(request, request.user));
    return true;
  }
}
