import { readAnalytics, type Analytics } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { AnalyticsUnderTest, userOf } from '../../test/analytics-under-test';
import { localParts, naiveAnalytics, type NaiveFilter } from '../../test/naive-figures';
import { categories, randomHistory, randomNumbers, tags, type History, type RandomNumbers } from '../../test/random-history';

let analytics: AnalyticsUnderTest;
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

const dayMs = 86_400_000;
const spanDays = 100;
const people = [newId(), newId(), newId()];
/** From UTC−12 to UTC+14, with half hours, and with clocks that changed within the last hundred days or are about to. */
const zones = ['Etc/GMT+12', 'America/St_Johns', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

function histories(random: RandomNumbers, organization_id: string, count: number): History[] {
  const now = Date.now();
  return Array.from({ length: count }, () => randomHistory(random, organization_id, people, now - spanDays * dayMs, now));
}
const isoDay = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

function randomQueries(
  random: RandomNumbers,
  zone: string,
): { filter: NaiveFilter; from: string; to: string; query: Record<string, string> }[] {
  const single: NaiveFilter[] = [
    {},
    { priority: 'high' },
    { channel: 'email' },
    { category: random.pick(categories) || 'none such' },
    { assignee: random.pick(people) },
    { assignee: 'unassigned' },
    { tag: random.pick(tags) },
    { tag: 'none such' },
  ];
  const combined: NaiveFilter[] = [
    { priority: 'low', tag: random.pick(tags) },
    { assignee: random.pick(people), channel: 'portal' },
    { category: 'Billing', assignee: 'unassigned', priority: 'medium' },
  ];
  return [...single, ...combined].map((filter) => {
    const last = random.below(spanDays);
    const [from, to] = [isoDay(last + random.below(40)), isoDay(last)];
    if (random.chance(0.7)) return { filter, from, to, query: { ...filter, from, to } };
    const range = random.pick([7, 30, 90]);
    const today = localParts(zone, new Date().toISOString()).day;
    const first = new Date(Date.parse(`${today}T00:00:00Z`) - (range - 1) * dayMs).toISOString().slice(0, 10);
    return { filter, from: first, to: today, query: { ...filter, range: String(range) } };
  });
}

/** Percentiles may be 5 % off, and averages by the rounding of their sums. Everything else is exact. */
function expectEqual(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number' && /median|p90/.test(path)) {
    // A first response within a second is shown as 0 hours.
    if (expected * 3_600 < 1.02) expect({ path, value: (actual as number) < 0.001 }).toEqual({ path, value: true });
    else expect({ path, ratio: Math.abs((actual as number) / expected - 1) <= 0.05 }).toEqual({ path, ratio: true });
  } else if (typeof expected === 'number' && /avg|rate|compliance/.test(path)) {
    expect({ path, value: Math.abs((actual as number) - expected) < 1e-4 }).toEqual({ path, value: true });
  } else if (Array.isArray(expected)) {
    expect({ path, length: (actual as unknown[]).length }).toEqual({ path, length: expected.length });
    expected.forEach((value, i) => expectEqual((actual as unknown[])[i], value, `${path}.${i}`));
  } else if (expected !== null && typeof expected === 'object') {
    for (const [key, value] of Object.entries(expected)) expectEqual((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
  } else {
    expect({ path, value: actual }).toEqual({ path, value: expected });
  }
}

async function expectRecount(random: RandomNumbers, organization_id: string, zone: string, all: History[]): Promise<void> {
  const ctx = userOf(organization_id);
  for (const { filter, from, to, query } of randomQueries(random, zone)) {
    const { status, data } = await analytics.call<Analytics>(ctx, readAnalytics, { query });
    expect(status).toBe(200);
    expect([data.period.from, data.period.to, data.computed_live]).toEqual([from, to, Object.keys(filter).length > 1]);
    const { previous, ...naive } = naiveAnalytics(all, zone, filter, from, to);
    const name = `${zone} ${JSON.stringify(query)}`;
    expectEqual(data, naive, name);
    expectEqual(data.previous.figures, previous, `${name} previous`);
  }
}

it.each(zones.map((zone, i) => [zone, i + 1] as const))(
  'equals a recount of random histories in %s, before, during and after roll-ups',
  async (zone, seed) => {
    const random = randomNumbers(seed);
    const organization_id = newId();
    await analytics.setTimeZone(organization_id, zone);
    const all = histories(random, organization_id, 25);
    // Twice, in random order, and every third one reversed.
    const events = all.flatMap((history, i) => {
      const twice = [...history.events, ...history.events];
      return i % 3 === 0 ? twice.reverse() : random.shuffled(twice);
    });
    const half = Math.floor(events.length / 2);
    for (const event of events.slice(0, half)) await analytics.deliver(organization_id, event);
    await analytics.rollUp(organization_id);
    expect(await analytics.dirtyDays(organization_id)).toEqual([]);
    for (const event of events.slice(half)) await analytics.deliver(organization_id, event);
    // Some days are clean, some are dirty.
    await expectRecount(random, organization_id, zone, all);
    await analytics.rollUp(organization_id);
    expect(await analytics.dirtyDays(organization_id)).toEqual([]);
    await expectRecount(random, organization_id, zone, all);
  },
);

it('equals a recount after events were lost and the tickets service has sent the histories', async () => {
  const random = randomNumbers(99);
  const organization_id = newId();
  await analytics.setTimeZone(organization_id, 'Asia/Kolkata');
  const all = histories(random, organization_id, 25);
  for (const event of random.shuffled(all.flatMap(({ events }) => events.filter(() => random.chance(0.6))))) {
    await analytics.deliver(organization_id, event);
  }
  await analytics.rollUp(organization_id);
  for (const history of random.shuffled([...all, ...all])) await analytics.deliverHistory(history);
  await expectRecount(random, organization_id, 'Asia/Kolkata', all);
  // A late event with an older sequence changes nothing.
  for (const event of random.shuffled(all.flatMap(({ events }) => events))) await analytics.deliver(organization_id, event);
  await analytics.rollUp(organization_id);
  await expectRecount(random, organization_id, 'Asia/Kolkata', all);
});

it('equals a recount in the new time zone after a change to the time zone', async () => {
  const random = randomNumbers(7);
  const organization_id = newId();
  await analytics.setTimeZone(organization_id, 'Pacific/Kiritimati');
  const all = histories(random, organization_id, 25);
  for (const event of all.flatMap(({ events }) => events)) await analytics.deliver(organization_id, event);
  await analytics.rollUp(organization_id);
  await analytics.setTimeZone(organization_id, 'Etc/GMT+12', 2);
  const { data } = await analytics.call<Analytics>(userOf(organization_id), readAnalytics);
  expect(data.is_rebuilding).toBe(true);
  await analytics.rollUp(organization_id);
  expect((await analytics.call<Analytics>(userOf(organization_id), readAnalytics)).data.is_rebuilding).toBe(false);
  await expectRecount(random, organization_id, 'Etc/GMT+12', all);
});
