/**
 * Durations per logarithmic bucket: a bucket contains the hours in `growth^(n-1) < seconds ≤ growth^n`. Histograms add up, and a
 * percentile read from one is at most `growth - 1` (2 %) off. Number and sum are exact.
 */
export interface Histogram {
  count: number;
  /** In hours. */
  sum: number;
  /** Number of durations per bucket. */
  buckets: Map<number, number>;
}
/** As stored: bucket and number alternate, each bucket as its distance from the one before. */
export type StoredHistogram = [count: number, sum: number, ...pairs: number[]];

const growth = 1.02;
const logGrowth = Math.log(growth);
const secondsPerHour = 3_600;

export const emptyHistogram = (): Histogram => ({ count: 0, sum: 0, buckets: new Map() });

/** Durations below one second are in bucket 0. */
const bucketOf = (hours: number): number => Math.max(0, Math.ceil(Math.log(Math.max(hours * secondsPerHour, 1)) / logGrowth - 1e-9));
const upperHours = (bucket: number): number => growth ** bucket / secondsPerHour;
/** The value with the same relative distance from both ends of the bucket. */
const middleHours = (bucket: number): number => (bucket === 0 ? 0 : (2 * upperHours(bucket)) / (1 + growth));

export function addDuration(histogram: Histogram, hours: number): void {
  const bucket = bucketOf(hours);
  histogram.count += 1;
  histogram.sum += hours;
  histogram.buckets.set(bucket, (histogram.buckets.get(bucket) ?? 0) + 1);
}

export function storeHistogram({ count, sum, buckets }: Histogram): StoredHistogram {
  let before = 0;
  const pairs = [...buckets].sort(([a], [b]) => a - b);
  return [
    count,
    // Six decimals of an hour are milliseconds; adding them up in another order gives the same text.
    Math.round(sum * 1e6) / 1e6,
    ...pairs.flatMap(([bucket, number]) => {
      const distance = bucket - before;
      before = bucket;
      return [distance, number];
    }),
  ];
}

export function addHistogram(to: Histogram, stored: StoredHistogram): void {
  to.count += stored[0];
  to.sum += stored[1];
  for (let i = 2, bucket = 0; i < stored.length; i += 2) {
    bucket += stored[i]!;
    to.buckets.set(bucket, (to.buckets.get(bucket) ?? 0) + stored[i + 1]!);
  }
}

/** The nearest rank: the smallest duration that at least the fraction `p` of all durations does not exceed. Null if there are none. */
export function percentile({ count, buckets }: Histogram, p: number): number | null {
  if (count === 0) return null;
  let left = Math.max(1, Math.ceil(p * count));
  for (const bucket of [...buckets.keys()].sort((a, b) => a - b)) {
    left -= buckets.get(bucket)!;
    if (left <= 0) return middleHours(bucket);
  }
  throw new Error('The buckets of a histogram do not add up to its count');
}

export const average = ({ count, sum }: Histogram): number | null => (count === 0 ? null : sum / count);
