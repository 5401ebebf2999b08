import type { AuditEntry, PublicOrganization } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

/** Far less than the 30 seconds for which a gateway caches hosts, so only the event can have updated it. */
const soon = { timeoutMs: 15_000 };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

describe('another organization', () => {
  it('returns the same error as an organization that does not exist', async () => {
    const [ada, bob] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
    for (const id of [bob.organization.id, '01980000-0000-7000-8000-000000000001'])
      for (const answer of [
        await ada.browser.get(`/organizations/${id}`),
        await ada.browser.patch(`/organizations/${id}`, { name: 'Mine' }),
      ]) {
        expect([codeOf(answer), answer.body.title]).toEqual(['404 organization.not_found', 'Organization not found']);
        expect(answer.body.detail).toBeUndefined();
      }
    const portal = await app.browser(`unknown.${ada.browser.host}`).get('/public/organization');
    expect([portal.status, portal.body.detail]).toEqual([404, 'Organization not found for this domain']);
  });
});

describe('the prefix of ticket numbers', () => {
  it('can be changed until the first ticket, and the change is in the audit log with the client address', async () => {
    const ada = await app.signUpOwner('Ada Engines');
    const save = (prefix: string) => ada.browser.send('PUT', '/ticket-prefix', { body: { prefix } });
    await eventually(async () => expect((await ada.browser.get('/ticket-prefix')).data).toMatchObject({ editable: true }));
    expect((await save('wrench')).body.detail).toBe('Enter 2 to 5 letters');
    expect((await save('tool')).data).toEqual({ prefix: 'TOOL', editable: true });
    expect((await app.ticket(ada.browser)).ticket_number).toBe('TOOL-0001');
    expect(codeOf(await save('late'))).toBe('409 ticket_prefix.in_use');
    await eventually(async () =>
      expect((await ada.browser.get(`/organizations/${ada.organization.id}`)).data).toMatchObject({ ticket_prefix: 'TOOL' }),
    );
    await eventually(async () => {
      const { data } = await ada.browser.get<AuditEntry[]>('/audit-log?type=organization.updated');
      const changes = { ticket_prefix: { from: expect.any(String) as string, to: 'TOOL' } };
      expect(data).toMatchObject([{ actor_email: ada.email, ip: expect.stringMatching(/^198\./) as string, changes }]);
    });
  });
});

describe('a changed subdomain', () => {
  let ada: OwnerSession;
  let bob: OwnerSession;
  let gateways: string[];

  beforeAll(async () => {
    [ada, bob] = await Promise.all([app.signUpOwner('Ada Engines'), app.signUpOwner('Bob Bakery')]);
    gateways = [app.gateway.url, (await app.secondGateway()).url];
  });

  const portals = (subdomain: string) =>
    gateways.map((url) => new Browser(url, `${subdomain}.${ada.browser.host}`, { 'x-forwarded-for': anIpAddress() }));
  const change = async ({ browser, organization }: OwnerSession, subdomain: string) =>
    expect((await browser.patch(`/organizations/${organization.id}`, { subdomain })).status).toBe(200);
  /** The organization that each replica serves on the portal of this subdomain. */
  const shown = (subdomain: string) =>
    Promise.all(
      portals(subdomain).map(async (portal) => {
        const answer = await portal.get<PublicOrganization>('/public/organization');
        return answer.status === 200 ? answer.data.name : codeOf(answer);
      }),
    );

  it('moves the portal to its new address on every replica, and frees the old one for another organization', async () => {
    const notFound = '404 organization.not_found';
    const old = ada.organization.subdomain!;
    expect(await shown(old)).toEqual(['Ada Engines', 'Ada Engines']);
    expect(await shown('ada-moved')).toEqual([notFound, notFound]);
    await change(ada, 'ada-moved');
    await eventually(async () => expect(await shown('ada-moved')).toEqual(['Ada Engines', 'Ada Engines']), soon);
    await eventually(async () => expect(await shown(old)).toEqual([notFound, notFound]), soon);
    await change(bob, old);
    await eventually(async () => expect(await shown(old)).toEqual(['Bob Bakery', 'Bob Bakery']), soon);
  });
});
