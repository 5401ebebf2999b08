import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { KeptConnections } from './kept-connections';
import { safeFetch, UnsafeAddress } from './safe-fetch';

describe('safeFetch', () => {
  let server: Server;
  let port: number;
  let asked = 0;
  let connected = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1;
      if (request.url === '/redirect') return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      if (request.url === '/endless') {
        response.writeHead(200);
        const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
        return void response.on('close', () => clearInterval(more));
      }
      if (request.url === '/headers') return void response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end();
      if (request.url === '/silent') return;
      if (request.url === '/close') return void response.writeHead(200, { connection: 'close' }).end();
      if (request.url === '/last') {
        request.socket.on('data', () => request.socket.destroy());
        return void response.writeHead(200).end();
      }
      if (request.url === '/drip') return void response.writeHead(200).write('x');
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = `${request.method} ${request.headers['x-mark'] as string} ${Buffer.concat(chunks).toString()}`;
        response.writeHead(201, { 'X-Answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end(body);
      });
    });
    server.on('connection', () => (connected += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = 0;
    connected = 0;
  });

  const open = { allowHttp: true, allowPrivate: true };
  const here = (path: string) => `http://127.0.0.1:${port}${path}`;
  const leadingTo =
    (...addresses: string[]) =>
    (_name: string, _options: unknown, done: (error: Error | null, found: LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );

  it('sends the request and returns the response', async () => {
    const answer = await safeFetch(here('/'), { ...open, method: 'POST', headers: { 'x-mark': 'm' }, body: Buffer.from('hello') });
    expect(answer).toMatchObject({ status: 201, truncated: false, headers: { 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' } });
    expect(answer.body.toString()).toBe('POST m hello');
  });

  it('opens no connection for a literal private address', async () => {
    await expect(safeFetch(here('/'), { allowHttp: true, ports: [port] })).rejects.toThrow(UnsafeAddress);
    await expect(safeFetch(`http://[::ffff:127.0.0.1]:${port}/`, { allowHttp: true, ports: [port] })).rejects.toThrow(UnsafeAddress);
    expect(asked).toBe(0);
  });

  it('opens no connection for a public name that resolves to a private address', async () => {
    const rebound = safeFetch(`http://hooks.example.org:${port}/`, { allowHttp: true, ports: [port], resolve: leadingTo('127.0.0.1') });
    await expect(rebound).rejects.toThrow(UnsafeAddress);
    expect(asked).toBe(0);
  });

  it('resolves a name once, so that it connects to the checked address', async () => {
    let lookups = 0;
    const rebinding = (_name: string, _options: unknown, done: (error: Error | null, found: LookupAddress[]) => void) => {
      lookups += 1;
      // A rebinding server returns another address at the next lookup, so a second lookup after the check would be unsafe.
      done(null, [{ address: lookups === 1 ? '240.0.0.1' : '127.0.0.1', family: 4 }]);
    };
    await expect(safeFetch(`http://hooks.example.org:${port}/`, { allowHttp: true, ports: [port], resolve: rebinding })).rejects.toThrow(
      UnsafeAddress,
    );
    expect([lookups, asked]).toEqual([1, 0]);
  });

  it('follows no redirect', async () => {
    const answer = await safeFetch(here('/redirect'), open);
    expect(answer).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/latest' } });
    expect(asked).toBe(1);
  });

  it('reads a bounded beginning of an endless answer', async () => {
    const answer = await safeFetch(here('/endless'), { ...open, maxBytes: 5000 });
    expect([answer.body.length, answer.truncated]).toEqual([5000, true]);
  });

  it.each(['/silent', '/drip'])('aborts if a server does not respond in time (%s)', async (path) => {
    await expect(safeFetch(here(path), { ...open, timeoutMs: 200 })).rejects.toThrow(/timeout|aborted/i);
  });

  it('returns the status and the beginning of a body that does not end in time, if that is enough', async () => {
    const answer = await safeFetch(here('/drip'), { ...open, timeoutMs: 200, partialBody: true });
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('x'), truncated: true });
  });

  it('fails if the response headers are larger than 16 KB', async () => {
    await expect(safeFetch(here('/headers'), open)).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  it('reports the address of the server', async () => {
    const addresses: string[] = [];
    await safeFetch(here('/'), { ...open, onConnect: (address) => addresses.push(address) });
    expect(addresses).toEqual(['127.0.0.1']);
  });

  describe('with kept connections', () => {
    const keeping = (owner = 'a', connections = new KeptConnections()) => ({ ...open, keep: { connections, owner } });

    it('uses one connection for calls in succession, and reports its address each time', async () => {
      const addresses: string[] = [];
      const init = { ...keeping(), onConnect: (address: string) => addresses.push(address) };
      for (let i = 0; i < 5; i += 1) expect((await safeFetch(here('/'), init)).status).toBe(201);
      expect([connected, addresses]).toEqual([1, Array(5).fill('127.0.0.1')]);
    });

    it('uses as many as there are calls at once', async () => {
      const init = keeping();
      for (let i = 0; i < 3; i += 1) await Promise.all([1, 2, 3].map(() => safeFetch(here('/'), init)));
      expect(connected).toBe(3);
    });

    it('shares none between owners, or after a response that was not read to its end', async () => {
      const connections = new KeptConnections();
      for (const owner of ['a', 'b', 'a', 'b']) await safeFetch(here('/'), keeping(owner, connections));
      expect(connected).toBe(2);
      for (let i = 0; i < 2; i += 1) await safeFetch(here('/endless'), { ...keeping('c', connections), maxBytes: 5_000 });
      expect(connected).toBe(4);
    });

    it('opens another one if the server has closed it, or closes it during the request', async () => {
      const init = keeping();
      for (const path of ['/close', '/last', '/']) expect((await safeFetch(here(path), init)).status).toBeLessThan(300);
      expect(connected).toBe(3);
    });

    it('checks the addresses again for each call, and does not use a connection to another one', () => {
      const connections = new KeptConnections();
      const connection = { client: undefined as never, address: '203.0.113.1', onClose: () => undefined };
      connections.put('a https://example.com', connection);
      expect(connections.take('a https://example.com', ['203.0.113.2'])).toBeUndefined();
      expect(connections.take('a https://example.com', ['203.0.113.2', '203.0.113.1'])).toBe(connection);
      expect(connections.take('a https://example.com', ['203.0.113.1'])).toBeUndefined();
    });

    it('refuses a name that now resolves to a private address', async () => {
      const init = { allowHttp: true, ports: [port], keep: keeping().keep, resolve: leadingTo('127.0.0.1') };
      await expect(safeFetch(`http://hooks.example.org:${port}/`, init)).rejects.toThrow(UnsafeAddress);
      expect(asked).toBe(0);
    });
  });

  it('aborts in time if a server accepts the connection but never completes TLS', async () => {
    // Reads, so that its end of the connection closes too: an open one keeps the test's process from exiting.
    const silent = createTcpServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const begun = Date.now();
    try {
      const address = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      await expect(safeFetch(address, { ...open, timeoutMs: 300, connectTimeoutMs: 10_000 })).rejects.toThrow(/timeout|aborted/i);
      expect(Date.now() - begun).toBeLessThan(5_000);
    } finally {
      silent.close();
    }
  });
});
