import { trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceConfig } from './config';
import { AccessLog, type Logger } from './log';
import { observeRequest } from './metrics';
import { contextOf, nameTokenInSpan } from './request';

/** A path may contain a token and a query an email address, so log lines, spans and metrics use the route instead of the URL. */
const routeOf = (request: FastifyRequest): string => (request.is404 ? 'none' : (request.routeOptions.url ?? 'none'));

/** The routes that load balancers and scrapers call every few seconds. */
const isProbe = (route: string): boolean => route.startsWith('/health/');

/**
 * Writes one log line and one metric observation per request, sets `X-Request-Id` on each response, and names the span after the route. A
 * request that passes the gateway has its line there: the services log it at debug level.
 */
export function logRequests(fastify: FastifyInstance, config: ServiceConfig, log: Logger): void {
  const lines = new AccessLog(config.name, log);
  fastify.addHook('onClose', (_instance, done) => {
    lines.flush();
    done();
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    // Set here because guards run before interceptors, and the span of a rejected request needs its name too.
    trace
      .getActiveSpan()
      ?.updateName(`${request.method} ${routeOf(request)}`)
      .setAttribute('http.route', routeOf(request));
    const ctx = contextOf(request.raw, config.CONTEXT_SECRET);
    if (ctx) nameTokenInSpan(ctx);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    observeRequest({ process: config.name, method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const level = config.name === 'gateway' && !isProbe(route) ? 'info' : 'debug';
    if (log.isLevelEnabled(level)) {
      const { organization_id, actor } = contextOf(request.raw, config.CONTEXT_SECRET) ?? {};
      lines.add(level, {
        request_id: request.id,
        ...(organization_id ? { organization_id } : {}),
        ...(actor?.type === 'token' ? { token_id: actor.token_id } : {}),
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      });
    }
    done();
  });
}
