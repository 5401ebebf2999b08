import { bucketOf, healthOf, type HourCounts } from './webhook-health';

const now = Date.parse('2026-11-20T10:30:00.000Z');
const hour = (hoursAgo: number) => Date.parse('2026-11-20T10:00:00.000Z') - hoursAgo * 3_600_000;
const waiting = { pending: 3, oldest_pending_seconds: 12, next_attempt_at: '2026-11-20T12:00:30.000Z' };
const counts = (at: number, durationsMs: number[], failed = 0): HourCounts => {
  const durations: (number | null)[] = [];
  for (const ms of durationsMs) durations[bucketOf(ms) - 1] = (durations[bucketOf(ms) - 1] ?? 0) + 1;
  return { at, delivered: durationsMs.length, failed, durations: Array.from(durations, (count) => count ?? null) };
};

it('has 24 hours, the oldest first, and adds them up', () => {
  const health = healthOf([counts(hour(0), [10, 20], 1), counts(hour(23), [10], 4), counts(hour(24), [10], 100)], waiting, now);
  expect(health).toMatchObject({ ...waiting, delivered: 3, failed: 5, success_rate: 3 / 8 });
  expect(health.hours).toHaveLength(24);
  expect(health.hours[0]).toEqual({ hour: '2026-11-19T11:00:00.000Z', delivered: 1, failed: 4 });
  expect(health.hours[23]).toEqual({ hour: '2026-11-20T10:00:00.000Z', delivered: 2, failed: 1 });
});

it('has percentiles that are at most 20 % too high', () => {
  const times = Array.from({ length: 100 }, (_, i) => (i + 1) * 10);
  const { p50_ms, p95_ms } = healthOf([counts(hour(0), times)], waiting, now);
  for (const [found, exact] of [
    [p50_ms, 500],
    [p95_ms, 950],
  ] as const) {
    expect(found).toBeGreaterThanOrEqual(exact);
    expect(found).toBeLessThanOrEqual(exact * 1.2);
  }
});

it('has no rate and no percentiles without attempts', () => {
  expect(healthOf([], { pending: 0, oldest_pending_seconds: null, next_attempt_at: null }, now)).toMatchObject({
    success_rate: null,
    p50_ms: null,
    p95_ms: null,
  });
});

it.each([
  [0, 1],
  [1, 1],
  [1.2, 2],
  [15_000, 54],
  [60_000, 54],
])('counts %d ms in bucket %d', (ms, bucket) => {
  expect(bucketOf(ms)).toBe(bucket);
});
