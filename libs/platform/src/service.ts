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
import { healthRoutes, readiness, type Readiness, type ReadinessCheck } from './health';
import { createLogger, NestLog, type Logger } from './log';
import { startMetrics } from './metrics';
import { watchProcess } from './process-metrics';
import { ProblemFilter, sendProblem } from './problem';
import { requestIdOf } from './request';
import { rememberRoutes } from './routes';
import { isExemptFromTimeout } from './slow-requests';

/** The parts in which processes differ; `startService` does the rest. */
export interface ServiceDefinition<C extends ServiceConfig = ServiceConfig> {
  name: ProcessName;
  /** Reads the environment; throws `ConfigError`. */
  config(env: Env): C;
  module(config: C): DynamicModule;
  /** Before Nest initializes: Fastify plugins, content-type parsers (`keepBodiesRaw`), microservice strategies. */
  prepare?(app: NestFastifyApplication, config: C): Promise<void>;
  /** Starts the work that can wait until the process is ready: running jobs. Called after `prepare` and initialization, or never. */
  startJobs?(app: NestFastifyApplication): void;
  /** Checks that must pass before the process gets requests. */
  ready?(app: NestFastifyApplication, config: C): ReadinessCheck[];
  /** Maximum body size in bytes; default 1 MiB. */
  bodyLimitBytes?: number;
  /** Proxies whose `X-Forwarded-*` headers are trusted (Fastify's `trustProxy`): addresses and networks. Default: none. */
  trustProxy?(config: C): string[];
}

export interface RunningService {
  name: ProcessName;
  /** The base URL, with the actual port. */
  url: string;
  app: NestFastifyApplication;
  config: ServiceConfig;
  /** Starts to run jobs, once. */
  startJobs(): void;
  /** Drains, then closes everything; repeated calls wait for the first. */
  close(): Promise<void>;
}

const defaultBodyLimitBytes = 1_048_576;
// Longer than the clients' limits (undici: 4 s, load balancers: 60 s), so that a client never sends a request on a connection being closed.
const keepAliveTimeoutMs = 75_000;
const requestTimeoutMs = 30_000;
/** Longer than all of our ids, tokens and slugs. */
const longestParameter = 512;

/** Responds with a problem to requests that Node's parser rejects, then closes the connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExemptFromTimeout(socket)) return;
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
    // Errors before routing, such as an invalid percent-encoding, do not reach a filter.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      sendProblem(reply, error, request.id, log);
    },
    clientErrorHandler: refuseConnection,
  } as ConstructorParameters<typeof FastifyAdapter>[0]) as FastifyAdapter;
}

/** Accept only JSON, with its own media type: a cross-site form (text/plain, urlencoded) needs no CORS preflight and must not be parsed. */
function readJsonOnly(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('text/plain');
}

/**
 * For processes that forward bodies (the gateway) or verify a signature over them: `request.body` is the unparsed `Buffer`,
 * for JSON unless other types are given. Call it in `prepare`. The owner of the operation then has to check that it is JSON.
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

/** The definition's module, plus the providers that every process has. */
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
  ready: () => Promise<Readiness>;
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
  const ready = readiness(definition.ready?.(app, config) ?? [], drain);
  healthRoutes(fastify, ready, config.CONTEXT_SECRET);
  return { app, fastify, drain, underWay, ready };
}

/**
 * Starts one process and resolves when it listens, but runs no jobs yet: Nest on Fastify, problems instead of exceptions, request ids,
 * an access log, health, metrics. Throws `ConfigError` (all problems at once) before anything is opened; if starting fails
 * later, everything opened is closed first. `close()` drains: no running request is aborted within SHUTDOWN_GRACE_MS.
 */
export async function startService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  env: Env = process.env,
): Promise<RunningService> {
  const config = definition.config(env);
  const log = createLogger(config.name, config.LOG_LEVEL);
  const metrics = config.METRICS_PORT === undefined ? undefined : await startMetrics(config.name, config.HOST, config.METRICS_PORT);
  let app: NestFastifyApplication | undefined;
  let unwatch: (() => void) | undefined;
  try {
    const { fastify, drain, underWay, ready, ...assembled } = await assemble(definition, config, log);
    app = assembled.app;
    if (metrics) unwatch = watchProcess(config.name, ready);
    await definition.prepare?.(app, config);
    await app.listen(config.PORT, config.HOST);
    const url = addressOf(app.getHttpServer(), config.HOST);
    log.info({ url, run: config.RUN }, 'Ready');
    const stop = async (): Promise<void> => {
      const { SHUTDOWN_NOTICE_MS: noticeMs, SHUTDOWN_GRACE_MS: graceMs } = config;
      await drainConnections(fastify, { drain, underWay, noticeMs, graceMs, log });
      unwatch?.();
      await assembled.app.close();
      await metrics?.close();
      log.info('Stopped');
    };
    let stopping: Promise<void> | undefined;
    const startJobs = () => definition.startJobs?.(assembled.app);
    return { name: config.name, url, app, config, startJobs, close: () => (stopping ??= stop()) };
  } catch (error) {
    unwatch?.();
    await app?.close();
    await metrics?.close();
    throw error;
  }
}
