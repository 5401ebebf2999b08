import type { WebhookHealth } from '@tandem/contracts';

const hourMs = 3_600_000;
const hours = 24;
/** Each bucket ends 20 % above the one before it, from 1 ms to 15 s, so that a percentile is at most 20 % too high. */
const growth = 1.2;
const maxBucket = Math.ceil(Math.log(15_000) / Math.log(growth));

/** The bucket of a duration, from 1: PostgreSQL's arrays start there. */
export const bucketOf = (durationMs: number): number =>
  Math.min(maxBucket, Math.max(0, Math.ceil(Math.log(Math.max(1, durationMs)) / Math.log(growth)))) + 1;

/** How many buckets there are. */
export const bucketCount = maxBucket + 1;

const upperBoundMs = (bucket: number): number => Math.round(growth ** (bucket - 1) * 10) / 10;

export interface HourCounts {
  /** The start of the hour in milliseconds. */
  at: number;
  delivered: number;
  failed: number;
  /** Counts per bucket; buckets that were never written are null or missing. */
  durations: (number | null)[];
}

/** The hour that contains `now` and the 23 before it. */
export const healthSince = (now: number): number => Math.floor(now / hourMs) * hourMs - (hours - 1) * hourMs;

/** The health of the last 24 hours from the counts per hour. */
export function healthOf(
  counts: HourCounts[],
  { pending, oldest_pending_seconds, next_attempt_at }: Pick<WebhookHealth, 'pending' | 'oldest_pending_seconds' | 'next_attempt_at'>,
  now: number,
): WebhookHealth {
  const since = healthSince(now);
  const byHour = new Map(counts.map((count) => [count.at, count]));
  const series = Array.from({ length: hours }, (_, i) => {
    const at = since + i * hourMs;
    const { delivered = 0, failed = 0 } = byHour.get(at) ?? {};
    return { hour: new Date(at).toISOString(), delivered, failed };
  });
  const recent = counts.filter(({ at }) => at >= since);
  const delivered = series.reduce((sum, hour) => sum + hour.delivered, 0);
  const failed = series.reduce((sum, hour) => sum + hour.failed, 0);
  const buckets: number[] = [];
  for (const { durations } of recent) durations.forEach((count, i) => (buckets[i] = (buckets[i] ?? 0) + (count ?? 0)));
  return {
    delivered,
    failed,
    pending,
    oldest_pending_seconds,
    next_attempt_at,
    success_rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    p50_ms: percentile(buckets, 0.5),
    p95_ms: percentile(buckets, 0.95),
    hours: series,
  };
}

/** The upper bound of the bucket that contains the percentile; null without values. */
function percentile(buckets: (number | undefined)[], share: number): number | null {
  const total = buckets.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  let left = Math.ceil(total * share);
  if (left === 0) return null;
  for (let i = 0; i < buckets.length; i += 1) {
    left -= buckets[i] ?? 0;
    if (left <= 0) return upperBoundMs(i + 1);
  }
  return null;
}
