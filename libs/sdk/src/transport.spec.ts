import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Tandem, TandemError, type TandemOptions } from './index';
import { queryString, retryAfter, retryDelay } from './transport';

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;
interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that answers the nth request with the nth handler, and later ones with the last. */
async function serve(...handlers: Handler[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      handlers[Math.min(received.length, handlers.length) - 1]!(Object.assign(request, { body }), response);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { received, baseUrl, client: (options: Partial<TandemOptions> = {}) => new Tandem({ token: 'tnd_live_x', baseUrl, ...options }) };
}
const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers }).end(JSON.stringify(body));
const ok = (data: unknown, headers?: Record<string, string>) => json(200, { success: true, data, meta: { request_id: 'req-1' } }, headers);
const page = (items: unknown[], next_cursor: string | null) =>
  json(200, { success: true, data: items, meta: { request_id: 'r', pagination: { page: null, limit: 2, total: 5, next_cursor } } });
const problem = (status: number, code: string, headers?: Record<string, string>, more = {}) =>
  json(status, { success: false, code, title: `Title of ${code}`, status, request_id: 'req-1', ...more }, headers);
const cut: Handler = (request) => void request.socket.destroy();
const hang: Handler = () => {};
const now = { 'retry-after': '0' };

const failureOf = async (attempt: PromiseLike<unknown>): Promise<TandemError> => {
  const error: unknown = await Promise.resolve(attempt).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TandemError)) throw new Error(`not a TandemError: ${String(error)}`);
  return error;
};

describe('a request', () => {
  it('has the token, the user agent, the query and the body', async () => {
    const { received, client } = await serve(ok({ id: '1' }));
    const tandem = client({ userAgent: 'importer/3' });
    await tandem.tickets.create({ subject: 'Hello', customer_email: 'ada@example.com' });
    const [{ method, url, headers, body }] = received as [Received];
    expect([method, url]).toEqual(['POST', '/api/v1/tickets']);
    expect(headers).toMatchObject({ authorization: 'Bearer tnd_live_x', 'content-type': 'application/json' });
    expect(headers['user-agent']).toMatch(/^tandem-sdk\/\d+\.\d+\.\d+ importer\/3$/);
    expect(JSON.parse(body)).toEqual({ subject: 'Hello', customer_email: 'ada@example.com' });
  });

  it('encodes ids, so that they cannot change the path', async () => {
    const { received, client } = await serve(ok({}));
    await client().tickets.get('../organizations/1?x=');
    expect(received[0]!.url).toBe('/api/v1/tickets/..%2Forganizations%2F1%3Fx%3D');
  });

  it('returns data and remembers its version for ifMatch', async () => {
    const { received, client } = await serve(ok({ id: '1' }, { etag: '"v3"' }));
    const tandem = client();
    const ticket = await tandem.tickets.get('1');
    await tandem.tickets.update('1', { status: 'resolved' }, { ifMatch: ticket });
    await tandem.tickets.update('1', { status: 'resolved' }, { ifMatch: '"v9"' });
    expect(received.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"v3"', '"v9"']);
    await expect(tandem.tickets.update('1', { status: 'open' }, { ifMatch: { ...ticket } })).rejects.toThrow(TypeError);
  });

  it('accepts a base URL with a path, a final slash, or /api/v1', async () => {
    const { received, baseUrl } = await serve(ok({}));
    for (const end of ['', '/', '/api/v1', '/api/v1/']) await new Tandem({ token: 't', baseUrl: baseUrl + end }).tickets.stats();
    await new Tandem({ token: 't', baseUrl: `${baseUrl}/help/` }).tickets.stats();
    expect(received.map(({ url }) => url)).toEqual([...Array<string>(4).fill('/api/v1/tickets/stats'), '/help/api/v1/tickets/stats']);
  });

  it.each([
    { token: '' },
    { token: 'a b' },
    { token: 'a\nb' },
    { baseUrl: '' },
    { baseUrl: 'acme.example' },
    { baseUrl: 'ftp://acme.example' },
  ])('is refused without valid options: %j', (wrong) => {
    expect(() => new Tandem({ token: 't', baseUrl: 'https://acme.example', ...wrong })).toThrow(TypeError);
  });

  it('never follows a redirect with the token', async () => {
    const other = await serve(ok({}));
    const { client } = await serve((_request, response) => void response.writeHead(308, { location: `${other.baseUrl}/x` }).end());
    expect(await failureOf(client().tickets.stats())).toMatchObject({ code: 'sdk.redirect', status: 308 });
    expect(other.received).toEqual([]);
  });
});

describe('a failure', () => {
  it('has code, status, fields and request id', async () => {
    const errors = [{ path: 'customer_email', code: 'invalid', message: 'Enter a valid email address' }];
    const { client } = await serve(problem(422, 'request.invalid', {}, { errors }));
    const error = await failureOf(client().tickets.create({ subject: 'x', customer_email: 'x' }));
    expect(error).toMatchObject({ code: 'request.invalid', status: 422, fields: errors, requestId: 'req-1' });
    expect(error.message).toContain('customer_email: Enter a valid email address');
  });

  it.each<[string, Handler]>([
    [
      'a page of a proxy',
      (_request, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    ],
    ['a page of another site', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')],
    ['other JSON', json(200, { hello: 1 })],
  ])('names a response that is not from the API: %s', async (_case, handler) => {
    const { client } = await serve(handler);
    expect(await failureOf(client({ maxRetries: 0 }).tickets.stats())).toMatchObject({ code: 'sdk.response' });
  });

  it('names a server that cannot be reached', async () => {
    const tandem = new Tandem({ token: 't', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const error = await failureOf(tandem.tickets.stats());
    expect(error).toMatchObject({ code: 'sdk.network', status: 0, requestId: null });
    expect(error.message).toContain('http://127.0.0.1:9');
  });

  it('ends an attempt after the timeout, even while the body arrives', async () => {
    const dribble: Handler = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    for (const handler of [hang, dribble]) {
      const { received, client } = await serve(handler);
      expect(await failureOf(client({ timeout: 50, maxRetries: 0 }).tickets.stats())).toMatchObject({ code: 'sdk.timeout' });
      expect(received).toHaveLength(1);
    }
  });

  it('is the caller’s own reason after the caller aborts, without a retry', async () => {
    const { received, client } = await serve(hang);
    const stop = new AbortController();
    const attempt = client().tickets.stats({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error('changed my mind')), 30);
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(received).toHaveLength(1);
    await expect(client().tickets.stats({ signal: stop.signal })).rejects.toThrow('changed my mind');
  });

  it('ends a wait between two attempts when the caller aborts', async () => {
    const { received, client } = await serve(problem(429, 'limit.exceeded', { 'retry-after': '30' }));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('changed my mind')), 50);
    await expect(client().tickets.stats({ signal: stop.signal })).rejects.toThrow('changed my mind');
    expect(received).toHaveLength(1);
  });
});

describe('retries', () => {
  it('repeat a read after 429, 503, a lost connection and a timeout, at most maxRetries times', async () => {
    for (const handler of [problem(429, 'limit.exceeded', now), problem(503, 'service.unavailable', now), cut, hang]) {
      const { received, client } = await serve(handler, ok({}));
      await client({ timeout: 200 }).tickets.stats();
      expect(received).toHaveLength(2);
    }
    const { received, client } = await serve(problem(503, 'service.unavailable', now));
    expect(await failureOf(client({ maxRetries: 1 }).tickets.stats())).toMatchObject({ status: 503 });
    expect(received).toHaveLength(2);
  });

  it('use the same idempotency key, which differs between calls', async () => {
    const { received, client } = await serve(cut, problem(409, 'idempotency.running'), ok({}), ok({}));
    const tandem = client();
    const ticket = { subject: 'Hello', customer_email: 'ada@example.com' };
    await tandem.tickets.create(ticket);
    await tandem.tickets.create(ticket);
    await tandem.tickets.create(ticket, { idempotencyKey: 'import-7' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], 'import-7']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('never repeat a write without a key, except after 429, when nothing has happened', async () => {
    for (const handler of [problem(503, 'service.unavailable', now), cut]) {
      const { received, client } = await serve(handler);
      await failureOf(client().tickets.merge('1', { into_id: '2' }));
      expect(received).toHaveLength(1);
    }
    const { received, client } = await serve(problem(429, 'limit.exceeded', now), ok({}));
    await client().tickets.merge('1', { into_id: '2' });
    expect(received).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 412, 422, 500])('never repeat after %d', async (status) => {
    const { received, client } = await serve(problem(status, 'some.code'));
    await failureOf(client().tickets.stats());
    expect(received).toHaveLength(1);
  });

  it('wait for the time in Retry-After plus a random part, and leave more than a minute to the caller', () => {
    const failure = (retryAfterSeconds: number | null) => new TandemError('', { code: 'limit.exceeded', status: 429, retryAfterSeconds });
    for (let i = 0; i < 50; i++) {
      expect(retryDelay(failure(7), 0, true)).toBeGreaterThanOrEqual(7_250);
      expect(retryDelay(failure(7), 0, true)).toBeLessThanOrEqual(7_500);
      expect(retryDelay(failure(null), 2, true)).toBeGreaterThanOrEqual(1_000);
      expect(retryDelay(failure(null), 2, true)).toBeLessThanOrEqual(2_000);
    }
    expect(retryDelay(failure(61), 0, true)).toBeUndefined();
  });

  it.each([
    ['120', 120],
    ['120.6', 120.6],
    ['Mon, 23 Nov 2026 10:00:30 GMT', 30],
    ['Mon, 23 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('read Retry-After: %s', (value, seconds) => {
    expect(retryAfter(new Headers({ 'retry-after': value }), Date.parse('2026-11-23T10:00:00Z'))).toBe(seconds);
  });
});

describe('a list', () => {
  it('is its first page when awaited, with the next one', async () => {
    const { received, client } = await serve(page([1, 2], 'c1'), page([3], null));
    const first = await client().tickets.list({ status: ['open', 'in_progress'], limit: 2 });
    expect(first).toMatchObject({ items: [1, 2], pagination: { total: 5, next_cursor: 'c1' } });
    const second = await first.next!();
    expect([second.items, second.next]).toEqual([[3], null]);
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/tickets?status=open&status=in_progress&limit=2',
      '/api/v1/tickets?status=open&status=in_progress&limit=2&cursor=c1',
    ]);
  });

  it('reads all pages in a loop, one only when it is needed, again in each loop', async () => {
    const { received, client } = await serve(page([1, 2], 'c1'), page([3, 4], 'c2'), page([], 'c3'), page([5], null), page([6], null));
    const list = client().tickets.list({ page: 1 });
    const items: unknown[] = [];
    for await (const item of list) items.push(item);
    expect(items).toEqual([1, 2, 3, 4, 5]);
    expect(received.map(({ url }) => url.slice(15))).toEqual(['?page=1', '?cursor=c1', '?cursor=c2', '?cursor=c3']);
    for await (const { items: again } of list.pages()) expect(again).toEqual([6]);
  });

  it('reads no further page after the loop is left', async () => {
    const { received, client } = await serve(page([1, 2], 'c1'));
    for await (const item of client().tickets.list()) if (item) break;
    expect(received).toHaveLength(1);
  });

  it('fails in the loop, and can be caught there', async () => {
    const { client } = await serve(page([1], 'c1'), problem(403, 'token.permission_missing'));
    const items: unknown[] = [];
    const loop = async () => {
      for await (const item of client().tickets.list()) items.push(item);
    };
    expect(await failureOf(loop())).toMatchObject({ code: 'token.permission_missing' });
    expect(items).toEqual([1]);
  });
});

it('a query repeats lists and leaves out what is missing', () => {
  expect(queryString({ a: ['x', 'y&z'], b: undefined, c: null, d: 0, e: false, f: new Date(0) })).toBe(
    '?a=x&a=y%26z&d=0&e=false&f=1970-01-01T00%3A00%3A00.000Z',
  );
  expect(queryString({ tag: ['a, b', 'c\\d'], search: 'a, b' })).toBe('?tag=a%5C%2C+b&tag=c%5C%5Cd&search=a%2C+b');
  expect(queryString()).toBe('');
});

describe('the stream of changes', () => {
  const begin = (response: ServerResponse, text: string) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };
  const event = (id: number) => `id: ${id}\ndata: {"id":"evt_${id}"}\n\n`;
  async function read(tandem: Tandem, count: number, query = {}) {
    const seen: [string, string | undefined][] = [];
    const interruptions: string[] = [];
    const options = { onInterruption: (error: TandemError) => interruptions.push(error.code) };
    for await (const { event: change, position } of tandem.changes.stream(query, options)) {
      seen.push([change.id, position]);
      if (seen.length === count) break;
    }
    return { seen, interruptions };
  }

  it('continues after an interruption where it was, without a limit of attempts', async () => {
    const { received, client } = await serve(
      (_request, response) => {
        begin(response, `:ok\n\nid: 4\n\n${event(5)}`);
        response.write('id: 6\ndata: {"id":"half');
        setTimeout(() => response.destroy(), 20);
      },
      cut,
      problem(503, 'service.unavailable', now),
      problem(429, 'limit.exceeded', now),
      (_request, response) => begin(response, event(6)),
    );
    const { seen, interruptions } = await read(client({ maxRetries: 0 }), 2, { after: 'now' });
    expect(seen).toEqual([
      ['evt_5', '5'],
      ['evt_6', '6'],
    ]);
    expect(interruptions).toEqual(['sdk.network', 'sdk.network', 'service.unavailable', 'limit.exceeded']);
    expect(received.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/api/v1/changes/stream?after=now', undefined],
      ...Array<string[]>(4).fill(['/api/v1/changes/stream', '5']),
    ]);
  }, 30_000);

  it('ends with a refusal', async () => {
    const { received, client } = await serve(problem(401, 'token.inactive'));
    expect(await failureOf(read(client(), 1))).toMatchObject({ code: 'token.inactive' });
    expect(received).toHaveLength(1);
  });

  it('ends when the caller aborts, connected or between two attempts', async () => {
    for (const handler of [((_request, response) => begin(response, ':ok\n\n')) as Handler, cut]) {
      const { client } = await serve(handler);
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('enough')), 50);
      await expect(client().changes.stream({}, { signal: stop.signal }).next()).rejects.toThrow('enough');
    }
  });
});
