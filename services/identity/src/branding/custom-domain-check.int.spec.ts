import {
  checkCustomDomain,
  findOrganizationOfHost,
  readBranding,
  saveBranding,
  systemContext,
  verifyCustomDomain,
  type Branding,
  type OutputOf,
} from '@tandem/contracts';
import { sql } from 'kysely';
import { gateway, IdentityUnderTest } from '../../test/identity';
import { DnsServer } from '../../test/dns-server';
import { TeamUnderTest } from '../../test/team';
import { CustomDomainWorker } from './custom-domain.worker';

let dns: DnsServer;
let identity: IdentityUnderTest;
let worker: CustomDomainWorker;
beforeAll(async () => {
  dns = await DnsServer.start();
  // The service's own sweep must not run: these tests run the checks.
  identity = await IdentityUnderTest.start({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://tandem.example', SWEEP_MS: '3600000' });
  worker = new CustomDomainWorker(identity.db, { DNS_SERVERS: [dns.address] });
});
afterAll(async () => {
  await identity?.close();
  dns?.close();
});
beforeEach(() => {
  dns.beforeAnswer = () => Promise.resolve();
});

let count = 0;
async function aDomain() {
  const team = await TeamUnderTest.found(identity);
  const domain = `help.checked-${++count}.example`;
  const { data } = await identity.call(saveBranding, team.admin.ctx, { body: { custom_domain: domain } });
  const record = (data as unknown as Branding).custom_domain_record!;
  const publish = () => dns.records.set(record.name, [[record.value]]);
  publish();
  expect((await identity.call(verifyCustomDomain, team.admin.ctx)).status).toBe(200);
  return { team, domain, record, publish, remove: () => dns.records.delete(record.name) };
}
type Domain = Awaited<ReturnType<typeof aDomain>>;

const check = ({ team }: Domain) => worker.check(systemContext(team.id, 'test'), { organization_id: team.id });
const branding = async ({ team }: Domain) => (await identity.call(readBranding, team.admin.ctx)).data as unknown as Branding;
const hostOf = async ({ domain }: Domain) =>
  (await identity.call(findOrganizationOfHost, gateway, { query: { host: domain } })).data as unknown as OutputOf<
    typeof findOrganizationOfHost
  >;
/** Moves the check times back by `days` days. */
const pass = ({ team }: Domain, days: number) =>
  identity.db.forTenant({ organization_id: team.id }, (tx) =>
    tx
      .updateTable('branding')
      .set({
        custom_domain_checked_at: sql<string>`custom_domain_checked_at - make_interval(secs => ${days * 86_400})`,
        custom_domain_missing_since: sql<string>`custom_domain_missing_since - make_interval(secs => ${days * 86_400})`,
      })
      .where('organization_id', '=', team.id)
      .execute(),
  );
const isDue = async ({ team }: Domain) => (await worker.findDue()).some(({ id }) => id === team.id);
const auditTypes = async ({ team }: Domain) =>
  (await team.log()).map(({ type }) => type).filter((type) => type.startsWith('custom_domain.'));

describe('a verified custom domain', () => {
  it('is checked daily, as one job', async () => {
    const domain = await aDomain();
    expect(await isDue(domain)).toBe(false);
    await pass(domain, 1.01);
    const jobs = (await worker.findDue()).filter(({ id }) => id === domain.team.id);
    expect(jobs).toEqual([expect.objectContaining({ data: { organization_id: domain.team.id } })]);
    expect(checkCustomDomain.data.parse(jobs[0]!.data)).toEqual(jobs[0]!.data);
    const events = (await domain.team.events('branding.updated')).length;
    await check(domain);
    expect([await isDue(domain), (await branding(domain)).custom_domain_missing_since]).toEqual([false, null]);
    expect((await domain.team.events('branding.updated')).length).toBe(events);
  });

  it('remains in use for three days without its record', async () => {
    const domain = await aDomain();
    domain.remove();
    await check(domain);
    expect(await branding(domain)).toMatchObject({ custom_domain_verified: true, custom_domain_missing_since: expect.any(String) });
    await pass(domain, 2.9);
    await check(domain);
    expect((await branding(domain)).custom_domain_verified).toBe(true);
    expect(await domain.team.events('custom_domain.lapsed')).toEqual([]);
  });

  it('lapses after three days: links use the subdomain, admins are notified once, the pages stay', async () => {
    const domain = await aDomain();
    domain.remove();
    await check(domain);
    await pass(domain, 3);
    await check(domain);
    await pass(domain, 1);
    await check(domain);
    expect((await branding(domain)).custom_domain_verified).toBe(false);
    const [event, ...more] = await domain.team.events('custom_domain.lapsed');
    expect(event).toMatchObject({ subject: domain.team.id, data: { domain: domain.domain, record: domain.record } });
    expect(more).toEqual([]);
    expect((await domain.team.events('branding.updated')).at(-1)).toMatchObject({ data: { branding: { custom_domain_verified: false } } });
    expect(await hostOf(domain)).toMatchObject({ id: domain.team.id, custom_domain: null });
    const other = await TeamUnderTest.found(identity);
    expect((await identity.call(saveBranding, other.admin.ctx, { body: { custom_domain: domain.domain } })).data.code).toBe(
      'custom_domain.taken',
    );
  });

  it('is released after 30 days: its host has no organization, and another one can verify it', async () => {
    const domain = await aDomain();
    domain.remove();
    await check(domain);
    await pass(domain, 3);
    await check(domain);
    await pass(domain, 27);
    await check(domain);
    expect(await branding(domain)).toMatchObject({ custom_domain_verified: false, custom_domain_missing_since: null });
    expect(await hostOf(domain)).toBeNull();
    expect(await isDue(domain)).toBe(false);
    const other = await TeamUnderTest.found(identity);
    expect((await identity.call(saveBranding, other.admin.ctx, { body: { custom_domain: domain.domain } })).status).toBe(200);
    expect(await auditTypes(domain)).toEqual(['custom_domain.verified', 'custom_domain.lapsed', 'custom_domain.released']);
  });

  it.each(['the daily check', 'an admin'])('is restored if %s finds the record again', async (who) => {
    const domain = await aDomain();
    domain.remove();
    await check(domain);
    await pass(domain, 4);
    await check(domain);
    domain.publish();
    if (who === 'an admin') expect((await identity.call(verifyCustomDomain, domain.team.admin.ctx)).status).toBe(200);
    else await check(domain);
    expect(await branding(domain)).toMatchObject({ custom_domain_verified: true, custom_domain_missing_since: null });
    expect((await auditTypes(domain)).at(-1)).toBe('custom_domain.restored');
    expect((await domain.team.events('branding.updated')).at(-1)).toMatchObject({ data: { branding: { custom_domain_verified: true } } });
  });

  it('is updated once by two concurrent checks', async () => {
    const domain = await aDomain();
    domain.remove();
    await check(domain);
    await pass(domain, 3);
    await Promise.all([check(domain), check(domain)]);
    expect(await domain.team.events('custom_domain.lapsed')).toHaveLength(1);
  });

  it('ignores a check of the previous domain', async () => {
    const domain = await aDomain();
    domain.remove();
    dns.beforeAnswer = async () => {
      dns.beforeAnswer = () => Promise.resolve();
      await identity.call(saveBranding, domain.team.admin.ctx, { body: { custom_domain: null } });
    };
    await check(domain);
    expect(await branding(domain)).toMatchObject({ custom_domain: null, custom_domain_missing_since: null });
  });
});
