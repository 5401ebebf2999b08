import { AppError } from '@tandem/contracts';
import { identifyCaller } from '@tandem/platform';
import { Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiTokenAuthentication, bearerOf } from '../api-token/api-token-authentication';
import type { GatewayConfig } from '../config';
import { contextOfToken, hostOf, type GatewayReply, type GatewayRequest } from '../request';
import { handlerMetadata } from '../routes/for-operation';

const mcpKey = 'tandem:mcp';
/** Marks the MCP endpoint: it belongs to no operation, and only API tokens with the permission `mcp` may use it. */
export const ForAssistants = () => SetMetadata(mcpKey, true);
const isForAssistants = handlerMetadata<boolean>(mcpKey);

export const mcpPath = '/mcp';
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

/**
 * Authenticates requests to the MCP endpoint. Host and origin are checked first, as the protocol requires: a page of another site whose
 * name resolves to this server (DNS rebinding) must not reach it, even with a token.
 */
@Injectable()
export class McpGuard implements CanActivate {
  private readonly publicUrl: URL;

  constructor(
    private readonly authentication: ApiTokenAuthentication,
    @Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>,
  ) {
    this.publicUrl = new URL(config.PUBLIC_URL);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return isForAssistants(context) !== true || this.admit(context);
  }

  private async admit(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const reply = context.switchToHttp().getResponse<GatewayReply>();
    this.checkOrigin(request);
    request.apiToken = await this.authenticate(request, reply);
    if (!request.apiToken.permissions.includes('mcp'))
      throw new AppError('token.permission_missing', { detail: 'This needs the permission mcp.' });
    return true;
  }

  private checkOrigin(request: GatewayRequest): void {
    const { origin } = request.headers;
    if (hostOf(request) === this.publicUrl.host && (origin === undefined || origin === this.publicUrl.origin)) return;
    throw new AppError('mcp.origin_refused', { detail: `Connect to ${this.publicUrl.origin}${mcpPath}.` });
  }

  private async authenticate(request: GatewayRequest, reply: GatewayReply) {
    const value = bearerOf(request);
    // RFC 9728, 5.1.
    const challenge = `Bearer resource_metadata="${this.publicUrl.origin}${resourceMetadataPath}"`;
    try {
      if (value === undefined) throw new AppError('token.invalid', { detail: 'Send an API token in the Authorization header.' });
      return await this.authentication.authenticate(value, request);
    } catch (error) {
      if (error instanceof AppError && error.status === 401)
        reply.header('www-authenticate', value === undefined ? challenge : `${challenge}, error="invalid_token"`);
      throw error;
    } finally {
      // The log line and the trace contain the token's id even if the token is rejected.
      if (request.presentedToken) identifyCaller(request.raw, contextOfToken(request, request.presentedToken, 'mcp'));
    }
  }
}
