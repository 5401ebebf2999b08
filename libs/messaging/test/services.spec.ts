import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@tandem/contracts';
import { Breaker } from '../src/breaker';
import { filledPath, Services } from '../src';
import { staff } from '@tandem/testing';
import { operation } from '@tandem/contracts';
import * as z from 'zod';

const CONTEXT_SECRET = 'a secret of tests, longer than thirty-two characters';
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

describe('a service that is away', () => {
  it('is 503 with Retry-After at once, and its return is noticed', async () => {
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

  it('gets a GET again over a new connection, and nothing else', async () => {
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

  it('is told from a proxy that answers something else', async () => {
    const server = createServer((_, response) => response.writeHead(502).end('<html>'));
    const services = new Services({ SERVICE_URLS: { tickets: await listening(server) }, CONTEXT_SECRET });
    await expect(services.call(read, ctx, {})).rejects.toMatchObject({ code: 'service.unavailable' });
    await services.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the circuit breaker', () => {
  it('refuses after three failures, lets one trial through per pause, and closes on success', () => {
    let now = 0;
    const breaker = new Breaker(3, 1_000, () => now);
    for (let i = 0; i < 3; i++) {
      expect(breaker.allows()).toBe(true);
      breaker.failed();
    }
    expect(breaker.allows()).toBe(false);
    now = 1_000;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
  });
});

describe('a path', () => {
  it('is filled with encoded parameters, and refuses a missing one', () => {
    expect(filledPath('/a/:id/b/:other', { id: 'x/../y', other: 3 })).toBe('/a/x%2F..%2Fy/b/3');
    expect(() => filledPath('/a/:id', {})).toThrow('needs id');
  });
});
