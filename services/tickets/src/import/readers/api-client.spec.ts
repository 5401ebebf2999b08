import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ImportFailed } from '../import-reader';
import { ApiClient, UnusableResponse } from './api-client';

type Respond = (response: ServerResponse, request: IncomingMessage, attempt: number) => unknown;

let own: Server;
let other: Server;
let respond: Respond;
let running = 0;
let maxRunning = 0;
const attempts: { path: string; token: unknown; host: 'own' | 'other' }[] = [];

const start = async (host: 'own' | 'other'): Promise<Server> => {
  const server = createServer((request, response) => {
    attempts.push({ path: request.url!, token: request.headers['x-token'], host });
    maxRunning = Math.max(maxRunning, (running += 1));
    response.on('close', () => (running -= 1));
    respond(response, request, attempts.filter(({ path }) => path === request.url).length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  own = await start('own');
  other = await start('other');
});
afterAll(() => [own, other].forEach((server) => server.close().closeAllConnections()));
beforeEach(() => {
  attempts.length = 0;
  maxRunning = 0;
});

const open = { allowHttp: true, allowPrivate: true };
function client({ address = `${addressOf(own)}/help/`, rules = open, signal = new AbortController().signal } = {}): ApiClient {
  const access = { address, token: 'secret', rules };
  return new ApiClient({ access, authorization: { 'x-token': 'secret' }, signal, retryMs: 1 });
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ImportFailed ? error.failure : error),
  );

it('appends paths to the address and sends the token', async () => {
  respond = (response) => response.end('{"a":1}');
  expect(await client().json('/api/v1/tickets?page=1')).toEqual({ a: 1 });
  expect(attempts).toEqual([{ path: '/help/api/v1/tickets?page=1', token: 'secret', host: 'own' }]);
});

it('retries 429 after Retry-After, 5xx and broken connections', async () => {
  respond = (response, request, attempt) => {
    if (attempt === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (attempt === 2) response.writeHead(502).end();
    else if (attempt === 3) request.socket.destroy();
    else if (attempt === 4) response.writeHead(200, { 'content-length': '100' }).write('{"half":', () => request.socket.destroy());
    else response.end('[]');
  };
  const begun = Date.now();
  expect(await client().json('/busy')).toEqual([]);
  expect(attempts).toHaveLength(5);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
});

it('fails as unreachable for a host that does not respond, a private address that is not allowed, and a server that keeps failing', async () => {
  expect(await failureOf(client({ address: 'http://127.0.0.1:1' }).json('/'))).toBe('source.unreachable');
  expect(await failureOf(client({ address: 'https://help.invalid', rules: { allowHttp: false, allowPrivate: false } }).json('/'))).toBe(
    'source.unreachable',
  );
  expect(await failureOf(client({ rules: { allowHttp: true, allowPrivate: false } }).json('/'))).toBe('source.unreachable');
  expect(attempts).toEqual([]);
  respond = (response) => response.writeHead(503).end();
  expect(await failureOf(client().json('/down'))).toBe('source.unreachable');
  expect(attempts).toHaveLength(6);
});

it('fails as refused for 401 and 403, and as not found for 404 and web pages', async () => {
  respond = (response, request) => {
    const status = Number(/\d+$/.exec(request.url!)![0]);
    response.writeHead(status).end('<html>');
  };
  expect(await failureOf(client().requiredJson('/401'))).toBe('source.refused');
  expect(await failureOf(client().requiredJson('/403'))).toBe('source.refused');
  expect(await failureOf(client().requiredJson('/404'))).toBe('source.not_found');
  expect(await failureOf(client().requiredJson('/200'))).toBe('source.not_found');
  // Of one record: the reader decides.
  expect(await failureOf(client().json('/404'))).toBeInstanceOf(UnusableResponse);
  expect(attempts).toHaveLength(5);
});

it('stops reading a response after 50 MB', async () => {
  const chunk = Buffer.alloc(1024 ** 2, 'x');
  respond = (response) => pipeline(Readable.from(Array.from({ length: 60 }, () => chunk)), response).catch(() => undefined);
  expect(await failureOf(client().json('/large'))).toMatchObject({ reason: 'too_long' });
});

it('follows redirects, without the token to another host', async () => {
  respond = (response, request) => {
    if (request.url === '/help/moved') response.writeHead(302, { location: '/new' }).end();
    else if (request.url === '/help/file') response.writeHead(302, { location: `${addressOf(other)}/storage` }).end();
    else if (request.url === '/help/loop') response.writeHead(302, { location: '/help/loop' }).end();
    else response.end('{}');
  };
  expect(await client().json('/moved')).toEqual({});
  expect(await text((await client().download('/help/file', 100)) as Readable)).toBe('{}');
  expect(attempts.map(({ token, host }) => [host, token])).toEqual([
    ['own', 'secret'],
    ['own', 'secret'],
    ['own', 'secret'],
    ['other', undefined],
  ]);
  expect(await failureOf(client().json('/loop'))).toMatchObject({ status: 302 });
});

it('downloads files, and returns the problem of a file that is too large, missing or elsewhere', async () => {
  respond = (response, request) => {
    if (request.url === '/help/missing') response.writeHead(404).end();
    else if (request.url === '/help/lost') response.writeHead(500).end();
    else response.end('four');
  };
  expect(await text((await client().download(`${addressOf(own)}/help/a`, 4)) as Readable)).toBe('four');
  expect(await client().download(`${addressOf(own)}/help/a`, 3)).toBe('file.too_large');
  expect(await client().download(`${addressOf(own)}/help/missing`, 4)).toBe('file.unreachable');
  expect(await client().download(`${addressOf(own)}/help/lost`, 4)).toBe('file.unreachable');
  expect(await client().download('http://127.0.0.1:1/a', 4)).toBe('file.unreachable');
});

it('sends at most 4 requests at a time, and ends them when the import is cancelled', async () => {
  const cancel = new AbortController();
  const waiting: ServerResponse[] = [];
  let four: () => void;
  const arrived = new Promise<void>((done) => (four = done));
  respond = (response) => {
    waiting.push(response);
    if (waiting.length === 4) four();
  };
  const shared = client({ signal: cancel.signal });
  const requests = Array.from({ length: 10 }, (_, each) => failureOf(shared.json(`/${each}`)));
  await arrived;
  cancel.abort(new Error('cancelled'));
  expect(await Promise.all(requests)).toEqual(Array.from({ length: 10 }, () => expect.objectContaining({ message: 'cancelled' })));
  expect(maxRunning).toBe(4);
});
