import compress from '@fastify/compress';
import serveStatic from '@fastify/static';
import { AppError } from '@tandem/contracts';
import { keepBodiesRaw } from '@tandem/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnsafe } from './auth/csrf';
import { isHttps, type GatewayConfig } from './config';
import { ApiTokenRequestLog } from './api-token/api-token-request-log';
import { logTokenRequests } from './api-token/log-token-requests';
import { rejectTokenInUrl } from './auth/token-in-url';
import { requireOneHost } from './host/one-host';
import type { HandlerOptions } from './routes/for-operation';

declare module 'fastify' {
  interface FastifyContextConfig extends HandlerOptions {
    compress?: boolean;
  }
}

/** The content type given to bodies that are streamed to their handler. Rejected on all other routes, so clients cannot use it. */
const streamedType = 'application/x-tandem-stream';

const hstsSeconds = 365 * 24 * 3600;

/** The security headers of every response. Scripts and all other resources come from our own host only; components set inline styles. */
const securityHeaders = (https: boolean): [name: string, value: string][] => [
  [
    'content-security-policy',
    [
      "default-src 'self'",
      "script-src 'self'",
      "script-src-attr 'none'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...(https ? ['upgrade-insecure-requests'] : []),
    ].join(';'),
  ],
  ['cross-origin-resource-policy', 'same-origin'],
  // Portal URLs contain the customer's address and must not leak to other sites. ('no-referrer' would turn `Origin` into 'null'.)
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['x-dns-prefetch-control', 'off'],
  ['x-download-options', 'noopen'],
  ['x-frame-options', 'DENY'],
  ['x-permitted-cross-domain-policies', 'none'],
  // Turns off a filter of old browsers, because attackers could use the filter itself.
  ['x-xss-protection', '0'],
  // Over plain HTTP the last three only cause browser console warnings.
  ...(https
    ? [
        ['strict-transport-security', `max-age=${hstsSeconds}; includeSubDomains`] as [string, string],
        ['cross-origin-opener-policy', 'same-origin'] as [string, string],
        ['origin-agent-cluster', '?1'] as [string, string],
      ]
    : []),
];

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? '');
const hasBody = (request: FastifyRequest) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Streams need a Content-Length within the limit, so that an upload that is too large is rejected before it is sent. */
function refuseLength(request: FastifyRequest, reply: FastifyReply, limitBytes: number): void {
  const length = Number(request.headers['content-length'] ?? NaN);
  if (Number.isSafeInteger(length) && length <= limitBytes) return;
  // The rest of the body is not read, so the connection cannot be reused.
  void reply.header('connection', 'close');
  if (Number.isSafeInteger(length)) throw new AppError('request.too_large');
  throw new AppError('request.malformed', { detail: 'The Content-Length header is required' });
}

/** Plugins and hooks of the HTTP server. None of them checks permissions: the guards do. */
export async function prepareHttp(app: NestFastifyApplication, config: GatewayConfig): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();

  fastify.addHook('onRoute', (route) => {
    // Fastify reads the body limit and compression from route options, but Nest only sets `config`.
    if (route.config?.bodyLimitBytes !== undefined) route.bodyLimit = route.config.bodyLimitBytes;
    route.compress = route.config?.compress === true ? {} : false;
  });
  // Before the body is read, so that rejecting other content types costs nothing.
  fastify.addHook('preParsing', async (request) => {
    if (!isUnsafe(request.method) || request.routeOptions.config.raw === true) return;
    const contentType = request.headers['content-type'];
    if ((hasBody(request) || contentType !== undefined) && !isJson(contentType)) throw new AppError('request.unsupported_media_type');
  });
  // Replace the client's content type, which only selects a parser here: this one selects the stream parser below.
  fastify.addHook('preParsing', async (request, reply) => {
    const { stream, bodyLimitBytes } = request.routeOptions.config;
    if (stream !== true) return;
    request.headers['content-type'] = streamedType;
    refuseLength(request, reply, bodyLimitBytes ?? 0);
  });
  fastify.addContentTypeParser(streamedType, (request, payload, done) => {
    if (request.routeOptions.config.stream === true) done(null, payload);
    else done(new AppError('request.unsupported_media_type'), undefined);
  });
  // Bodies stay buffers: the services parse them. Only raw routes accept types other than JSON.
  keepBodiesRaw(app, ['application/json', '*']);

  const headers = securityHeaders(isHttps(config));
  fastify.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    requireOneHost(request);
    rejectTokenInUrl(request);
    done();
  });
  logTokenRequests(fastify, app.get(ApiTokenRequestLog));
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] });
  if (config.WEB_ROOT !== undefined) {
    await app.register(serveStatic, {
      root: config.WEB_ROOT,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      index: false,
    });
  }
}
