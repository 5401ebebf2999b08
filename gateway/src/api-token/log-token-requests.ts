import type { Problem } from '@tandem/contracts';
import type { FastifyInstance } from 'fastify';
import { apiBase } from '../routes/for-operation';
import type { GatewayRequest } from '../request';
import type { ApiTokenRequestLog } from './api-token-request-log';

/** The code of a problem; null if the payload is none, such as the body of a stream. */
function codeIn(payload: unknown): string | null {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
  try {
    return (JSON.parse(payload.toString()) as Partial<Problem>).code ?? null;
  } catch {
    return null;
  }
}

/** The path template below the API's base path, or `/mcp` with the tool. */
function loggedPath({ routeOptions: { url = '' }, mcpTool }: GatewayRequest): string {
  const path = url.startsWith(`${apiBase}/`) ? url.slice(apiBase.length) : url;
  return mcpTool === undefined ? path : `${path} ${mcpTool}`;
}

/** Adds each request with an API token to that token's log, rejected ones included. Neither URL nor body is stored. */
export function logTokenRequests(fastify: FastifyInstance, log: ApiTokenRequestLog): void {
  fastify.addHook('onSend', (request: GatewayRequest, reply, payload, done) => {
    if (request.presentedToken !== undefined && reply.statusCode >= 400) request.problemCode = codeIn(payload);
    done();
  });
  fastify.addHook('onResponse', (request: GatewayRequest, reply, done) => {
    const token = request.presentedToken;
    if (token !== undefined) {
      const duration_ms = Math.round(reply.elapsedTime * 10) / 10;
      log.add(token, {
        request_id: request.id,
        at: new Date(Date.now() - reply.elapsedTime).toISOString(),
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        code: request.problemCode ?? null,
        duration_ms,
      });
    }
    done();
  });
}
