import { randomUUID } from 'node:crypto';
import {
  AppError,
  encodeList,
  problems,
  type CallOf,
  type Context,
  type Operation,
  type OutputOf,
  type Problem,
  type ProblemCode,
  type ServiceName,
} from '@tandem/contracts';
import { ContextSigner, injectTrace, Pool } from '@tandem/platform';
import type { Dispatcher } from 'undici';
import { accessChangesIn, type AccessChange } from './access-header';
import { Breaker } from './breaker';
import { versionPendingHeader } from './data-versions';
import { exchange, isOfConnection, type ForwardResponse } from './exchange';
import { FileStreams, type StreamRequest, type StreamResponse } from './streams';
import { inSpan } from '../spans';

export interface ServicesConfig {
  SERVICE_URLS: Partial<Record<ServiceName, string>>;
  CONTEXT_SECRET: readonly string[];
}

export interface ForwardRequest {
  /** Path with parameters and query: `/tickets?limit=20`. */
  path: string;
  /** The caller's headers that the owner should get. */
  headers: Record<string, string>;
  body?: Buffer;
  /** Replaces the default of ten seconds, for responses that are not worth a long wait. */
  timeoutMs?: number;
}

const connectTimeoutMs = 250;
const totalTimeoutMs = 10_000;
const healthTimeoutMs = 1_500;
/** Shorter than our servers keep an idle connection, so that the client closes it first. */
const keepAliveMs = 4_000;
/** The connection broke: the process was killed, or had closed the connection. It may have executed the request. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** The request was not sent. */
const notConnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

interface Route {
  pool: Pool;
  breaker: Breaker;
  /** The health request in flight, which concurrent checks share. */
  health?: Promise<Health>;
}

interface Health {
  status: number;
  /** Whether the service could verify our signed context; undefined if it did not say. */
  context: 'ok' | 'down' | undefined;
}

/**
 * The only client between our processes: keep-alive HTTP, with the caller's signed context and `traceparent` as headers.
 * A service that is down fails with 503 `service.unavailable` and `Retry-After` immediately (connecting may take 250 ms, and a
 * circuit breaker keeps the next callers from trying; a whole call 10 s). A request that was not sent, and a GET whose connection
 * broke, are sent again, once: behind a balancer another replica may get them.
 */
export class Services {
  readonly #routes = new Map<Operation['owner'], Route>();
  readonly #streams: FileStreams;
  readonly #signer: ContextSigner;

  /**
   * @param onAccessChange is called for each access change in a response, before the caller gets the response
   * @param onVersionPending is called, and awaited, for a response of a service that could not announce the organization's change itself
   */
  constructor(
    private readonly config: ServicesConfig,
    private readonly onAccessChange: (change: AccessChange) => void = () => undefined,
    private readonly onVersionPending: (owner: Operation['owner'], organization_id: string) => Promise<void> = async () => undefined,
  ) {
    this.#streams = new FileStreams(config.SERVICE_URLS, connectTimeoutMs);
    this.#signer = new ContextSigner(config.CONTEXT_SECRET[0]!);
    for (const [name, url] of Object.entries(config.SERVICE_URLS)) {
      const pool = new Pool(url, {
        connections: 64,
        connect: { timeout: connectTimeoutMs },
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
        headersTimeout: totalTimeoutMs,
        bodyTimeout: totalTimeoutMs,
      });
      this.#routes.set(name as ServiceName, { pool, breaker: new Breaker() });
    }
  }

  /** Calls an operation's owner; throws the owner's problem as an AppError. A repeat with the same key changes nothing again. */
  async call<Op extends Operation>(op: Op, ctx: Context, input: CallOf<Op>, idempotencyKey?: string): Promise<OutputOf<Op>> {
    const { params, query, body } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
    const request: ForwardRequest = { path: filledPath(op.path, params) + queryText(query), headers: {} };
    if (op.input.body && body !== undefined) {
      request.body = Buffer.from(JSON.stringify(body));
      request.headers['content-type'] = 'application/json';
    }
    if (idempotencyKey !== undefined) request.headers['idempotency-key'] = idempotencyKey;
    const response = await this.forward(op, ctx, request);
    if (response.status >= 400) throw problemOf(response);
    if (response.status === 204) return undefined as OutputOf<Op>;
    const { data, meta } = JSON.parse(response.body.toString('utf8')) as { data: unknown; meta: { pagination?: unknown } };
    return (op.paginated ? { items: data, pagination: meta.pagination } : data) as OutputOf<Op>;
  }

  /** Forwards a request to an operation's owner and returns its response, body unchanged; problems are returned like other responses. */
  forward(op: Operation, ctx: Context, request: ForwardRequest): Promise<ForwardResponse> {
    return inSpan(`call ${op.name}`, { 'tandem.operation': op.name, 'peer.service': op.owner }, async () => {
      const route = this.#routes.get(op.owner);
      if (!route) throw new Error(`There is no address for the service ${op.owner}`);
      if (!route.breaker.allows()) throw unavailable(op.owner);
      let response: ForwardResponse;
      try {
        response = await this.#send(route.pool, op, ctx, request);
        route.breaker.succeeded();
      } catch (error) {
        // A replica that is killed breaks all requests in flight at once. They say nothing about the others.
        if (!brokenConnection.has(codeOf(error))) route.breaker.failed();
        throw unavailable(op.owner, error);
      }
      if (isOfProxy(response)) throw unavailable(op.owner, new Error(`A proxy answered with ${response.status}`));
      accessChangesIn(response.headers).forEach(this.onAccessChange);
      await this.#announceVersion(op, ctx, response);
      return response;
    });
  }

  /** A read does not fail without Redis: it has changed nothing, and its response is current. The next response is marked again. */
  async #announceVersion(op: Operation, { organization_id }: Context, { headers }: ForwardResponse): Promise<void> {
    if (headers[versionPendingHeader] === undefined || organization_id === null) return;
    try {
      await this.onVersionPending(op.owner, organization_id);
    } catch (error) {
      if (op.method !== 'GET') throw unavailable(op.owner, error);
    }
  }

  /**
   * Like `forward`, for bodies that do not fit into memory: they are streamed with backpressure, over separate connections, so
   * that slow files never delay other calls. There is no timeout except for a stalled transfer: the caller limits the time with `signal`.
   */
  async stream(op: Operation, ctx: Context, request: StreamRequest): Promise<StreamResponse> {
    const breaker = this.#routes.get(op.owner)?.breaker;
    if (!breaker) throw new Error(`There is no address for the service ${op.owner}`);
    if (!breaker.allows()) throw unavailable(op.owner);
    try {
      const response = await this.#streams.send(op, this.#headers(ctx, request.headers), request);
      breaker.succeeded();
      return response;
    } catch (error) {
      // The client of the upload disconnected: that is not the owner's failure.
      if (error instanceof AppError) throw error;
      breaker.failed();
      throw unavailable(op.owner, error);
    }
  }

  /** Throws unless the service reports that it is ready (or degraded). Bypasses the breaker, which only remembers past calls. */
  async check(name: ServiceName): Promise<void> {
    const { status } = await this.#health(name);
    if (status !== 200) throw new Error(`${name} is not ready: ${status}`);
  }

  /**
   * Throws if services refuse our signed context and none accepts it: then CONTEXT_SECRET is wrong here, and not at one of them.
   * Services that do not respond do not count.
   */
  async checkContext(): Promise<void> {
    const healths = Object.keys(this.config.SERVICE_URLS).map((name) => this.#health(name as ServiceName));
    const accepted = healths.map(async (health) => {
      if ((await health).context !== 'ok') throw new Error('not accepted');
    });
    const isAccepted = await Promise.any(accepted).then(
      () => true,
      () => false,
    );
    if (isAccepted) return;
    const results = await Promise.allSettled(healths);
    const isRefused = results.some((result) => result.status === 'fulfilled' && result.value.context === 'down');
    if (isRefused) throw new Error('The services cannot verify our signed context: CONTEXT_SECRET differs');
  }

  /** Closes the connections once their calls are finished. Repeated calls are fine. */
  async close(): Promise<void> {
    await Promise.all([...this.#routes.values()].map(({ pool }) => this.#closePool(pool)));
    await this.#streams.close();
  }

  /** Nest calls this when an instance is a provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async #closePool(pool: Pool): Promise<void> {
    if (!pool.closed && !pool.destroyed) await pool.close();
  }

  #health(name: ServiceName): Promise<Health> {
    const route = this.#routes.get(name);
    if (!route) return Promise.reject(new Error(`There is no address for the service ${name}`));
    route.health ??= this.#readHealth(route.pool).finally(() => (route.health = undefined));
    return route.health;
  }

  async #readHealth(pool: Pool): Promise<Health> {
    const ctx: Context = { organization_id: null, actor: { type: 'system' }, request_id: randomUUID() };
    const headers = this.#signer.headers(ctx);
    const signal = AbortSignal.timeout(healthTimeoutMs);
    const { statusCode: status, body } = await pool.request({ method: 'GET', path: '/health/ready', headers, signal });
    return { status, context: contextCheckIn(await body.text()) };
  }

  async #send(pool: Pool, op: Operation, ctx: Context, request: ForwardRequest): Promise<ForwardResponse> {
    const options: Dispatcher.DispatchOptions = {
      method: op.method,
      path: request.path,
      headers: this.#headers(ctx, request.headers),
      body: request.body ?? null,
    };
    const until = performance.now() + (request.timeoutMs ?? totalTimeoutMs);
    try {
      return await exchange(pool, options, until);
    } catch (error) {
      const code = codeOf(error);
      if (notConnected.has(code) || (op.method === 'GET' && brokenConnection.has(code))) return exchange(pool, options, until);
      throw error;
    }
  }

  #headers(ctx: Context, given: Record<string, string>): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(given)) if (!isOfConnection(name.toLowerCase())) headers[name.toLowerCase()] = value;
    Object.assign(headers, this.#signer.headers(ctx));
    headers['x-request-id'] = ctx.request_id;
    const trace = injectTrace();
    if (trace !== undefined) headers['traceparent'] = trace;
    return headers;
  }
}

/** Our processes answer every request with JSON or with the content of a file, and their failures with a problem. */
const isOfProxy = ({ status, headers }: ForwardResponse): boolean =>
  status >= 502 && status <= 504 && !(headers['content-type'] ?? '').startsWith('application/problem+json');

/** The check of our context in a readiness response; undefined if the response is not JSON, as that of a proxy. */
function contextCheckIn(text: string): Health['context'] {
  try {
    return (JSON.parse(text) as { checks?: { context?: Health['context'] } }).checks?.context;
  } catch {
    return undefined;
  }
}

const unavailable = (owner: Operation['owner'], cause?: unknown) =>
  new AppError('service.unavailable', { retryAfterSeconds: 2, cause: new Error(`${owner} does not respond`, { cause }) });

/** `/tickets/:id` with its parameters; each is encoded. */
export function filledPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`The path ${path} needs ${name}`);
    return encodeURIComponent(`${value as string | number}`);
  });
}

function queryText(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) search.append(name, encodeList(value.map(String)));
    else if (value !== undefined && value !== null) search.append(name, `${value as string | number | boolean}`);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** The owner's problem as an AppError; a response that is not a problem (from a proxy in between) is `service.unavailable`. */
function problemOf(response: ForwardResponse): AppError {
  const retryAfter = Number(response.headers['retry-after']);
  const retryAfterSeconds = Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined;
  let problem: Partial<Problem>;
  try {
    problem = JSON.parse(response.body.toString('utf8')) as Partial<Problem>;
  } catch (cause) {
    return new AppError('service.unavailable', { retryAfterSeconds: retryAfterSeconds ?? 2, cause });
  }
  const known = typeof problem.code === 'string' && Object.hasOwn(problems, problem.code);
  // An owner of a newer release may send codes that this process does not know.
  const code: ProblemCode = known ? problem.code! : 'internal';
  return new AppError(code, {
    ...(known && problem.detail !== undefined ? { detail: problem.detail } : {}),
    ...(problem.errors ? { fields: problem.errors } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
