import { readAnalytics, systemContext, type Analytics } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { organizationOf } from '@tandem/testing';
import { AnalyticsUnderTest, envelope, userOf } from '../../test/analytics-under-test';
import { IdentityProjection } from '../projection/identity-projection';
import type { AnalyticsSchema } from '../schema';
import { markInstallationAnnounced } from './installation.store';
import { InstallationWorker } from './installation.worker';

let analytics: AnalyticsUnderTest;
let db: Database<AnalyticsSchema>;
let worker: InstallationWorker;
beforeAll(async () => {
  analytics = await AnalyticsUnderTest.start();
  db = analytics.db;
  worker = new InstallationWorker(db);
});
afterAll(() => analytics?.close());

const emitted = (type: string, organization_id: string | null = null) =>
  db.asSystem('test', async (tx) => {
    const query = tx.selectFrom('outbox').select(['organization_id', 'envelope']).where('type', '=', type);
    return (await query.execute()).filter((row) => row.organization_id === organization_id).map((row) => row.envelope.data);
  });

it('a new database is announced once, even if a process dies in the middle or two run at the same time', async () => {
  const dying = db.asSystem('test', async (tx) => {
    await markInstallationAnnounced(tx);
    throw new Error('killed before the commit');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await worker.findUnannounced()).toHaveLength(1);
  await Promise.all([worker.announce(), worker.announce()]);
  expect(await emitted('analytics.installed')).toEqual([{ installed_at: expect.stringMatching(/^20\d\d-/) }]);
  expect(await worker.findUnannounced()).toEqual([]);
  await worker.announce();
  expect(await emitted('analytics.installed')).toHaveLength(1);
});

describe('an organization that existed before', () => {
  const projection = new IdentityProjection();
  const snapshot = (organization_id: string, sequence = 7) => {
    const organization = organizationOf(organization_id, { created_at: '2020-01-01T00:00:00.000Z', time_zone: 'Asia/Kolkata' });
    return analytics.inTenant(organization_id, (tx, ctx) => projection.onSnapshot(ctx, { organization, sequence }, tx, envelope(9)));
  };
  const requests = (organization_id: string) => emitted('analytics.rebuild_requested', organization_id);
  const read = async (organization_id: string) => (await analytics.call<Analytics>(userOf(organization_id), readAnalytics)).data;

  it('gets its time zone, and all tickets are requested once, even from repeated snapshots', async () => {
    const organization_id = newId();
    await snapshot(organization_id);
    await snapshot(organization_id);
    expect(await requests(organization_id)).toHaveLength(1);
    expect(await read(organization_id)).toMatchObject({ time_zone: 'Asia/Kolkata', is_rebuilding: true });
  });
  it('keeps newer states of the organization and its members', async () => {
    const organization_id = newId();
    await analytics.setTimeZone(organization_id, 'Europe/Berlin', 8);
    await snapshot(organization_id);
    expect(await requests(organization_id)).toHaveLength(1);
    expect((await read(organization_id)).time_zone).toBe('Europe/Berlin');
    const user_id = await analytics.addMember(organization_id, { sequence: 3, role: 'admin' });
    const member = {
      user_id,
      organization_id,
      email: 'old@example.com',
      first_name: null,
      last_name: null,
      role: 'agent' as const,
      is_active: true,
      mfa_enabled: false,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    const other = { ...member, user_id: newId(), email: 'new@example.com' };
    const members = [
      { member, sequence: 2 },
      { member: other, sequence: 1 },
    ];
    const deliver = () => analytics.inTenant(organization_id, (tx, ctx) => projection.onMemberSnapshots(ctx, { members }, tx));
    await deliver();
    await deliver();
    const stored = await analytics.inTenant(organization_id, (tx) =>
      tx.selectFrom('members').select(['user_id', 'role', 'email']).execute(),
    );
    expect(stored).toHaveLength(2);
    expect(stored).toContainEqual({ user_id, role: 'admin', email: expect.not.stringMatching('old') });
    expect(stored).toContainEqual({ user_id: other.user_id, role: 'agent', email: 'new@example.com' });
  });
  it('requests its tickets again if the process dies in the middle', async () => {
    const organization_id = newId();
    const ctx = systemContext(organization_id, 'test');
    const organization = organizationOf(organization_id, { created_at: '2020-01-01T00:00:00.000Z' });
    const dying = db.forTenant(ctx, async (tx) => {
      await projection.onSnapshot(ctx, { organization, sequence: 2 }, tx, envelope(9));
      throw new Error('killed before the commit');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await requests(organization_id)).toEqual([]);
    await snapshot(organization_id);
    expect(await requests(organization_id)).toHaveLength(1);
  });
});
