import { TandemError, type FieldError } from './errors';
import { readEventStream } from './event-stream';
import type { Pagination, WebhookEvent } from './generated/types';
import { PageList } from './page-list';
import { version } from './version';

export interface TandemOptions {
  /** An API token: `tnd_live_…`. It belongs on servers: every visitor of a website can read the website's code. */
  token: string;
  /** Where Tandem runs: `https://acme.tandem.example`. */
  baseUrl: string;
  /** How often a request is repeated; default: 2. */
  maxRetries?: number;
  /** Time limit of each attempt, in milliseconds; default: 30,000. */
  timeout?: number;
  /** Added to the user agent: the name of your program. */
  userAgent?: string;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Overrides the client's. */
  timeout?: number;
  maxRetries?: number;
}
export interface CreateOptions extends RequestOptions {
  /** The same key and input return the first response for 24 hours. Default: a random one, so that a retry never creates twice. */
  idempotencyKey?: string;
}
export interface UpdateOptions extends CreateOptions {
  /** Fails with 412 if this is no longer the version: an object that this client returned, or its entity tag. */
  ifMatch?: object | string;
}
export interface StreamOptions {
  signal?: AbortSignal;
  /** Called when the connection is interrupted; the stream continues where it was after `delayMs`. */
  onInterruption?: (error: TandemError, delayMs: number) => void;
}
/** An event, and the value for `after` to continue from it. */
export interface StreamedChange {
  event: WebhookEvent;
  position: string | undefined;
}

export interface Call {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  query?: object;
  body?: unknown;
  /** Whether the API accepts an `Idempotency-Key`. */
  idempotent?: boolean;
}
type AnyOptions = RequestOptions & { idempotencyKey?: string; ifMatch?: object | string };
interface Envelope {
  data: unknown;
  meta?: { pagination?: Pagination };
}

/** A longer `Retry-After` is the caller's to wait for. */
const maxRetryAfterMs = 60_000;
const firstDelayMs = 500;
const maxReconnectMs = 30_000;
/** The server sends a heartbeat every 15 seconds. */
const streamSilenceMs = 60_000;

const wait = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });

/** Half of the delay is random, so that clients that failed together do not retry together. */
const jittered = (ms: number) => ms * (0.5 + Math.random() / 2);
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends requests: credentials, retries, timeouts, and failures as `TandemError`. */
export class Transport {
  /** The API's address. */
  readonly url: string;
  private readonly options: TandemOptions;
  private readonly etags = new WeakMap<object, string>();

  constructor(options: TandemOptions) {
    if (typeof options?.token !== 'string' || options.token === '')
      throw new TypeError('new Tandem needs a token: create one in the settings, API');
    if (!/^[\x21-\x7e]+$/.test(options.token))
      throw new TypeError('The token contains a space or another character that is not allowed in tokens');
    const base = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
    if (!base || !/^https?:$/.test(base.protocol))
      throw new TypeError('new Tandem needs baseUrl: the address of your Tandem, with https://');
    this.url = `${base.origin}${base.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
    this.options = options;
  }

  /** The response's data. */
  async call<T>(call: Call, options: AnyOptions = {}): Promise<T> {
    const response = await this.send(call, options);
    const { data } = await this.envelope(response);
    const etag = response.headers.get('etag');
    if (etag !== null && typeof data === 'object' && data !== null) this.etags.set(data, etag);
    return data as T;
  }

  list<T>(call: Call, options: RequestOptions = {}): PageList<T> {
    return new PageList(async (cursor) => {
      const query = cursor === undefined ? call.query : { ...call.query, page: undefined, cursor };
      const { data, meta } = await this.envelope(await this.send({ ...call, query }, options));
      return { items: data as T[], pagination: meta!.pagination! };
    });
  }

  /** A response that is not JSON. */
  async text(call: Call, options: RequestOptions = {}): Promise<string> {
    return (await this.send(call, options)).text();
  }

  /** Any request; returns the API's envelope unchanged. */
  async raw(call: Call, options: AnyOptions = {}): Promise<unknown> {
    const response = await this.send(call, options);
    return /json/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text();
  }

  /**
   * Follows a stream until the caller stops or `signal` is aborted. After an interruption it continues with the next event, without a
   * limit of attempts; a refusal (401, 403) ends it.
   */
  async *stream(
    call: Call & { query?: { after?: string } },
    { signal, onInterruption }: StreamOptions = {},
  ): AsyncGenerator<StreamedChange, void, undefined> {
    let position: string | undefined;
    let failures = 0;
    for (;;) {
      const stop = new AbortController();
      const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      let silence: ReturnType<typeof setTimeout> | undefined;
      const alive = () => {
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(new Error('The stream is silent')), streamSilenceMs);
      };
      let failure: TandemError;
      try {
        alive();
        const request = position === undefined ? call : { ...call, query: { ...call.query, after: undefined } };
        const headers = { accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) };
        const response = await this.attempt(request, headers, ended);
        await this.assertOk(response);
        for await (const message of readEventStream(response.body!)) {
          alive();
          failures = 0;
          if (!message) continue;
          position = message.id ?? position;
          if (message.data !== '') yield { event: JSON.parse(message.data) as WebhookEvent, position };
        }
        failure = new TandemError('The stream ended', { code: 'sdk.network' });
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        failure = asNetworkError(error);
        if (failure.status >= 300 && failure.status < 500 && failure.status !== 429) throw failure;
      } finally {
        clearTimeout(silence);
        stop.abort();
      }
      const backoff = jittered(Math.min(firstDelayMs * 2 ** failures++, maxReconnectMs));
      const delayMs = Math.max(backoff, (failure.retryAfterSeconds ?? 0) * 1_000);
      onInterruption?.(failure, Math.round(delayMs));
      await wait(delayMs, signal);
    }
  }

  private async send(call: Call, options: AnyOptions): Promise<Response> {
    const { signal, timeout = this.options.timeout ?? 30_000, maxRetries = this.options.maxRetries ?? 2 } = options;
    const key = options.idempotencyKey ?? (call.idempotent ? randomKey() : undefined);
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(options.ifMatch !== undefined && { 'if-match': this.etagOf(options.ifMatch) }),
    };
    const repeatable = call.method === 'GET' || call.method === 'PUT' || call.method === 'DELETE' || key !== undefined;
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeout);
      let failure: TandemError;
      try {
        const response = await this.attempt(call, headers, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
        await this.assertOk(response);
        // Read within the time limit; callers read it again from memory.
        return new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers });
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        failure = limit.signal.aborted
          ? new TandemError(`No response within ${timeout} ms from ${this.url}`, { code: 'sdk.timeout', cause: error })
          : asNetworkError(error, this.url);
      } finally {
        clearTimeout(timer);
      }
      const delayMs = retryDelay(failure, retries, repeatable);
      if (retries >= maxRetries || delayMs === undefined) throw failure;
      await wait(delayMs, signal);
    }
  }

  private async attempt(call: Call, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { token, userAgent, fetch: send = fetch } = this.options;
    const { body } = call;
    const isBrowser = 'document' in globalThis;
    return send(`${this.url}${call.path}${queryString(call.query)}`, {
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        // Browsers set their own.
        ...(!isBrowser && { 'user-agent': [`tandem-sdk/${version}`, userAgent].filter(Boolean).join(' ') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    });
  }

  private async assertOk(response: Response): Promise<void> {
    if (response.ok) return;
    const { status, headers } = response;
    const requestId = headers.get('x-request-id');
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      const target = headers.get('location') ?? 'another address';
      throw new TandemError(`${this.url} redirects to ${target}: use that as baseUrl`, { code: 'sdk.redirect', status, requestId });
    }
    const problem = parsed(await response.text()) as Problem | undefined;
    if (typeof problem?.code !== 'string')
      throw new TandemError(`${this.url} responded ${status}, without a problem of the API: is it the address of a Tandem?`, {
        code: 'sdk.response',
        status,
        requestId,
        retryAfterSeconds: retryAfter(headers),
      });
    const fields = problem.errors ?? [];
    const reasons = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const text = [problem.title ?? problem.code, problem.detail, reasons].filter(Boolean).join(' – ');
    throw new TandemError(text, {
      code: problem.code,
      status,
      fields,
      requestId: requestId ?? problem.request_id ?? null,
      retryAfterSeconds: retryAfter(headers),
    });
  }

  private async envelope(response: Response): Promise<Envelope> {
    const answer = parsed(await response.text()) as (Envelope & { success?: boolean }) | undefined;
    if (answer?.success === true) return answer;
    throw new TandemError(`${this.url} did not respond like the API: is it the address of a Tandem?`, {
      code: 'sdk.response',
      status: response.status,
      requestId: response.headers.get('x-request-id'),
    });
  }

  private etagOf(version: object | string): string {
    if (typeof version === 'string') return version;
    const etag = this.etags.get(version);
    if (etag === undefined)
      throw new TypeError('ifMatch needs an object that this client returned (tickets.get, tickets.update), or an entity tag');
    return etag;
  }
}

interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  errors?: FieldError[];
  request_id?: string;
}

/**
 * When to repeat a failed request; undefined: not at all. 429 means that nothing happened, so everything may be repeated; after other
 * failures something may have happened, so only what changes nothing or has an idempotency key.
 */
export function retryDelay(failure: TandemError, retries: number, repeatable: boolean): number | undefined {
  const { code, status, retryAfterSeconds } = failure;
  const isTemporary = status === 503 || code === 'sdk.network' || code === 'sdk.timeout' || code === 'idempotency.running';
  if (status !== 429 && !(isTemporary && repeatable)) return undefined;
  const asked = (retryAfterSeconds ?? 0) * 1_000;
  if (asked > maxRetryAfterMs) return undefined;
  return asked + jittered(firstDelayMs * 2 ** retries);
}

/** In seconds; the header has seconds or a date. */
export function retryAfter(headers: Headers, now = Date.now()): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function asNetworkError(error: unknown, url?: string): TandemError {
  if (error instanceof TandemError) return error;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const reason = cause?.message || cause?.code || (error instanceof Error ? error.message : String(error));
  return new TandemError(`${url ?? 'The server'} cannot be reached: ${reason}`, { code: 'sdk.network', cause: error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list is repeated, with a backslash before commas and backslashes in its values; undefined and null are left out. */
export function queryString(query: object = {}): string {
  const parameters = new URLSearchParams();
  type Value = string | number | boolean | Date | null | undefined;
  for (const [name, value] of Object.entries(query) as [string, Value | string[]][]) {
    if (Array.isArray(value)) for (const each of value) parameters.append(name, each.replaceAll(/[\\,]/g, '\\$&'));
    else if (value !== undefined && value !== null) parameters.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
