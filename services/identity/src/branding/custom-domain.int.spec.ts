import {
  findOrganizationOfHost,
  readBranding,
  saveBranding,
  updateOrganization,
  verifyCustomDomain,
  type Branding,
  type Context,
} from '@tandem/contracts';
import { anonymous, gateway, IdentityUnderTest } from '../../test/identity';
import { DnsServer } from '../../test/dns-server';
import { TeamUnderTest } from '../../test/team';

let dns: DnsServer;
let identity: IdentityUnderTest;
beforeAll(async () => {
  dns = await DnsServer.start();
  identity = await IdentityUnderTest.start({
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://tandem.example',
    PORTAL_DOMAINS: 'desk.example',
  });
});
afterAll(async () => {
  await identity?.close();
  dns?.close();
});
beforeEach(() => {
  dns.isSilent = false;
  dns.beforeAnswer = () => Promise.resolve();
});

const save = (ctx: Context, body: unknown) => identity.call(saveBranding, ctx, { body });
const verify = (ctx: Context | undefined) => identity.call(verifyCustomDomain, ctx);
const ofHost = async (host: string) => (await identity.call(findOrganizationOfHost, gateway, { query: { host } })).data;
let count = 0;
const aDomain = () => `support.customer-${++count}.example`;
async function claim(team: TeamUnderTest, domain = aDomain()) {
  const { status, data } = await save(team.admin.ctx, { custom_domain: domain });
  expect(status).toBe(200);
  return data as unknown as Branding;
}
/** Publishes the record as the owner of the domain would. */
const publish = ({ custom_domain_record: record }: Branding, pieces = [record!.value]) =>
  dns.records.set(record!.name, [['v=spf1 -all'], pieces]);
async function verified(domain = aDomain()) {
  const team = await TeamUnderTest.found(identity);
  publish(await claim(team, domain));
  expect((await verify(team.admin.ctx)).status).toBe(200);
  return team;
}

describe('a custom domain', () => {
  it('is lower-cased and returned with its DNS record', async () => {
    const team = await TeamUnderTest.found(identity);
    expect(await claim(team, ' Support.ACME.example ')).toMatchObject({
      custom_domain: 'support.acme.example',
      custom_domain_verified: false,
      custom_domain_record: { name: '_tandem.support.acme.example', value: expect.stringMatching(/^tandem-verification=[\w-]{43}$/) },
    });
  });

  it('serves its organization only after it is verified', async () => {
    const team = await TeamUnderTest.found(identity);
    const claimed = await claim(team);
    const domain = claimed.custom_domain!;
    expect(await ofHost(domain)).toBeNull();
    publish(claimed);
    expect(await verify(team.admin.ctx)).toMatchObject({ status: 200, data: { custom_domain_verified: true } });
    expect(dns.asked.at(-1)).toBe(`TXT _tandem.${domain}`);
    for (const host of [domain, `${domain.toUpperCase()}:8443`, `${domain}.`]) expect(await ofHost(host)).toMatchObject({ id: team.id });
    expect(await ofHost(`www.${domain}`)).toBeNull();
    const [, event] = await team.events('branding.updated');
    expect(event?.data).toMatchObject({ branding: { custom_domain: domain, custom_domain_verified: true } });
    expect((await team.log()).at(-1)).toMatchObject({ type: 'custom_domain.verified', actor_id: team.admin.user_id, target: domain });
  });

  it('is verified by a record of several strings', async () => {
    const team = await TeamUnderTest.found(identity);
    const claimed = await claim(team);
    const { value } = claimed.custom_domain_record!;
    publish(claimed, [value.slice(0, 20), value.slice(20)]);
    expect((await verify(team.admin.ctx)).status).toBe(200);
  });

  it('can have two labels', async () => {
    const team = await verified('customer-of-two.example');
    expect(await ofHost('customer-of-two.example')).toMatchObject({ id: team.id });
  });

  it('is not resolved by its first label', async () => {
    const named = await TeamUnderTest.found(identity);
    await identity.call(updateOrganization, named.admin.ctx, { params: { id: named.id }, body: { subdomain: 'helpers' } });
    const team = await verified('helpers.customer.example');
    expect(await ofHost('helpers.customer.example')).toMatchObject({ id: team.id });
    expect(await ofHost('helpers.bigbank.example')).toBeNull();
    expect(await ofHost('helpers.tandem.example')).toMatchObject({ id: named.id });
  });

  it('is looked up until it is verified, and published once', async () => {
    const team = await verified();
    const [asked, events] = [dns.asked.length, (await team.events('branding.updated')).length];
    expect(await verify(team.admin.ctx)).toMatchObject({ status: 200, data: { custom_domain_verified: true } });
    expect([dns.asked.length, (await team.events('branding.updated')).length]).toEqual([asked, events]);
  });

  it('stays verified when other settings change; a new domain has a new token', async () => {
    const team = await verified();
    const before = (await save(team.admin.ctx, { primary_color: '#111111' })).data as unknown as Branding;
    expect(before.custom_domain_verified).toBe(true);
    const domain = before.custom_domain!;
    const after = await claim(team);
    expect(after.custom_domain_verified).toBe(false);
    expect(after.custom_domain_record!.value).not.toBe(before.custom_domain_record!.value);
    expect([await ofHost(domain), await ofHost(after.custom_domain!)]).toEqual([null, null]);
    // After changing back, the old record proves nothing.
    await claim(team, domain);
    expect((await verify(team.admin.ctx)).data.code).toBe('custom_domain.not_verified');
  });

  it('is removed by null or an empty string', async () => {
    for (const custom_domain of [null, ' ']) {
      const team = await verified();
      const { custom_domain: domain } = (await identity.call(readBranding, team.admin.ctx)).data as unknown as Branding;
      expect((await save(team.admin.ctx, { custom_domain })).data).toMatchObject({
        custom_domain: null,
        custom_domain_verified: false,
        custom_domain_record: null,
      });
      expect(await ofHost(domain!)).toBeNull();
    }
  });

  it.each([
    'tandem.example',
    'acme.tandem.example',
    'desk.example',
    'acme.desk.example',
    'a.b.tandem.example',
    'acme.localhost',
    `${'a.'.repeat(122)}example`,
  ])("is rejected if it is the product's, not public, or too long: %s", async (custom_domain) => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await save(team.admin.ctx, { custom_domain });
    expect([status, data.errors?.[0]?.path]).toEqual([422, 'custom_domain']);
    expect((await identity.call(readBranding, team.admin.ctx)).data.custom_domain).toBeNull();
  });
  it("may end like the product's domain", async () => {
    const team = await TeamUnderTest.found(identity);
    await claim(team, 'nottandem.example');
  });
});

describe('an unverified domain', () => {
  const notVerified = { status: 422, data: { code: 'custom_domain.not_verified' } };
  it.each([
    ['without a record', () => undefined],
    ['with another value', (claimed: Branding) => publish(claimed, ['tandem-verification=somebody-elses'])],
    ['with additional text', (claimed: Branding) => publish(claimed, [`x${claimed.custom_domain_record!.value}`])],
    [
      'with the record on the domain itself',
      (claimed: Branding) => dns.records.set(claimed.custom_domain!, [[claimed.custom_domain_record!.value]]),
    ],
  ])('stays unverified %s', async (_what, prepare) => {
    const team = await TeamUnderTest.found(identity);
    prepare(await claim(team));
    const before = await team.state();
    expect(await verify(team.admin.ctx)).toMatchObject(notVerified);
    expect(await team.state()).toEqual(before);
  });

  it('stays unverified within seconds if DNS does not respond', async () => {
    const team = await TeamUnderTest.found(identity);
    publish(await claim(team));
    dns.isSilent = true;
    // Waits for five seconds; without that limit it would wait forever.
    expect(await verify(team.admin.ctx)).toMatchObject(notVerified);
  });

  it('is not verified by a lookup of the previous domain', async () => {
    const team = await TeamUnderTest.found(identity);
    publish(await claim(team));
    dns.beforeAnswer = () => claim(team);
    expect(await verify(team.admin.ctx)).toMatchObject(notVerified);
    expect((await identity.call(readBranding, team.admin.ctx)).data.custom_domain_verified).toBe(false);
  });

  it('cannot be verified if none has been entered', async () => {
    const team = await TeamUnderTest.found(identity);
    expect(await verify(team.admin.ctx)).toMatchObject(notVerified);
  });

  it('can be verified only by admins', async () => {
    const team = await TeamUnderTest.found(identity);
    publish(await claim(team));
    const asked = dns.asked.length;
    for (const { ctx } of [await team.join('manager'), await team.join('agent')])
      expect(await verify(ctx)).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    for (const ctx of [undefined, anonymous(team.id)]) expect((await verify(ctx)).status).toBe(401);
    expect(dns.asked.length).toBe(asked);
  });
});

describe('a domain that two organizations have entered', () => {
  const taken = { status: 409, data: { code: 'custom_domain.taken' } };

  it('belongs to the one that verifies it', async () => {
    const domain = aDomain();
    const [one, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    await claim(one, domain);
    publish(await claim(other, domain));
    expect((await verify(one.admin.ctx)).data.code).toBe('custom_domain.not_verified');
    expect((await verify(other.admin.ctx)).status).toBe(200);
    expect(await ofHost(domain)).toMatchObject({ id: other.id });
  });

  it('cannot be entered once another has verified it', async () => {
    const domain = aDomain();
    await verified(domain);
    const late = await TeamUnderTest.found(identity);
    expect(await save(late.admin.ctx, { custom_domain: domain })).toMatchObject(taken);
    expect((await identity.call(readBranding, late.admin.ctx)).data.custom_domain).toBeNull();
  });

  it('is verified by only one, even concurrently', async () => {
    const domain = aDomain();
    const teams = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const values = [];
    for (const team of teams) values.push([(await claim(team, domain)).custom_domain_record!.value]);
    dns.records.set(`_tandem.${domain}`, values);
    const answers = await Promise.all(teams.map(({ admin }) => verify(admin.ctx)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(taken);
  });
});
