import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { KeptConnections, safeFetch, UnsafeAddress, type SafeFetchAnswer } from '@tandem/platform';
import { ImportFailed, type ApiAccess } from '../import-reader';

/** A page of a list, or all messages of a ticket. A longer response is not read. */
const maxResponseBytes = 50 * 1024 ** 2;
const requestMs = 60_000;
/** Per file, of at most 20 MB. */
const downloadMs = 120_000;
const maxConcurrent = 4;
const maxRedirects = 5;
/** Per request, for 5xx and broken connections. */
const maxAttempts = 6;
/** The same for 429, which says that a later attempt succeeds. */
const maxThrottledAttempts = 20;
/** Per request while the source has not responded once: an admin who mistyped the address does not wait a minute. */
const maxFirstAttempts = 2;
const maxWaitMs = 120_000;

/** A response that the client does not retry: a status of 4xx, or a body that is too long, not JSON, or JSON of another form (`status` 200). */
export class UnusableResponse extends Error {
  constructor(
    readonly status: number,
    readonly reason: 'status' | 'too_long' | 'not_json' | 'other_form' = 'status',
  ) {
    super(`The source responded with ${reason === 'status' ? status : reason}`);
  }
}

interface RequestInit {
  method: 'GET' | 'POST';
  maxBytes: number;
  timeoutMs: number;
  /** Returns a 5xx after this many attempts, instead of failing: the file is lost, and not the source unreachable. */
  maxFailures?: number;
}

export interface ApiClientOptions {
  access: ApiAccess;
  /** The header that has the token. It is sent to the host of the address only. */
  authorization: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Before the second attempt; doubled before each further one. */
  retryMs?: number;
}

/**
 * Requests to the API of another product. At most 4 run at a time. Retries 429 (after `Retry-After`), 5xx and broken connections, and follows
 * redirects, without the token if they lead to another host. Nothing here logs: an address or an error could contain a secret.
 */
export class ApiClient {
  /** The address without a slash at the end; paths are appended to it. */
  readonly base: string;
  readonly #own: URL;
  readonly #connections = new KeptConnections();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #pausedUntil = 0;
  #hasResponded = false;

  /** Throws `ImportFailed` if the address is not a URL. */
  constructor(private readonly options: ApiClientOptions) {
    const url = URL.parse(options.access.address);
    if (!url) throw new ImportFailed('source.unreachable');
    this.#own = url;
    this.base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }

  /**
   * The JSON at a path of the API. Throws `UnusableResponse` for a response that another attempt would not change, and `ImportFailed` if the
   * token is refused or the source stays unreachable.
   */
  async json(path: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
    const answer = await this.#fetch(new URL(`${this.base}${path}`), { method, maxBytes: maxResponseBytes, timeoutMs: requestMs });
    if (answer.status === 401) throw new ImportFailed('source.refused');
    if (answer.status !== 200) throw new UnusableResponse(answer.status);
    if (answer.truncated) throw new UnusableResponse(200, 'too_long');
    try {
      return JSON.parse(answer.body.toString('utf8'));
    } catch {
      throw new UnusableResponse(200, 'not_json');
    }
  }

  /** The same for a request without which nothing can be imported: each `UnusableResponse` becomes an `ImportFailed`. */
  async requiredJson(path: string): Promise<unknown> {
    try {
      return await this.json(path);
    } catch (error) {
      if (!(error instanceof UnusableResponse)) throw error;
      // A web page instead of JSON: another product, or the address of another page.
      if (error.status === 404 || error.reason === 'not_json') throw new ImportFailed('source.not_found', { cause: error });
      throw new ImportFailed(error.status === 403 ? 'source.refused' : 'source.unreadable', { cause: error });
    }
  }

  /** The bytes of a file, or the problem because of which it is left out. */
  async download(address: string, maxBytes: number): Promise<Readable | 'file.too_large' | 'file.unreachable'> {
    const url = URL.parse(address, `${this.base}/`);
    if (!url) return 'file.unreachable';
    try {
      const answer = await this.#fetch(url, { method: 'GET', maxBytes, timeoutMs: downloadMs, maxFailures: 2 });
      if (answer.status === 401 && this.#isOwn(url)) throw new ImportFailed('source.refused');
      if (answer.status !== 200) return 'file.unreachable';
      return answer.truncated ? 'file.too_large' : Readable.from([answer.body]);
    } catch (error) {
      this.options.signal.throwIfAborted();
      // A file can be at an address that no longer exists; the source itself cannot.
      if (error instanceof ImportFailed && (error.failure === 'source.refused' || this.#isOwn(url))) throw error;
      return 'file.unreachable';
    }
  }

  /** Whether the token may be sent: the host of the address, with the same or, instead of http, a safe protocol. */
  #isOwn(url: URL): boolean {
    const isUpgrade = this.#own.protocol === 'http:' && url.protocol === 'https:' && url.hostname === this.#own.hostname;
    return url.origin === this.#own.origin || isUpgrade;
  }

  async #fetch(url: URL, init: RequestInit): Promise<SafeFetchAnswer> {
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#retry(target, init);
      const { location } = answer.headers;
      const next = answer.status >= 300 && answer.status < 400 && location !== undefined ? URL.parse(location, target.href) : null;
      if (!next || redirects === maxRedirects) return answer;
      target = next;
    }
  }

  async #retry(url: URL, init: RequestInit): Promise<SafeFetchAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const { answer, error } = await this.#send(url, init);
      if (answer && answer.status !== 429 && (answer.status < 500 || attempt === init.maxFailures)) return answer;
      const limit = answer?.status === 429 ? maxThrottledAttempts : this.#hasResponded ? maxAttempts : maxFirstAttempts;
      if (attempt >= limit || error instanceof UnsafeAddress) throw new ImportFailed('source.unreachable', { cause: error });
      await this.#backOff(attempt, answer);
    }
  }

  /** All requests pause after a 429: the limit is of the token, not of one request. */
  async #backOff(attempt: number, answer: SafeFetchAnswer | undefined): Promise<void> {
    const { retryMs = 1_000, signal } = this.options;
    // Some servers send `Retry-After: 0`, and refuse the next request as well.
    const ms = Math.min(Math.max(retryAfterMs(answer) ?? 0, retryMs * 2 ** Math.min(attempt - 1, 5)), maxWaitMs);
    if (answer?.status === 429) this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + ms);
    await wait(ms * (1 + Math.random() / 10), undefined, { signal });
  }

  /** An attempt. Returns the error of a failed connection; throws only if the import is cancelled. */
  async #send(url: URL, { method, maxBytes, timeoutMs }: RequestInit): Promise<{ answer?: SafeFetchAnswer; error?: unknown }> {
    const { access, authorization, signal } = this.options;
    await this.#acquire();
    try {
      signal.throwIfAborted();
      const pause = this.#pausedUntil - Date.now();
      if (pause > 0) await wait(pause, undefined, { signal });
      const answer = await safeFetch(url.href, {
        ...access.rules,
        method,
        maxBytes,
        timeoutMs,
        headers: { accept: '*/*', ...(this.#isOwn(url) ? authorization : {}) },
        signal,
        keep: { connections: this.#connections, owner: 'import' },
      });
      this.#hasResponded = true;
      return { answer };
    } catch (error) {
      signal.throwIfAborted();
      return { error };
    } finally {
      this.#release();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < maxConcurrent) this.#running += 1;
    else await new Promise<void>((done) => this.#waiting.push(done));
  }

  /** Passes the slot on to the request that has waited longest. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs(answer: SafeFetchAnswer | undefined): number | undefined {
  const value = answer?.headers['retry-after'];
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
