import { readAnalytics, readTicketStats, systemContext, type Analytics, type Ticket } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { enableMetrics, eventually, ticketOf } from '@tandem/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnalyticsUnderTest, userOf } from '../../test/analytics-under-test';
import { lockUnpackedDays } from '../recount/recount.store';
import { RecountWorker } from '../recount/recount.worker';
import { deleteRebuild, startRebuild } from '../rebuild/rebuild.store';
import type { AnalyticsSchema } from '../schema';
import { computeDays, replaceDays, takeDirtyDays } from './roll-up.store';
import { RollUpWorker } from './roll-up.worker';

let analytics: AnalyticsUnderTest;
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const total = async (organization_id: string) =>
  (await analytics.call<Analytics>(userOf(organization_id), readAnalytics)).data.figures.total_tickets;
const someTickets = (organization_id: string, count: number): Ticket[] =>
  Array.from({ length: count }, (_, n) => ticketOf(organization_id, { created_at: daysAgo(1 + (n % 20)) }));
const later = () => new Date(Date.now() + 60_000).toISOString();

it('leaves its days dirty, and its rows unchanged, if the process dies in the middle', async () => {
  const organization_id = newId();
  for (const ticket of someTickets(organization_id, 20)) await analytics.create(ticket);
  const dirty = await analytics.dirtyDays(organization_id);
  const killed = new Database<AnalyticsSchema>({ url: analytics.database.url });
  const dying = killed.forTenant({ organization_id }, async (tx) => {
    const days = await takeDirtyDays(tx, later(), 8);
    await replaceDays(tx, days, await computeDays(tx, organization_id, days));
    throw new Error('killed before the commit');
  });
  await expect(dying).rejects.toThrow('killed');
  await killed.close();
  expect(await analytics.dirtyDays(organization_id)).toEqual(dirty);
  expect(await total(organization_id)).toBe(20);
  await analytics.rollUp(organization_id);
  expect(await analytics.dirtyDays(organization_id)).toEqual([]);
  expect(await total(organization_id)).toBe(20);
});

it('misses no change while events arrive, and runs in several workers at once', async () => {
  const organization_id = newId();
  const tickets = someTickets(organization_id, 120);
  let isDone = false;
  const rolling = Promise.all(
    [1, 2].map(async () => {
      while (!isDone) await new RollUpWorker(analytics.db).rollUp(systemContext(organization_id, 'test'));
    }),
  );
  for (let n = 0; n < tickets.length; n += 6) {
    await Promise.all(tickets.slice(n, n + 6).map((ticket) => analytics.create(ticket)));
    expect(await total(organization_id)).toBe(n + 6);
  }
  isDone = true;
  await rolling;
  await analytics.rollUp(organization_id);
  expect(await analytics.dirtyDays(organization_id)).toEqual([]);
  expect(await total(organization_id)).toBe(tickets.length);
});

it('is scheduled by the sweep, for organizations with days that were marked a second ago', async () => {
  const organization_id = newId();
  await analytics.create(ticketOf(organization_id));
  await eventually(async () => {
    const pending = await analytics.rollUps.findDirty();
    expect(pending.filter(({ id }) => id === organization_id)).toHaveLength(1);
  });
  await analytics.rollUp(organization_id);
  expect((await analytics.rollUps.findDirty()).filter(({ id }) => id === organization_id)).toEqual([]);
});

it('is repaired by the recount if a stored figure is wrong', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  for (const ticket of someTickets(organization_id, 3)) await analytics.create(ticket);
  await analytics.rollUp(organization_id);
  const scrape = await enableMetrics();
  const logged: unknown[] = [];
  const recount = new RecountWorker(analytics.db, { error: (details: unknown) => logged.push(details) } as never);
  await recount.recount(ctx);
  expect([logged, await analytics.dirtyDays(organization_id)]).toEqual([[], []]);
  await analytics.inTenant(organization_id, (tx) =>
    tx.updateTable('day_roll_ups').set({ backlog_growth: 7 }).where('dimension', '=', 'all').execute(),
  );
  await recount.recount(ctx);
  expect(logged).toHaveLength(1);
  expect(await analytics.dirtyDays(organization_id)).toHaveLength(3);
  await analytics.rollUp(organization_id);
  await recount.recount(ctx);
  expect(logged).toHaveLength(1);
  expect((await scrape()).value('tandem_analytics_drift_total')).toBe(3);
  await analytics.inTenant(organization_id, (tx) =>
    sql`update day_roll_ups set packed = set_byte(packed, 17, 1 + get_byte(packed, 17)) where dimension = 'all'`.execute(tx),
  );
  await recount.recount(ctx);
  expect((await scrape()).value('tandem_analytics_drift_total')).toBe(6);
  await analytics.rollUp(organization_id);
  // Days whose rows are all missing, and wrong counts of the dashboard.
  await analytics.inTenant(organization_id, async (tx) => {
    await tx.deleteFrom('day_roll_ups').execute();
    await tx.updateTable('organizations').set({ total: 9, unassigned: 0 }).execute();
  });
  await recount.recount(ctx);
  expect(logged.at(-1)).toMatchObject({ days: [expect.any(String), expect.any(String), expect.any(String)], hasWrongCounts: true });
  expect((await scrape()).value('tandem_analytics_drift_total')).toBe(10);
  await analytics.rollUp(organization_id);
  const stats = await analytics.call(userOf(organization_id), readTicketStats);
  expect([await total(organization_id), stats.data]).toEqual([3, { total: 3, open: 3, resolved: 0, unassigned: 3 }]);
  await recount.recount(ctx);
  expect(logged).toHaveLength(3);
});

it('is repeated by the recount for all days that a process of another version has computed, without leaving them dirty', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  for (let n = 0; n < 20; n += 1) await analytics.create(ticketOf(organization_id, { created_at: daysAgo(n) }));
  await analytics.rollUp(organization_id);
  const packedDays = () =>
    analytics.inTenant(organization_id, async (tx) => {
      const all = tx.selectFrom('day_roll_ups').select('packed').where('dimension', '=', 'all');
      return (await all.orderBy('day').execute()).map(({ packed }) => packed?.toString('hex'));
    });
  const before = await packedDays();
  await analytics.inTenant(organization_id, async (tx) => {
    const all = tx.updateTable('day_roll_ups').where('dimension', '=', 'all');
    await all.set({ packed: null }).where('day', '<', daysAgo(9).slice(0, 10)).execute();
    const older = Buffer.from('0100000002', 'hex');
    await all.set({ packed: older }).where('day', '>=', daysAgo(9).slice(0, 10)).execute();
  });
  const logged: unknown[] = [];
  await new RecountWorker(analytics.db, { error: (details: unknown) => logged.push(details) } as never).recount(ctx);
  expect(await packedDays()).toEqual(before);
  expect([logged, await analytics.dirtyDays(organization_id)]).toEqual([[], []]);
  // Days that could not be packed are not computed again and again.
  const left = await analytics.inTenant(organization_id, async (tx) => {
    await tx
      .updateTable('day_roll_ups')
      .set({ packed: Buffer.alloc(0) })
      .where('dimension', '=', 'all')
      .execute();
    return lockUnpackedDays(tx, organization_id, 100);
  });
  expect(left).toEqual([]);
});

describe('the recount of days that a process of another version has computed', () => {
  /** An organization with twelve days that are not packed. */
  async function unpacked() {
    const organization_id = newId();
    for (let n = 1; n <= 12; n += 1) await analytics.create(ticketOf(organization_id, { created_at: daysAgo(n) }));
    await analytics.rollUp(organization_id);
    await analytics.inTenant(organization_id, (tx) => tx.updateTable('day_roll_ups').set({ packed: null }).execute());
    const logged: unknown[] = [];
    const worker = new RecountWorker(analytics.db, { error: (details: unknown) => logged.push(details) } as never);
    const countPacked = () =>
      analytics.inTenant(organization_id, async (tx) => {
        const all = tx.selectFrom('day_roll_ups').select('packed').where('dimension', '=', 'all');
        return (await all.execute()).filter(({ packed }) => packed !== null).length;
      });
    return { organization_id, countPacked, logged, recount: () => worker.recount(systemContext(organization_id, 'test')) };
  }

  it('leaves them to a rebuild that is running', async () => {
    const { organization_id, countPacked, recount, logged } = await unpacked();
    await analytics.inTenant(organization_id, (tx) => startRebuild(tx, { organization_id, rebuild_id: newId(), step: 'history' }));
    await recount();
    expect(await countPacked()).toBe(0);
    expect([await analytics.dirtyDays(organization_id), logged]).toEqual([[], []]);
    await analytics.inTenant(organization_id, deleteRebuild);
    await recount();
    expect(await countPacked()).toBe(12);
  });

  it('continues after a day that another transaction was marking', async () => {
    const { organization_id, countPacked, recount } = await unpacked();
    let recounted: Promise<void> | undefined;
    await analytics.inTenant(organization_id, async (tx) => {
      await tx
        .insertInto('dirty_days')
        .values({ organization_id, day: daysAgo(12).slice(0, 10) })
        .execute();
      recounted = recount();
      await eventually(async () => {
        const { rows } = await sql`select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`.execute(tx);
        expect(rows).toHaveLength(1);
      });
    });
    await recounted;
    expect(await countPacked()).toBe(11);
  });
});

it('does not block ticket events while the recount compares the counts of the dashboard', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  for (const ticket of someTickets(organization_id, 3)) await analytics.create(ticket);
  await analytics.rollUp(organization_id);
  const [owner, other] = [new pg.Client(analytics.database.ownerUrl), new pg.Client(analytics.database.url)];
  await Promise.all([owner.connect(), other.connect()]);
  try {
    // The statement that counts all tickets of the organization waits at its first row for the lock of `other`.
    await owner.query(`
      create function wait_while_counting() returns boolean language plpgsql as $$ begin
        if current_query() like '%count(*)::integer as total%' then perform pg_advisory_xact_lock_shared(4711); end if;
        return true;
      end $$;
      create policy slow_count on ticket_facts as restrictive for select using (wait_while_counting())`);
    await other.query('select pg_advisory_lock(4711)');
    const recount = new RecountWorker(analytics.db, { error: () => undefined } as never).recount(ctx);
    await eventually(async () => {
      const { rows } = await other.query(`select from pg_locks where locktype = 'advisory' and not granted and objid = 4711`);
      expect(rows).toHaveLength(1);
    });
    const ended = Promise.race([analytics.create(ticketOf(organization_id)).then(() => 'created'), sleep(4_000, 'waited', { ref: false })]);
    expect(await ended).toBe('created');
    await other.query('select pg_advisory_unlock(4711)');
    await recount;
  } finally {
    await other.end();
    await owner.query('drop policy slow_count on ticket_facts; drop function wait_while_counting');
    await owner.end();
  }
});

it('recounts an organization once a day', async () => {
  const organization_id = newId();
  await analytics.create(ticketOf(organization_id));
  const recount = new RecountWorker(analytics.db, { error: () => undefined } as never);
  const isNext = async () => (await recount.findNext()).some(({ id }) => id === organization_id);
  expect(await isNext()).toBe(false);
  await analytics.inTenant(organization_id, (tx) =>
    tx.updateTable('organizations').set({ recounted_at: '2020-01-01T00:00:00.000Z' }).execute(),
  );
  expect(await isNext()).toBe(true);
  await recount.recount(systemContext(organization_id, 'test'));
  expect(await isNext()).toBe(false);
});
