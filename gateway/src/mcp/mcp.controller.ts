import { AppError, tokenPermissionNames } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { All, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { jsonOf } from '../auth/body';
import type { GatewayConfig } from '../config';
import { CountedBy } from '../limits/limit.guard';
import { contextOfToken, type GatewayReply, type GatewayRequest } from '../request';
import type { McpSession } from './mcp-server';
import { ForAssistants, mcpPath, resourceMetadataPath } from './mcp.guard';
import type { ToolContext } from './tool';
import { untrustedTag } from './untrusted';

/** The tools of the help desk for AI assistants (docs/mcp.md). Stateless: every request is complete, so any replica can answer it. */
@Controller()
export class McpController {
  private readonly publicOrigin: string;

  constructor(
    private readonly services: Services,
    @Inject('LOG') private readonly log: Logger,
    @Inject('CONFIG') config: Pick<GatewayConfig, 'PUBLIC_URL'>,
  ) {
    this.publicOrigin = new URL(config.PUBLIC_URL).origin;
  }

  @All(mcpPath)
  @ForAssistants()
  @CountedBy('rest_api')
  async answer(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (request.method !== 'POST') {
      // GET and DELETE belong to sessions, which a stateless server does not have.
      reply.header('allow', 'POST');
      throw new AppError('method.not_allowed');
    }
    const message = messageIn(request);
    const session = this.sessionOf(request);
    const { createMcpHandler, mcpServer, toWebRequest } = await loadMcp();
    const handler = createMcpHandler(() => mcpServer(session), {
      // Tools never change during a request, so there is nothing to subscribe to.
      maxSubscriptions: 0,
      onerror: (err) => this.log.debug({ err }, 'An MCP request was rejected'),
    });
    const answer = await handler.fetch(await toWebRequest(request.raw, message), { parsedBody: message });
    await reply
      .status(answer.status)
      .headers({ ...Object.fromEntries(answer.headers), 'cache-control': 'private, no-store' })
      .send(Buffer.from(await answer.arrayBuffer()));
  }

  /** RFC 9728. It names no authorization server: admins create API tokens in the settings. */
  @Get(resourceMetadataPath)
  async describeResource(@Res() reply: GatewayReply): Promise<void> {
    await reply.header('cache-control', 'public, max-age=3600').send({
      resource: `${this.publicOrigin}${mcpPath}`,
      resource_name: 'Tandem',
      bearer_methods_supported: ['header'],
      scopes_supported: tokenPermissionNames,
      resource_documentation: `${this.publicOrigin}/api/docs`,
    });
  }

  private sessionOf(request: GatewayRequest): McpSession {
    const token = request.apiToken!;
    const ctx = contextOfToken(request, token, 'mcp');
    const context: ToolContext = {
      call: (operation, input, idempotencyKey) => this.services.call(operation, ctx, input, idempotencyKey),
      untrusted: untrustedTag(),
      linkTo: (path) => `${this.publicOrigin}${path}`,
    };
    return {
      token,
      context,
      log: this.log,
      onCall: (tool) => (request.mcpTool = tool),
      onProblem: ({ code }) => (request.problemCode = code),
    };
  }
}

/** Loaded with the first call, because it takes a fifth of the CPU time until the gateway is ready. */
async function loadMcp() {
  const [{ createMcpHandler }, { toWebRequest }, { mcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
    import('./mcp-server'),
  ]);
  return { createMcpHandler, mcpServer, toWebRequest };
}

/** Only one message: each counts against the token's limit, and the protocol has no batches since 2025-06-18. */
function messageIn(request: GatewayRequest): unknown {
  const message = jsonOf(request);
  if (Array.isArray(message)) throw new AppError('request.malformed', { detail: 'Send one JSON-RPC message per request' });
  return message;
}
