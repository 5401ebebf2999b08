import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operation, type AppError } from '@tandem/contracts';
import { verifyContext } from '@tandem/platform';
import { filledPath, Services } from '..';
import { staff } from '@tandem/testing';
import * as z from 'zod';

const CONTEXT_SECRET = ['a secret of tests, longer than thirty-two characters'];
const read = operation({
  name: 'x.read',
  summary: '',
  owner: 'tickets',
  method: 'GET',
  path: '/x',
  allow: 'public',
  output: z.object({ n: z.number() }),
});
const write = operation({ ...read, etag: undefined, name: 'x.write', method: 'POST', input: { body: z.object({}) } });
const ctx = staff('agent');

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (cause: unknown) => cause as AppError,
  );

describe('a service that is down', () => {
  it('is 503 with Retry-After immediately, and is called again when it is back', async () => {
    const server = createServer((_, response) => response.end('{"success":true,"data":{"n":1},"meta":{}}'));
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const services = new Services({ SERVICE_URLS: { tickets: url }, CONTEXT_SECRET });
    for (let attempt = 0; attempt < 6; attempt++) {
      // With a time limit beyond that of the test: the call must fail before it.
      const error = await errorOf(services.forward(read, ctx, { path: '/x', headers: {}, timeoutMs: 600_000 }));
      expect(error).toMatchObject({ code: 'service.unavailable', status: 503, retryAfterSeconds: 2 });
    }
    await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await expect(services.call(read, ctx, {})).resolves.toEqual({ n: 1 });
    await services.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is sent a GET again over a new connection, but no other request', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      if (requests === 1 || request.method === 'POST') request.socket.destroy();
      else response.end('{"success":true,"data":{"n":2},"meta":{}}');
    });
    const services = new Services({ SERVICE_URLS: { tickets: await listening(server) }, CONTEXT_SECRET });
    await expect(services.call(read, ctx, {})).resolves.toEqual({ n: 2 });
    expect(requests).toBe(2);
    await expect(services.call(write, ctx, { body: {} })).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(requests).toBe(3);
    await services.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is unavailable if a proxy answers for it', async () => {
    const server = createServer((_, response) => response.writeHead(502).end('<html>'));
    const services = new Services({ SERVICE_URLS: { tickets: await listening(server) }, CONTEXT_SECRET });
    await expect(services.call(read, ctx, {})).rejects.toMatchObject({ code: 'service.unavailable' });
    const forwarded = await errorOf(services.forward(read, ctx, { path: '/x', headers: {} }));
    expect(forwarded).toMatchObject({ code: 'service.unavailable', retryAfterSeconds: 2 });
    await services.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is still called when one of its replicas has broken many requests at once', async () => {
    const received: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      if (request.method === 'GET') return response.end('{"success":true,"data":{"n":3},"meta":{}}');
      received.push(request);
      if (received.length === 5) for (const { socket } of received) socket.destroy();
    });
    const services = new Services({ SERVICE_URLS: { tickets: await listening(server) }, CONTEXT_SECRET });
    const broken = await Promise.all(Array.from({ length: 5 }, () => errorOf(services.call(write, ctx, { body: {} }))));
    expect(broken.map((error) => error?.code)).toEqual(Array(5).fill('service.unavailable'));
    await expect(services.call(read, ctx, {})).resolves.toEqual({ n: 3 });
    await services.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a call', () => {
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  let server: Server;
  let services: Services;
  let changes: { user_id: string; access_version: number }[];
  const announceVersion = jest.fn<Promise<void>, [string, string]>();
  beforeEach(async () => {
    changes = [];
    server = createServer((request, response) => handle(request, response));
    const config = { SERVICE_URLS: { tickets: await listening(server) }, CONTEXT_SECRET };
    services = new Services(config, (change) => changes.push(change), announceVersion);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await Promise.all([services.close(), new Promise((resolve) => server.close(resolve))]);
  });
  const problem = (status: number, body: object, headers = {}) =>
    (handle = (_, response) => response.writeHead(status, headers).end(JSON.stringify(body)));

  it('signs the context, names the request, and drops headers that belong to one connection', async () => {
    let headers: IncomingMessage['headers'] = {};
    handle = (request, response) => {
      headers = request.headers;
      response.end('{"success":true,"data":{"n":1},"meta":{}}');
    };
    const given = { 'If-None-Match': '"v1"', Connection: 'close', Host: 'evil.example', 'Transfer-Encoding': 'chunked', Expect: 'x' };
    await services.forward(read, ctx, { path: '/x', headers: given });
    expect(headers).toMatchObject({ 'if-none-match': '"v1"', 'x-request-id': ctx.request_id, 'x-tandem-request-id': ctx.request_id });
    expect(verifyContext(headers['x-tandem-context'] as string, CONTEXT_SECRET)).toEqual(ctx);
    expect([headers.host, headers.connection, headers.expect]).toEqual([expect.stringMatching(/^127\.0\.0\.1:/), 'keep-alive', undefined]);
  });

  it('fills in the path, and sends lists and empty members of a query as the owner reads them', async () => {
    let url: string | undefined;
    handle = (request, response) => {
      url = request.url;
      response.end('{"success":true,"data":{"n":1},"meta":{}}');
    };
    const search = operation({
      ...read,
      etag: undefined,
      name: 'x.search',
      path: '/x/:id',
      input: { params: z.object({ id: z.string() }), query: z.object({ tag: z.array(z.string()), after: z.string().nullish() }) },
    });
    await services.call(search, ctx, { params: { id: 'ä/b' }, query: { tag: ['a', 'b&c'], after: null } });
    expect(url).toBe('/x/%C3%A4%2Fb?tag=a%2Cb%26c');
  });

  it('returns the page of a list', async () => {
    const pagination = { page: 1, limit: 20, total: 1, next_cursor: null };
    const list = operation({ ...read, etag: undefined, name: 'x.list', paginated: true });
    handle = (_, response) => response.end(JSON.stringify({ success: true, data: [{ n: 1 }], meta: { pagination } }));
    await expect(services.call(list, ctx, {})).resolves.toEqual({ items: [{ n: 1 }], pagination });
  });

  it('returns nothing for a response without content', async () => {
    handle = (_, response) => response.writeHead(204).end();
    await expect(services.call(read, ctx, {})).resolves.toBeUndefined();
  });

  it('throws the problem of the owner, with its detail, fields and time to retry', async () => {
    const errors = [{ path: 'text', code: 'invalid', message: 'Write something' }];
    problem(422, { code: 'request.invalid', detail: 'Check the fields', errors }, { 'retry-after': '7' });
    await expect(services.call(read, ctx, {})).rejects.toMatchObject({
      code: 'request.invalid',
      detail: 'Check the fields',
      fields: errors,
      retryAfterSeconds: 7,
    });
  });

  it('throws an internal error for a code that this release does not know, without its detail', async () => {
    problem(418, { code: 'teapot.unknown', detail: 'secret' });
    const error = await services.call(read, ctx, {}).catch((cause: unknown) => cause as AppError);
    expect(error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('reports changes of access before it returns', async () => {
    const user_id = '01980000-0000-7000-8000-000000000001';
    handle = (_, response) => response.setHeader('x-tandem-access', `${user_id}=4`).end('{"success":true,"data":{"n":1},"meta":{}}');
    const call = services.call(read, ctx, {}).then(() => changes.length);
    expect(await call).toBe(1);
    expect(changes).toEqual([{ user_id, access_version: 4 }]);
  });

  it('whose change cannot be announced fails, but a read does not, and neither counts against the service', async () => {
    handle = (_, response) => response.setHeader('x-tandem-version-pending', 'true').end('{"success":true,"data":{"n":1},"meta":{}}');
    announceVersion.mockRejectedValue(new Error('Redis does not answer'));
    for (let n = 0; n < 6; n++)
      expect(await errorOf(services.call(write, ctx, { body: {} }))).toMatchObject({ code: 'service.unavailable' });
    await expect(services.call(read, ctx, {})).resolves.toEqual({ n: 1 });
    announceVersion.mockResolvedValue();
    await expect(services.call(write, ctx, { body: {} })).resolves.toEqual({ n: 1 });
    expect(announceVersion).toHaveBeenLastCalledWith('tickets', ctx.organization_id);
  });

  it('gives up after its own time limit', async () => {
    handle = () => undefined;
    const call = services.forward(read, ctx, { path: '/x', headers: {}, timeoutMs: 100 });
    await expect(call).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('checks readiness by the health endpoint', async () => {
    handle = (request, response) => response.writeHead(request.url === '/health/ready' ? 200 : 404).end();
    await expect(services.check('tickets')).resolves.toBeUndefined();
    handle = (_, response) => response.writeHead(503).end();
    await expect(services.check('tickets')).rejects.toThrow('tickets is not ready: 503');
    await expect(services.check('identity')).rejects.toThrow('no address for the service identity');
  });

  it('can be closed twice', async () => {
    await services.close();
    await expect(services.close()).resolves.toBeUndefined();
  });
});

describe('a path', () => {
  it('is filled with encoded parameters, and refuses a missing one', () => {
    expect(filledPath('/a/:id/b/:other', { id: 'x/../y', other: 3 })).toBe('/a/x%2F..%2Fy/b/3');
    expect(() => filledPath('/a/:id', {})).toThrow('needs id');
  });
});
