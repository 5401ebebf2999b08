import { AppError } from '@tandem/contracts';
import { identifyCaller } from '@tandem/platform';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiTokenAuthentication, bearerOf } from '../api-token/api-token-authentication';
import { contextOfToken, type GatewayReply, type GatewayRequest } from '../request';
import { operationOf, usesSession } from '../routes/for-operation';

/** Authenticates requests with a bearer token; their cookies are ignored, and they need no CSRF token, because no browser adds the header. */
@Injectable()
export class ApiTokenGuard implements CanActivate {
  constructor(private readonly authentication: ApiTokenAuthentication) {}

  /** Without a promise if there is no bearer token: Nest awaits promises only. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationOf(context);
    if (operation === undefined || !usesSession(operation)) return true;
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const value = bearerOf(request);
    return value === undefined || this.authenticate(value, request, context);
  }

  private async authenticate(value: string, request: GatewayRequest, context: ExecutionContext): Promise<boolean> {
    try {
      request.apiToken = await this.authentication.authenticate(value, request);
    } catch (error) {
      // RFC 6750, 3.
      if (error instanceof AppError && error.status === 401)
        context.switchToHttp().getResponse<GatewayReply>().header('www-authenticate', 'Bearer error="invalid_token"');
      throw error;
    } finally {
      // The log line and the trace contain the token's id even if the token is rejected.
      if (request.presentedToken) identifyCaller(request.raw, contextOfToken(request, request.presentedToken));
    }
    return true;
  }
}
