import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeCall, type CallOptions } from './call';
import { clickup } from './clickup/clickup';
import { ToolError, type ToolSettings } from './task-tool';

const token = 'pk_the_token_itself';
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const received: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string; port?: number }[] = [];

beforeEach(async () => {
  received.length = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body, port: request.socket.remotePort });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
const call = (options: Partial<CallOptions> = {}) =>
  makeCall({
    tool: clickup,
    settings: { CLICKUP_API_URL: base() } as ToolSettings,
    access: { kind: 'personal_token', token },
    timeoutMs: 2_000,
    ...options,
  });
const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (_request, response) => response.writeHead(status, headers).end(JSON.stringify(body));
};
const problemOf = async (work: Promise<unknown>): Promise<ToolError> => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ToolError);
  // Everything about the error that could be logged.
  const all = [error, (error as ToolError).stack, (error as ToolError).details, (error as ToolError).cause];
  expect(JSON.stringify(all.map((each) => [each, String(each)]))).not.toContain('the_token');
  return error as ToolError;
};

describe('a call to a task tool', () => {
  it('sends method, path, JSON and credentials, and returns the response', async () => {
    json(200, { id: 1 }, { 'X-Thing': 'a' });
    const result = await call()({ method: 'PUT', path: '/v2/task/x?y=%20', body: { name: 'ü' } });
    expect(result).toMatchObject({ status: 200, headers: { 'x-thing': 'a' }, body: { id: 1 } });
    expect(received).toMatchObject([
      { method: 'PUT', url: '/api/v2/task/x?y=%20', body: '{"name":"ü"}', headers: { authorization: token } },
    ]);
  });

  it('reuses its connections', async () => {
    json(200, {});
    for (let i = 0; i < 10; i++) await call()({ method: 'GET', path: '/v2/user' });
    expect(new Set(received.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });

  it('accepts an empty response', async () => {
    answer = (_request, response) => response.writeHead(204).end();
    expect(await call()({ method: 'DELETE', path: '/v2/task/x' })).toMatchObject({ status: 204, body: undefined });
  });

  it('follows no redirect, and never sends the token there', async () => {
    json(302, {}, { location: `${base()}/elsewhere` });
    expect((await problemOf(call()({ method: 'GET', path: '/v2/user' }))).problem).toBe('unreachable');
    expect(received).toHaveLength(1);
  });

  it.each([
    ['silence', () => undefined],
    ['a response that never ends', (response: ServerResponse) => void response.writeHead(200).write('{"a":')],
    ['a slow response', (response: ServerResponse) => drip(response)],
  ])('times out after %s', async (_case, act) => {
    answer = (_request, response) => act(response);
    const error = await problemOf(call({ timeoutMs: 300 })({ method: 'GET', path: '/v2/user' }));
    expect(error).toMatchObject({ problem: 'unreachable', message: 'The task tool did not answer within 300 ms' });
  });

  it('reads at most 5 MB of a response', async () => {
    json(200, { text: 'x'.repeat(5_000_001) });
    expect((await problemOf(call()({ method: 'GET', path: '/v2/user' }))).problem).toBe('unreachable');
    json(200, { text: 'x'.repeat(4_900_000) });
    await expect(call()({ method: 'GET', path: '/v2/user' })).resolves.toBeDefined();
  });

  it('reports a refused connection, a dropped connection and invalid JSON as unreachable', async () => {
    answer = (request) => request.socket.destroy();
    expect((await problemOf(call()({ method: 'GET', path: '/v2/user' }))).problem).toBe('unreachable');
    answer = (_request, response) => response.writeHead(200).end('<html>');
    expect((await problemOf(call()({ method: 'GET', path: '/v2/user' }))).problem).toBe('unreachable');
    const settings = { CLICKUP_API_URL: 'http://127.0.0.1:1/api' } as ToolSettings;
    expect((await problemOf(call({ settings })({ method: 'GET', path: '/v2/user' }))).problem).toBe('unreachable');
  });

  it('calls its hooks before and after, with the rate limit and the error', async () => {
    const calls: unknown[] = [];
    const hooks = {
      before: async () => void calls.push('before'),
      after: async (...what: unknown[]) => void calls.push(what),
    };
    const reset = String(Math.floor(Date.now() / 1_000) + 30);
    const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': reset };
    const rate = { limit: 100, remaining: 7, reset_at: new Date(Number(reset) * 1_000).toISOString() };
    json(200, {}, headers);
    await call({ hooks })({ method: 'GET', path: '/v2/user' });
    json(429, { err: 'x', ECODE: 'APP_002' }, headers);
    const limited = await problemOf(call({ hooks })({ method: 'GET', path: '/v2/user' }));
    answer = (request) => request.socket.destroy();
    const away = await problemOf(call({ hooks })({ method: 'GET', path: '/v2/user' }));
    expect(calls).toEqual(['before', [rate, undefined], 'before', [rate, limited], 'before', [undefined, away]]);
  });

  it('is not sent if the hook before it throws', async () => {
    const before = () => Promise.reject(new ToolError('rate_limited', 'used up'));
    expect((await problemOf(call({ hooks: { before } })({ method: 'GET', path: '/v2/user' }))).problem).toBe('rate_limited');
    expect(received).toEqual([]);
  });
});

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
