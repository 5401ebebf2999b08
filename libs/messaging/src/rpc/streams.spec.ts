import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { operation } from '@tandem/contracts';
import { staff } from '@tandem/testing';
import * as z from 'zod';
import { Services } from '..';

const upload = operation({
  name: 'x.upload',
  summary: '',
  owner: 'tickets',
  method: 'PUT',
  path: '/files/:token',
  allow: 'public',
  input: { params: z.object({ token: z.string() }) },
  output: z.object({}),
});
const download = operation({ ...upload, etag: undefined, name: 'x.download', method: 'GET' });
const ctx = staff('agent');
const secret = 'a secret of tests, longer than thirty-two characters';
const path = '/files/abc';

describe('Services.stream', () => {
  let server: Server;
  let services: Services;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  beforeEach(async () => {
    server = createServer((request, response) => handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    services = new Services({ SERVICE_URLS: { tickets: url }, CONTEXT_SECRET: [secret] });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await Promise.all([services.close(), new Promise((resolve) => server.close(resolve))]);
  });

  it('sends a body of the announced length unchanged, with the signed context', async () => {
    const bytes = randomBytes(3_000_000);
    let received: { bytes: Buffer; headers: IncomingMessage['headers'] } | undefined;
    handle = (request, response) => {
      void buffer(request).then((body) => {
        received = { bytes: body, headers: request.headers };
        response.writeHead(201).end('{}');
      });
    };
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length), connection: 'close' };
    const answer = await services.stream(upload, ctx, { path, headers, body: Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]) });
    await buffer(answer.body);
    expect(answer.status).toBe(201);
    expect(received?.bytes.equals(bytes)).toBe(true);
    expect(received?.headers).toMatchObject({ 'content-length': '3000000', 'x-request-id': ctx.request_id });
    expect(received?.headers['x-tandem-context']).toBeDefined();
  });

  it('returns a body as a stream, with status and headers', async () => {
    const bytes = randomBytes(2_000_000);
    handle = (_, response) => response.writeHead(206, { 'content-type': 'image/png', 'x-two': ['a', 'b'] }).end(bytes);
    const answer = await services.stream(download, ctx, { path, headers: {} });
    expect([answer.status, answer.headers['content-type'], answer.headers['x-two']]).toEqual([206, 'image/png', 'a, b']);
    expect((await buffer(answer.body)).equals(bytes)).toBe(true);
  });

  it('waits with the rest of a body while the receiver does not read it', async () => {
    let sent = 0;
    handle = (_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        while (sent < 400) {
          sent += 1;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    };
    const answer = await services.stream(download, ctx, { path, headers: {} });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toBeLessThan(400);
    expect((await buffer(answer.body)).length).toBeGreaterThan(64 * 1024 * 390);
  });

  it('reports an upload that the client aborts as its mistake, and keeps calling the owner', async () => {
    handle = (request) => void request.resume().on('error', () => undefined);
    const abort = () => {
      const body = new Readable({ read: () => undefined });
      body.push('the beginning');
      setTimeout(() => body.destroy(new Error('disconnected')), 50);
      return services.stream(upload, ctx, { path, headers: { 'content-length': '1000' }, body });
    };
    // More often than the circuit breaker tolerates failures of the owner.
    for (let i = 0; i < 4; i++) await expect(abort()).rejects.toMatchObject({ code: 'request.malformed', detail: 'Upload incomplete' });
    handle = (_, response) => response.end('fine');
    expect((await buffer((await services.stream(download, ctx, { path, headers: {} })).body)).toString()).toBe('fine');
  });

  it('leaves the body open when the owner refuses it, so that the client can still be answered', async () => {
    handle = (_, response) => response.writeHead(413, { connection: 'close' }).end('{"code":"request.too_large"}');
    const body = new Readable({ read: () => undefined });
    body.push('the beginning');
    const answer = await services.stream(upload, ctx, { path, headers: { 'content-length': '1000' }, body });
    expect(answer.status).toBe(413);
    await buffer(answer.body);
    expect(body.destroyed).toBe(false);
  });

  it('ends with the signal of the caller', async () => {
    handle = () => undefined;
    const request = services.stream(download, ctx, { path, headers: {}, signal: AbortSignal.timeout(100) });
    await expect(request).rejects.toMatchObject({ code: 'request.malformed' });
  });

  it('is 503 for an owner that is down, and needs an address for it', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(services.stream(download, ctx, { path, headers: {} })).rejects.toMatchObject({ code: 'service.unavailable' });
    const other = operation({ ...download, etag: undefined, owner: 'identity' });
    await expect(services.stream(other, ctx, { path, headers: {} })).rejects.toThrow('no address for the service identity');
  });
});
