import { randomUUID } from 'node:crypto';
import type { Problem } from '@tandem/contracts';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  /** The parsed body: the envelope of a success, or the problem. */
  body: {
    success: boolean;
    data: T;
    meta: { request_id: string; pagination?: { total: number; next_cursor: string | null } };
  } & Partial<Problem>;
  data: T;
  text: string;
}
export interface Call {
  body?: unknown;
  /** Bytes instead of `body`, sent unchanged. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** Leaves the CSRF header out, or sends another. */
  csrf?: string | null;
  signal?: AbortSignal;
}

interface Cookie {
  value: string;
  path: string;
  attributes: string;
}

/** A browser at HTTP level: a cookie jar that respects paths and expiry, and a page that repeats the CSRF cookie. */
export class Browser {
  readonly cookies = new Map<string, Cookie>();

  /** `host` is the host in the address bar, which selects the portal. */
  constructor(
    readonly url: string,
    readonly host = new URL(url).host,
    private readonly fixedHeaders: Record<string, string> = {},
  ) {}

  get csrfToken(): string | undefined {
    return this.cookies.get('tandem_csrf')?.value;
  }

  /** The same browser on another host. */
  on(host: string): Browser {
    return new Browser(this.url, host, this.fixedHeaders);
  }

  async send<T = unknown>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    const response = await this.fetch(method, path, call);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Answer<T>['body'];
    return { status: response.status, headers: response.headers, body, data: body.data, text };
  }

  /** Returns the response itself, for streams. `path` is below `/api/v1` unless it begins with `//`. */
  async fetch(method: string, path: string, call: Call = {}): Promise<Response> {
    const address = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const headers: Record<string, string> = {
      ...this.fixedHeaders,
      'x-forwarded-host': this.host,
      accept: 'application/json',
      ...call.headers,
    };
    const cookie = this.cookieHeader(address);
    if (cookie !== '') headers['cookie'] ??= cookie;
    if (call.body !== undefined) headers['content-type'] ??= 'application/json';
    const csrf = call.csrf === undefined ? this.csrfToken : call.csrf;
    if (method !== 'GET' && csrf !== undefined && csrf !== null) headers['x-csrf-token'] ??= csrf;
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const init = {
      method,
      headers,
      redirect: 'manual' as const,
      ...(body === undefined ? {} : { body }),
      ...(call.signal ? { signal: call.signal } : {}),
    };
    const response = await fetch(`${this.url}${address}`, init);
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  get<T = unknown>(path: string, call?: Call) {
    return this.send<T>('GET', path, call);
  }
  post<T = unknown>(path: string, body: unknown = {}, call: Call = {}) {
    return this.send<T>('POST', path, { body, ...call });
  }
  patch<T = unknown>(path: string, body: unknown, call: Call = {}) {
    return this.send<T>('PATCH', path, { body, ...call });
  }

  private cookieHeader(address: string): string {
    const path = address.split('?', 1)[0]!;
    return [...this.cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keep(line: string): void {
    const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = rest.find((part) => /^path=/i.test(part))?.slice(5) ?? '/';
    if (value === '' || rest.some((part) => /^max-age=0$/i.test(part))) this.cookies.delete(name);
    else this.cookies.set(name, { value: decodeURIComponent(value), path, attributes: rest.join('; ') });
  }
}

/** Reads server-sent events until closed. */
export class EventReader {
  readonly events: { id: string; type: string; subject: string; sequence: number; own: boolean }[] = [];
  readonly raw: string[] = [];
  ended = false;

  private constructor(
    readonly response: Response,
    private readonly controller: AbortController,
  ) {}

  static async open(browser: Browser, path = '/events'): Promise<EventReader> {
    const controller = new AbortController();
    const reader = new EventReader(
      await browser.fetch('GET', path, { headers: { accept: 'text/event-stream' }, signal: controller.signal }),
      controller,
    );
    void reader.read();
    return reader;
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of this.response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.take(block);
      }
    } catch (error) {
      if (!this.controller.signal.aborted) throw error; // Closed by this reader.
    } finally {
      this.ended = true;
    }
  }

  private take(block: string): void {
    this.raw.push(block);
    const data = block.split('\n').find((line) => line.startsWith('data: '));
    if (data !== undefined) this.events.push(JSON.parse(data.slice(6)) as EventReader['events'][number]);
  }

  close(): void {
    this.controller.abort();
  }
}

/** An address that is unique in this run. */
export const anAddress = (name = 'person') => `${name}-${randomUUID().slice(0, 8)}@example.test`;
