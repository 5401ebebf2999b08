import { enableMetrics, eventually } from '@tandem/testing';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';
import { LeaseLost, ToolClients } from '../tool/tool-client';
import { acquireLease } from './lease.store';

/** Only the test itself processes jobs. */
let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({ RUN: 'http,events' });
});

const aConnection = async () => {
  const organization = sync.integrations.anOrganization();
  return { organization, connection: await sync.integrations.aConnection(organization) };
};
const lease = ({ organization, connection }: Pick<Fixture, 'organization' | 'connection'>) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) => acquireLease(tx, connection.id, 30_000));
const change = ({ organization }: Pick<Fixture, 'organization'>, values: object) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('connections')
      .set(values as never)
      .execute(),
  );
const whoAmI = { method: 'GET', path: '/v2/user' } as const;

describe('a process that was suspended for longer than its lease', () => {
  it('makes no further call, while the new holder and interactive requests do', async () => {
    const fixture = await aConnection();
    const calls = sync.integrations.app.get(ToolClients);
    const first = await lease(fixture);
    const byFirst = calls.forConnection(fixture.connection, 1, first!.lease_id!);
    expect((await byFirst(whoAmI)).status).toBe(200);
    await change(fixture, { lease_until: sql`now() - interval '1 second'` });
    await expect(byFirst(whoAmI)).rejects.toBeInstanceOf(LeaseLost);
    const second = await lease(fixture);
    expect(second!.lease_id).not.toBe(first!.lease_id);
    sync.integrations.clickup.clearLog();
    await expect(byFirst(whoAmI)).rejects.toBeInstanceOf(LeaseLost);
    expect(sync.calls).toEqual([]);
    expect((await calls.forConnection(fixture.connection, 1, second!.lease_id!)(whoAmI)).status).toBe(200);
    expect((await calls.forConnection(fixture.connection, 0)(whoAmI)).status).toBe(200);
  });
});

describe('a rate limit without a known reset time', () => {
  it('lasts a minute: using it up does not block calls forever', async () => {
    const fixture = await aConnection();
    const call = sync.integrations.app.get(ToolClients).forConnection(fixture.connection, 1);
    await change(fixture, {
      rate_limit: 100,
      rate_remaining: 20,
      rate_reset_at: null,
      rate_window_start: sql`now() - interval '30 seconds'`,
    });
    const refused = (await call(whoAmI).catch((error: unknown) => error)) as { problem: string; details: { retry_at: string } };
    expect(refused.problem).toBe('rate_limited');
    expect(Math.round((Date.parse(refused.details.retry_at) - Date.now()) / 1_000)).toBe(30);
    await change(fixture, { rate_window_start: sql`now() - interval '61 seconds'` });
    expect((await call(whoAmI)).status).toBe(200);
    await change(fixture, { rate_limit: 100, rate_remaining: 0, rate_reset_at: null, rate_window_start: null });
    expect((await call(whoAmI)).status).toBe(200);
  });
});

describe('many concurrent calls of one connection', () => {
  it('save their results while ticket events lock the connection, without a deadlock', async () => {
    const fixture = await aConnection();
    const call = sync.integrations.app.get(ToolClients).forConnection(fixture.connection, 1);
    let isOver = false;
    // Takes the same lock as ticket events.
    const wantIt = async () => {
      while (!isOver)
        await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
          tx.selectFrom('connections').select('id').where('id', '=', fixture.connection.id).forKeyShare().execute(),
        );
    };
    const wanting = [wantIt(), wantIt()];
    const errors: unknown[] = [];
    // More callers than the pool has connections, but few enough that none exceeds the time to wait for a connection on a slow machine.
    const caller = async () => {
      for (let n = 0; n < 40; n += 1) await call(whoAmI).catch((error: unknown) => errors.push(error));
    };
    await Promise.all(Array.from({ length: 20 }, caller));
    isOver = true;
    await Promise.all(wanting);
    expect(errors).toEqual([]);
  });
});

describe('acquiring the lease', () => {
  it('does not block ticket events, which only prevent removal of the connection', async () => {
    const fixture = await aConnection();
    await sync.integrations.anIntegration(fixture.connection);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, async (tx) => {
      await acquireLease(tx, fixture.connection.id, 30_000);
      await held;
    });
    const ticket = await sync.tickets.create(fixture.organization);
    await eventually(async () =>
      expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'creating' }),
    );
    release();
    await holding;
  });
});

describe('the metrics of the task sync', () => {
  it('report connections by state, and work that waits on those that can be used', async () => {
    const scrape = await enableMetrics();
    const count = async (state: string) => (await scrape()).value('tandem_task_connections', { provider: 'clickup', state });
    const fixture = await aConnection();
    expect(await count('connected')).toBeGreaterThan(0);
    const before = { rate_limit: await count('rate_limit'), broken: await count('broken'), unreachable: await count('unreachable') };
    const link = {
      ticket_id: newId(),
      integration_id: newId(),
      connection_id: fixture.connection.id,
      organization_id: fixture.organization.id,
      state: 'failed',
      next_sync_at: sql`now() - interval '2 hours'`,
    };
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .insertInto('links')
        .values(link as never)
        .execute(),
    );
    expect((await scrape()).value('tandem_task_sync_oldest_due_seconds')).toBeGreaterThan(7_199);
    expect((await scrape()).value('tandem_task_sync_due_links')).toBeGreaterThan(0);
    await change(fixture, { blocked_until: sql`now() + interval '1 hour'`, block_reason: 'rate_limit' });
    expect(await count('rate_limit')).toBe(before.rate_limit + 1);
    // It does not count as late: nothing can be done until the tool accepts calls again.
    expect((await scrape()).value('tandem_task_sync_oldest_due_seconds')).toBeLessThan(7_199);
    await change(fixture, { block_reason: 'unreachable' });
    expect(await count('unreachable')).toBe(before.unreachable + 1);
    await change(fixture, { state: 'broken', blocked_until: null });
    expect(await count('broken')).toBe(before.broken + 1);
  });
});
