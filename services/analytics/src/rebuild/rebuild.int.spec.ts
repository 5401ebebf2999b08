import { readAnalytics, systemContext, type Analytics, type DataOf, type analyticsRebuildRequested } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { organizationOf } from '@tandem/testing';
import { AnalyticsUnderTest, envelope, noJobs, userOf } from '../../test/analytics-under-test';
import { randomHistory, randomNumbers } from '../../test/random-history';
import { computeDays, replaceDays, takeDirtyDays } from '../day-roll-ups/roll-up.store';
import { IdentityProjection } from '../projection/identity-projection';
import type { AnalyticsTx } from '../schema';
import { rebuildDays, rebuildFromTickets, rebuildStep } from './rebuild';
import { RebuildConsumer } from './rebuild.consumer';

let analytics: AnalyticsUnderTest;
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

const read = async (organization_id: string) => (await analytics.call<Analytics>(userOf(organization_id), readAnalytics)).data;
const emitted = <Data>(organization_id: string, type: string) =>
  analytics.db.asSystem('test', async (tx) => {
    const query = tx.selectFrom('outbox').select('envelope').where('organization_id', '=', organization_id);
    return (await query.where('type', '=', type).execute()).map(({ envelope: { data } }) => data as Data);
  });
const requested = (organization_id: string) =>
  emitted<DataOf<typeof analyticsRebuildRequested>>(organization_id, 'analytics.rebuild_requested');
const histories = (organization_id: string, count: number) => {
  const random = randomNumbers(5);
  return Array.from({ length: count }, () =>
    randomHistory(random, organization_id, [], Date.now() - 25 * 86_400_000, Date.now() - 3_600_000),
  );
};

it('from the tickets: lasts until all histories have arrived and all days are clean', async () => {
  const organization_id = newId();
  const all = histories(organization_id, 12);
  await analytics.inTenant(organization_id, (tx, ctx) => rebuildFromTickets(tx, ctx));
  const [request] = await requested(organization_id);
  const complete = (rebuild_id: string) =>
    analytics.inTenant(organization_id, (tx, ctx) => new RebuildConsumer(noJobs).onCompleted(ctx, { rebuild_id, count: all.length }, tx));
  for (const history of all.slice(0, 7)) await analytics.deliverHistory(history);
  // The end arrives before the last histories, and that of an earlier rebuild changes nothing.
  await complete(newId());
  await complete(request!.rebuild_id);
  await analytics.rollUp(organization_id);
  // Until then the figures do not change.
  expect(await read(organization_id)).toMatchObject({ is_rebuilding: true, has_tickets: true, figures: { total_tickets: 0 } });
  for (const history of all.slice(7)) await analytics.deliverHistory(history);
  await analytics.rollUp(organization_id);
  expect(await read(organization_id)).toMatchObject({ is_rebuilding: false, figures: { total_tickets: 12 } });
  // Open pages reload once, at the end.
  expect(await emitted(organization_id, 'metrics.updated')).toEqual([{}]);
  expect(await analytics.dirtyDays(organization_id)).toEqual([]);
});

it('applies the histories of many tickets at once as it applies one, in any order and repeatedly', async () => {
  const [together, single] = [newId(), newId()];
  const all = histories(together, 40);
  const copies = all.map((history) => ({ ...history, ticket: { ...history.ticket, organization_id: single } }));
  for (const organization_id of [together, single]) await analytics.setTimeZone(organization_id, 'Asia/Kolkata');
  // Half of the tickets are known, some in an older state; a rating of another one arrived before its ticket.
  for (const { events } of all.slice(0, 20)) for (const event of events.slice(0, 3)) await analytics.deliver(together, event);
  const rated = all.slice(20).flatMap(({ events }) => events.filter(({ kind }) => kind === 'rated'));
  expect(rated.length).toBeGreaterThan(0);
  for (const event of rated) await analytics.deliver(together, event);
  await analytics.deliverHistory(...all);
  await analytics.deliverHistory(...all.toReversed());
  for (const history of copies) await analytics.deliverHistory(history);
  const { version } = await read(together);
  await analytics.deliverHistory(...all);
  expect((await read(together)).version).toBe(version);
  const figuresOf = async (organization_id: string) => {
    await analytics.rollUp(organization_id);
    const { figures, per_day, by_tag, arrivals, feedback } = await read(organization_id);
    return { figures, per_day, by_tag, arrivals, feedback };
  };
  expect(await figuresOf(together)).toEqual(await figuresOf(single));
});

it('is continued by the next job if the process dies in the middle', async () => {
  const organization_id = newId();
  for (const { events } of histories(organization_id, 10)) for (const event of events) await analytics.deliver(organization_id, event);
  await analytics.rollUp(organization_id);
  const { figures, per_day } = await read(organization_id);
  await analytics.inTenant(organization_id, (tx) => rebuildDays(tx, organization_id));
  const dying = analytics.db.forTenant({ organization_id }, async (tx) => {
    await rebuildStep(tx, systemContext(organization_id, 'test'));
    throw new Error('killed before the commit');
  });
  await expect(dying).rejects.toThrow('killed');
  expect((await read(organization_id)).is_rebuilding).toBe(true);
  const pending = await analytics.rollUps.findDirty();
  expect(pending.some(({ id }) => id === organization_id)).toBe(true);
  await analytics.rollUp(organization_id);
  expect(await read(organization_id)).toMatchObject({ is_rebuilding: false, figures, per_day });
});

describe('figures of several filters', () => {
  const combined = { priority: 'high', channel: 'portal' };
  const readCombined = async (organization_id: string) =>
    (await analytics.call<Analytics>(userOf(organization_id), readAnalytics, { query: combined })).data;
  const exactOf = ({ figures, previous, per_day, by_tag, team }: Analytics) => ({ figures, previous, per_day, by_tag, team });

  /** Random tickets of which some match, and their exact figures. */
  async function anOrganization() {
    const organization_id = newId();
    for (const { events } of histories(organization_id, 60)) for (const event of events) await analytics.deliver(organization_id, event);
    await analytics.rollUp(organization_id);
    const exact = await readCombined(organization_id);
    expect(exact.figures.total_tickets).toBeGreaterThan(0);
    return { organization_id, exact: exactOf(exact) };
  }

  it('are exact in each step of a rebuild of the days, or the response is marked as being rebuilt', async () => {
    const { organization_id, exact } = await anOrganization();
    await analytics.inTenant(organization_id, (tx) => rebuildDays(tx, organization_id));
    const isMarked: boolean[] = [];
    const check = async () => {
      const read = await readCombined(organization_id);
      isMarked.push(read.is_rebuilding);
      expect(exactOf(read)).toEqual(exact);
    };
    await check();
    while (await analytics.inTenant(organization_id, (tx, ctx) => rebuildStep(tx, ctx))) await check();
    // Some days are computed, the others are still dirty.
    await check();
    const later = new Date(Date.now() + 60_000).toISOString();
    await analytics.inTenant(organization_id, async (tx) => {
      const days = await takeDirtyDays(tx, later, 8);
      await replaceDays(tx, days, await computeDays(tx, organization_id, days));
    });
    expect((await analytics.dirtyDays(organization_id)).length).toBeGreaterThan(0);
    await check();
    await analytics.rollUp(organization_id);
    await check();
    expect(isMarked).toEqual([...isMarked.slice(1).map(() => true), false]);
  });

  it('are exact after a rebuild that was killed in each of its steps, and marked until then', async () => {
    const { organization_id, exact } = await anOrganization();
    await analytics.inTenant(organization_id, (tx) =>
      tx.updateTable('ticket_facts').set({ created_day: '2020-01-01', created_hour: 0, breached_day: null }).execute(),
    );
    await analytics.inTenant(organization_id, (tx) => rebuildDays(tx, organization_id));
    const killed = (work: (tx: AnalyticsTx) => Promise<unknown>) =>
      expect(
        analytics.inTenant(organization_id, async (tx) => {
          await work(tx);
          throw new Error('killed before the commit');
        }),
      ).rejects.toThrow('killed');
    const step = (tx: AnalyticsTx) => rebuildStep(tx, systemContext(organization_id, 'test'));
    const rollUpDays = async (tx: AnalyticsTx) => {
      const days = await takeDirtyDays(tx, new Date(Date.now() + 60_000).toISOString(), 8);
      await replaceDays(tx, days, await computeDays(tx, organization_id, days));
    };
    await killed(step);
    expect((await readCombined(organization_id)).is_rebuilding).toBe(true);
    while (await analytics.inTenant(organization_id, step)) continue;
    await killed(rollUpDays);
    expect((await readCombined(organization_id)).is_rebuilding).toBe(true);
    await analytics.inTenant(organization_id, rollUpDays);
    await killed(rollUpDays);
    expect((await readCombined(organization_id)).is_rebuilding).toBe(true);
    await analytics.rollUp(organization_id);
    const after = await readCombined(organization_id);
    expect([after.is_rebuilding, exactOf(after)]).toEqual([false, exact]);
  });
});

it('corrects facts and roll-ups that were wrong', async () => {
  const organization_id = newId();
  const all = histories(organization_id, 10);
  for (const history of all) await analytics.deliverHistory(history);
  await analytics.rollUp(organization_id);
  const { figures, per_day } = await read(organization_id);
  await analytics.inTenant(organization_id, async (tx) => {
    await tx.updateTable('ticket_facts').set({ created_day: '2020-01-01', created_hour: 0, breached_day: null }).execute();
    await tx
      .updateTable('day_roll_ups')
      .set({ backlog_growth: 9, day: '2020-01-01' })
      .where('dimension', '=', 'all')
      .where('day', '=', per_day.at(-5)!.day)
      .execute();
    await tx.deleteFrom('day_roll_ups').where('dimension', '<>', 'all').execute();
  });
  await analytics.inTenant(organization_id, (tx) => rebuildDays(tx, organization_id));
  await analytics.rollUp(organization_id);
  expect(await read(organization_id)).toMatchObject({ figures, per_day });
});

it('is requested automatically if the stream no longer contains the creation of an organization', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  const organization = organizationOf(organization_id, { created_at: '2020-01-01T00:00:00.000Z' });
  const projection = new IdentityProjection();
  const update = (sequence: number) =>
    analytics.db.forTenant(ctx, (tx) => projection.onUpdated(ctx, { organization }, tx, envelope(sequence)));
  await update(7);
  await update(8);
  expect(await requested(organization_id)).toHaveLength(1);
  const young = newId();
  await analytics.setTimeZone(young, 'Europe/Berlin', 2);
  expect(await requested(young)).toEqual([]);
});

it('ends although further events mark days while it runs', async () => {
  const organization_id = newId();
  const [first, second] = histories(organization_id, 2);
  await analytics.deliverHistory(first!);
  await analytics.rollUp(organization_id);
  await analytics.inTenant(organization_id, (tx) => rebuildDays(tx, organization_id));
  const step = () => analytics.inTenant(organization_id, (tx, ctx) => rebuildStep(tx, ctx));
  while (await step()) continue;
  // The days of the rebuild are computed, and before the rebuild is checked again a new ticket marks another day.
  const started = new Date(Date.now() + 1).toISOString();
  await analytics.inTenant(organization_id, async (tx) => {
    const days = await takeDirtyDays(tx, started, 1_000);
    await replaceDays(tx, days, await computeDays(tx, organization_id, days));
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await analytics.deliverHistory(second!);
  expect(await analytics.dirtyDays(organization_id)).not.toEqual([]);
  await step();
  expect(await read(organization_id)).toMatchObject({ is_rebuilding: false, figures: { total_tickets: 2 } });
});

it('computes what has arrived if the end of the history never arrives', async () => {
  const organization_id = newId();
  await analytics.inTenant(organization_id, (tx, ctx) => rebuildFromTickets(tx, ctx));
  await analytics.deliverHistory(histories(organization_id, 1)[0]!);
  await analytics.rollUp(organization_id);
  expect((await read(organization_id)).is_rebuilding).toBe(true);
  await analytics.inTenant(organization_id, (tx) =>
    tx
      .updateTable('rebuilds')
      .set({ started_at: new Date(Date.now() - 7 * 3_600_000).toISOString() })
      .execute(),
  );
  await analytics.rollUp(organization_id);
  expect(await read(organization_id)).toMatchObject({ is_rebuilding: false, figures: { total_tickets: 1 } });
});
