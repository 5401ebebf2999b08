import 'reflect-metadata';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppError } from '@tandem/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logRequests } from './access-log';
import { type Env, type ProcessName, type ServiceConfig } from './config';
import { countRequests, Drain, drainConnections } from './drain';
import { healthRoutes, type ReadinessCheck } from './health';
import { createLogger, NestLog, type Logger } from './log';
import { startMetrics } from './metrics';
import { ProblemFilter, sendProblem } from './problem';
import { requestIdOf } from './request';
import { rememberRoutes } from './routes';
import { takesItsTime } from './unhurried';

/** All that distinguishes one process from another; `startService` does the rest. */
export interface ServiceDefinition<C extends ServiceConfig = ServiceConfig> {
  name: ProcessName;
  /** Reads the environment; throws `ConfigError`. */
  config(env: Env): C;
  module(config: C): DynamicModule;
  /** Before Nest initializes: Fastify plugins, content-type parsers (`keepBodiesRaw`), microservice strategies. */
  prepare?(app: NestFastifyApplication, config: C): Promise<void>;
  /** What must answer before the process takes requests. */
  ready?(app: NestFastifyApplication, config: C): ReadinessCheck[];
  /** The longest body in bytes; 1 MiB unless said. */
  bodyLimitBytes?: number;
  /** Whose `X-Forwarded-*` headers count (Fastify's `trustProxy`): addresses and networks. Nobody's unless said. */
  trustProxy?(config: C): string[];
}

export interface RunningService {
  name: ProcessName;
  /** Where it listens, with the port it really got. */
  url: string;
  app: NestFastifyApplication;
  config: ServiceConfig;
  /** Drains, then closes everything; a second call waits for the first. */
  close(): Promise<void>;
}

const defaultBodyLimitBytes = 1_048_576;
// Clients of ours (undici: 4 s, balancers: 60 s) must be the ones that close an idle connection, or a request meets a closing socket.
const keepAliveTimeoutMs = 75_000;
const requestTimeoutMs = 30_000;
/** Long enough for every id, token and slug of ours. */
const longestParameter = 512;

/** What Node's parser refuses before there is a request: answered in our form, then closed. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && takesItsTime(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const lines: Record<string, string> = {
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  };
  const status = lines[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ ...new AppError('request.malformed').toProblem('none'), status: Number(status.slice(0, 3)) });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function createAdapter<C extends ServiceConfig>(definition: ServiceDefinition<C>, config: C, log: Logger): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: definition.bodyLimitBytes ?? defaultBodyLimitBytes,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: longestParameter },
    trustProxy: definition.trustProxy?.(config) ?? false,
    genReqId: (raw) => requestIdOf(config.CONTEXT_SECRET)(raw as IncomingMessage),
    requestIdHeader: false,
    // A percent sign that encodes nothing and the like: refused before there is a route, so no filter would see it.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      sendProblem(reply, error, request.id, log);
    },
    clientErrorHandler: refuseConnection,
  } as ConstructorParameters<typeof FastifyAdapter>[0]) as FastifyAdapter;
}

/** JSON alone, under its own name: no form a browser sends without asking (text/plain, urlencoded) is read. */
function readJsonOnly(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('text/plain');
}

/**
 * For whoever passes bodies on (the gateway) or checks a signature over them: `request.body` is the `Buffer` as it came,
 * for JSON unless other types are named. Call it in `prepare`. Whether it is JSON is then the owner's to find out.
 */
export function keepBodiesRaw(app: NestFastifyApplication, contentTypes: string[] = ['application/json']): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const type of contentTypes) {
    if (fastify.hasContentTypeParser(type)) fastify.removeContentTypeParser(type);
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
}

@Global()
@Module({})
class PlatformModule {}

/** The definition's module, and beside it what every process can have injected. */
const rootModule = (module: DynamicModule, drain: Drain): DynamicModule => ({
  module: PlatformModule,
  imports: [module],
  providers: [{ provide: Drain, useValue: drain }],
  exports: [Drain],
});

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

interface Assembled {
  app: NestFastifyApplication;
  fastify: FastifyInstance;
  drain: Drain;
  underWay: () => number;
}

async function assemble<C extends ServiceConfig>(definition: ServiceDefinition<C>, config: C, log: Logger): Promise<Assembled> {
  const drain = new Drain();
  const adapter = createAdapter(definition, config, log);
  const fastify = adapter.getInstance<FastifyInstance>();
  rememberRoutes(fastify);
  const underWay = countRequests(fastify, drain);
  logRequests(fastify, config, log);
  readJsonOnly(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(rootModule(definition.module(config), drain), adapter, {
    logger: new NestLog(log),
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalFilters(new ProblemFilter(log));
  healthRoutes(fastify, definition.ready?.(app, config) ?? [], drain);
  return { app, fastify, drain, underWay };
}

/**
 * Starts one process's work and resolves when it listens: Nest on Fastify, problems instead of exceptions, request ids,
 * an access log, health, metrics. Throws `ConfigError` (all problems at once) before anything is opened; when starting fails
 * later, what was opened is closed first. `close()` drains: no request under way is cut within SHUTDOWN_GRACE_MS.
 */
export async function startService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  env: Env = process.env,
): Promise<RunningService> {
  const config = definition.config(env);
  const log = createLogger(config.name, config.LOG_LEVEL);
  const metrics = config.METRICS_PORT === undefined ? undefined : await startMetrics(config.name, config.HOST, config.METRICS_PORT);
  let app: NestFastifyApplication | undefined;
  try {
    const { fastify, drain, underWay, ...assembled } = await assemble(definition, config, log);
    app = assembled.app;
    await definition.prepare?.(app, config);
    await app.listen(config.PORT, config.HOST);
    const url = addressOf(app.getHttpServer(), config.HOST);
    log.info({ url, run: config.RUN }, 'ready');
    const stop = async (): Promise<void> => {
      const { SHUTDOWN_NOTICE_MS: noticeMs, SHUTDOWN_GRACE_MS: graceMs } = config;
      await drainConnections(fastify, { drain, underWay, noticeMs, graceMs, log });
      await assembled.app.close();
      await metrics?.close();
      log.info('stopped');
    };
    let stopping: Promise<void> | undefined;
    return { name: config.name, url, app, config, close: () => (stopping ??= stop()) };
  } catch (error) {
    await app?.close();
    await metrics?.close();
    throw error;
  }
}
