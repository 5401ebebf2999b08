import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import serveStatic from '@fastify/static';
import { AppError } from '@tandem/contracts';
import { keepBodiesRaw } from '@tandem/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnsafe } from './auth/csrf';
import { isHttps, type GatewayConfig } from './config';
import { requireOneHost } from './host/one-host';
import type { HandlerOptions } from './routes/for-operation';

declare module 'fastify' {
  interface FastifyContextConfig extends HandlerOptions {
    compress?: boolean;
  }
}

/** Of bodies that are not read before their handler runs. No client's: where it is not asked for it is refused. */
const streamedType = 'application/x-tandem-stream';

const hstsSeconds = 365 * 24 * 3600;

/** Scripts and everything else from here only. Inline styles are allowed: the components set positions that way. */
function securityHeaders(https: boolean) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: hstsSeconds, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' as const },
    // Portal addresses carry the customer's e-mail: they are told to nobody else. ('no-referrer' would turn `Origin` into 'null'.)
    referrerPolicy: { policy: 'same-origin' as const },
    // On plain http these only make the browser's console complain.
    crossOriginOpenerPolicy: https ? { policy: 'same-origin' as const } : false,
    originAgentCluster: https,
  };
}

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? '');
const hasBody = (request: FastifyRequest) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** A stream's length must be said beforehand, and be within its limit: then nobody has to wait for its end to be refused. */
function refuseLength(request: FastifyRequest, reply: FastifyReply, limitBytes: number): void {
  const length = Number(request.headers['content-length'] ?? NaN);
  if (Number.isSafeInteger(length) && length <= limitBytes) return;
  // What is on its way stays unread.
  void reply.header('connection', 'close');
  if (Number.isSafeInteger(length)) throw new AppError('request.too_large');
  throw new AppError('request.malformed', { detail: 'Say how many bytes come (Content-Length)' });
}

/** Plugins and hooks of the gateway's HTTP side. None of them decides who may do what: that is the guards' part. */
export async function prepareHttp(app: NestFastifyApplication, config: GatewayConfig): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();

  fastify.addHook('onRoute', (route) => {
    // Fastify knows the body limit and compression as options of a route, Nest passes only `config` on.
    if (route.config?.bodyLimitBytes !== undefined) route.bodyLimit = route.config.bodyLimitBytes;
    route.compress = route.config?.compress === true ? {} : false;
  });
  // Before the body is read: what is not JSON, or too large, costs nothing.
  fastify.addHook('preParsing', async (request) => {
    if (!isUnsafe(request.method) || request.routeOptions.config.raw === true) return;
    const contentType = request.headers['content-type'];
    if ((hasBody(request) || contentType !== undefined) && !isJson(contentType)) throw new AppError('request.unsupported_media_type');
  });
  // What the sender calls a file is nobody's business from here on: this name only leads to the parser below.
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
  // Bodies stay bytes: their owner parses them. Only raw routes see another type than JSON.
  keepBodiesRaw(app, ['application/json', '*']);

  await app.register(helmet, securityHeaders(isHttps(config)));
  fastify.addHook('onRequest', async (request) => requireOneHost(request));
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
