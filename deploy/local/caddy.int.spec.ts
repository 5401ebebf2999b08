import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withLibraries } from './binaries.ts';
import { repository } from './local-directory.ts';
import { locateCaddy } from './locate.ts';
import { freePort } from './ports.ts';

const portals = ['acme.tandem.example', 'help.acme.example'];
const asked: string[] = [];
const directory = mkdtempSync(join(tmpdir(), 'tandem-caddy-'));
const servers: Server[] = [];
let caddy: ChildProcess;
let ports: { http: number; https: number };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answerOf(request: ReturnType<typeof httpRequest>): Promise<{ status: number; location?: string; body: string }> {
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, location: response.headers.location, body: await text(response) };
}
// Caddy's own certificate authority signed these certificates, and only this test knows it.
const visit = (host: string, path = '/') => {
  const options: RequestOptions = { host: '127.0.0.1', port: ports.https, servername: host, path, headers: { host }, agent: false };
  return answerOf(httpsRequest({ ...options, rejectUnauthorized: false }));
};

beforeAll(async () => {
  const binary = await locateCaddy(() => undefined);
  ports = { http: await freePort(), https: await freePort() };
  const permission = await serve(({ url }, response) => {
    const domain = URL.parse(url!, 'http://localhost')!.searchParams.get('domain')!;
    asked.push(domain);
    response.writeHead(portals.includes(domain) ? 200 : 403).end();
  });
  const gateway = await serve(({ headers, url }, response) => response.end(JSON.stringify({ headers, url })));
  const options = ['local_certs', 'skip_install_trust', 'admin off', `http_port ${ports.http}`, `https_port ${ports.https}`];
  caddy = spawn(binary.file, ['run', '--config', join(repository, 'deploy/caddy/Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      ...withLibraries(binary.libraryPath),
      HOME: directory,
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
      PRODUCT_HOST: 'tandem.example',
      CERTIFICATE_URL: `http://${permission}/`,
      GATEWAY_ADDRESS: gateway,
      CADDY_GLOBAL_OPTIONS: options.join('\n'),
    },
  });
  for (let tries = 0; tries < 100; tries += 1) {
    if (await visit('tandem.example').catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Caddy did not start');
});
afterAll(async () => {
  if (caddy.exitCode === null && caddy.kill()) await once(caddy, 'exit');
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(directory, { recursive: true });
});

describe('deploy/caddy/Caddyfile', () => {
  it('serves the product without asking the gateway for permission', async () => {
    expect((await visit('tandem.example')).status).toBe(200);
    expect(asked).not.toContain('tandem.example');
  });

  it('gets certificates for portals that the gateway allows, and passes on the host and the client address', async () => {
    for (const host of portals) {
      const { status, body } = await visit(host, '/ticket-status/1?email=jonas%40example.com');
      const { url, headers } = JSON.parse(body) as { url: string; headers: Record<string, string> };
      expect([status, url, headers]).toMatchObject([
        200,
        '/ticket-status/1?email=jonas%40example.com',
        { host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
      ]);
    }
    expect(asked).toEqual(expect.arrayContaining(portals));
  });

  it.each(['evil.example', 'nobody.tandem.example'])('gets none for %s', async (host) => {
    await expect(visit(host)).rejects.toThrow();
    expect(asked).toContain(host);
  });

  it('redirects http to https', async () => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: ports.http,
      path: '/a?b',
      headers: { host: 'help.acme.example' },
      agent: false,
    });
    expect(await answerOf(request)).toMatchObject({ status: 308, location: 'https://help.acme.example/a?b' });
  });

  it('is the same on Kubernetes', () => {
    expect(readFileSync(join(repository, 'k8s/components/caddy/Caddyfile'), 'utf8')).toBe(
      readFileSync(join(repository, 'deploy/caddy/Caddyfile'), 'utf8'),
    );
  });
});
