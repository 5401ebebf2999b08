import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PublicOrganization } from '@tandem/contracts';
import { startForTest } from '@tandem/testing';
import { gateway } from '../src/gateway.module';
import { codeOf, startHouse, type Founder, type House } from './house';

let house: House;
let ada: Founder;
beforeAll(async () => {
  house = await startHouse({ PORTAL_DOMAINS: 'desk.example' });
  ada = await house.founder('Ada Engines');
});

/** A request as its bytes: what no HTTP client would send. */
async function raw(url: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('the organization of a host', () => {
  const organizationAt = (host: string) => house.browser(host).get<PublicOrganization>('/public/organization');

  it('is the subdomain below the product’s own domains and localhost', async () => {
    const { subdomain } = ada.organization;
    for (const host of [`${subdomain}.localhost:3000`, `${subdomain}.desk.example`])
      expect((await organizationAt(host)).data).toMatchObject({ name: 'Ada Engines' });
  });

  it('is none on a third party’s host whose first label is a subdomain', async () => {
    const { subdomain } = ada.organization;
    for (const host of [
      `${subdomain}.bigbank.example`,
      `${subdomain}.desk.example.evil.example`,
      `${subdomain}.com`,
      `www.${subdomain}.localhost`,
    ])
      expect([host, codeOf(await organizationAt(host))]).toEqual([host, '404 organization.not_found']);
  });
});

describe('a request', () => {
  it('with two Host headers is refused, whichever comes first', async () => {
    const own = `Host: ${ada.portalHost}`;
    for (const hosts of [
      [own, 'Host: evil.example'],
      ['Host: evil.example', own],
      [own, own],
    ]) {
      const answer = await raw(house.gateway.url, ['GET /api/v1/public/organization HTTP/1.1', ...hosts]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"code":"request.malformed"/);
    }
  });
  it('whose address names another host than its Host header is refused', async () => {
    const answer = await raw(house.gateway.url, ['GET http://evil.example/api/v1/public/organization HTTP/1.1', `Host: ${ada.portalHost}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
  it('without a Host header is refused', async () => expect(await raw(house.gateway.url, ['GET / HTTP/1.1'])).toMatch(/^HTTP\/1\.1 400 /));
  it('whose address names the host of its Host header is answered as any other', async () => {
    const lines = [`GET http://${ada.portalHost}/api/v1/public/organization HTTP/1.1`, `Host: ${ada.portalHost}`];
    expect(await raw(house.gateway.url, lines)).toMatch(/^HTTP\/1\.1 200 [^]*Ada Engines/);
  });
});

it('signing out empties the browser’s cache', async () => {
  const { browser } = await house.signIn(ada.email);
  const answer = await browser.post('/auth/sign-out');
  expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([200, '"cache"']);
});

describe('readiness of the gateway', () => {
  const names = ['identity', 'tickets', 'notifications', 'integrations', 'analytics', 'redis', 'nats'];
  const readiness = async (url: string) => {
    const answer = await fetch(`${url}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as { status: string; checks: Record<string, string> } };
  };

  it('names each dependency and nothing else of it', async () => {
    expect(await readiness(house.gateway.url)).toEqual({
      status: 200,
      body: { status: 'ok', checks: Object.fromEntries(names.map((name) => [name, 'ok'])) },
    });
  });
  it('is degraded, and still 200, while dependencies are away', async () => {
    const nowhere = 'http://127.0.0.1:9';
    const env = { ...house.env, TICKETS_URL: nowhere, REDIS_URL: 'redis://:x7Kq2v@127.0.0.1:9' };
    const { status, body } = await readiness((await startForTest(gateway, env)).url);
    expect([status, body.status, body.checks]).toEqual([
      ...[200, 'degraded'],
      { ...Object.fromEntries(names.map((name) => [name, 'ok'])), tickets: 'down', redis: 'down' },
    ]);
  });
});
