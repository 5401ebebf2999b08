import type { PublicOrganization } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { Browser } from './client';
import { anIpAddress, codeOf, startHouse, type Founder, type House } from './house';

/** Far below the 30 seconds for which a gateway remembers whose a host is: it must have heard of the change. */
const soon = { timeoutMs: 15_000 };

describe('a changed subdomain', () => {
  let house: House;
  let ada: Founder;
  let bob: Founder;
  let gateways: string[];

  beforeAll(async () => {
    house = await startHouse();
    [ada, bob] = await Promise.all([house.founder('Ada Engines'), house.founder('Bob Bakery')]);
    gateways = [house.gateway.url, (await house.secondGateway()).url];
  });

  const portals = (subdomain: string) =>
    gateways.map((url) => new Browser(url, `${subdomain}.${ada.browser.host}`, { 'x-forwarded-for': anIpAddress() }));
  const change = async ({ browser, organization }: Founder, subdomain: string) =>
    expect((await browser.patch(`/organizations/${organization.id}`, { subdomain })).status).toBe(200);
  /** Which organization each replica shows at the portal of this subdomain. */
  const shown = (subdomain: string) =>
    Promise.all(
      portals(subdomain).map(async (portal) => {
        const answer = await portal.get<PublicOrganization>('/public/organization');
        return answer.status === 200 ? answer.data.name : codeOf(answer);
      }),
    );

  it('opens the portal at its new address and closes it at the old one, on every replica, and another may take that', async () => {
    const nobody = '404 organization.not_found';
    const old = ada.organization.subdomain!;
    expect(await shown(old)).toEqual(['Ada Engines', 'Ada Engines']);
    expect(await shown('ada-moved')).toEqual([nobody, nobody]);
    await change(ada, 'ada-moved');
    await eventually(async () => expect(await shown('ada-moved')).toEqual(['Ada Engines', 'Ada Engines']), soon);
    await eventually(async () => expect(await shown(old)).toEqual([nobody, nobody]), soon);
    await change(bob, old);
    await eventually(async () => expect(await shown(old)).toEqual(['Bob Bakery', 'Bob Bakery']), soon);
  });
});
