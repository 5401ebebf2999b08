/**
 * Durations per logarithmic bucket: a bucket contains the hours in `growth^(n-1) < seconds ≤ growth^n`. Histograms add up, and a
 * percentile read from one is at most `growth - 1` (2 %) off. Number and sum are exact.
 */
export interface Histogram {
  count: number;
  /** In hours. */
  sum: number;
  /** The buckets of durations added one by one: those of a day are few. */
  added: number[];
  /** Number of durations per bucket, once stored histograms have been added. */
  totals: Int32Array | null;
}
/**
 * As stored: the non-empty buckets in order, each as its distance from the previous one. A negative number is the number of durations in
 * the bucket before it; without one the bucket has a single duration.
 */
export type StoredHistogram = [count: number, sum: number, ...buckets: number[]];

const growth = 1.02;
const logGrowth = Math.log(growth);
const secondsPerHour = 3_600;

/** The last bucket is for a thousand years. */
const maxBucket = 1_249;

export const emptyHistogram = (): Histogram => ({ count: 0, sum: 0, added: [], totals: null });

/** Durations below one second are in bucket 0. */
const bucketOf = (hours: number): number =>
  Math.min(maxBucket, Math.max(0, Math.ceil(Math.log(Math.max(hours * secondsPerHour, 1)) / logGrowth - 1e-9)));
const upperHours = (bucket: number): number => growth ** bucket / secondsPerHour;
/** The value with the same relative distance from both ends of the bucket. */
const middleHours = (bucket: number): number => (bucket === 0 ? 0 : (2 * upperHours(bucket)) / (1 + growth));

export function addDuration(histogram: Histogram, hours: number): void {
  histogram.count += 1;
  histogram.sum += hours;
  histogram.added.push(bucketOf(hours));
}

export function storeHistogram(histogram: Histogram): StoredHistogram {
  // Six decimals of an hour are milliseconds; adding them up in another order gives the same text.
  const stored: StoredHistogram = [histogram.count, Math.round(histogram.sum * 1e6) / 1e6];
  let before = 0;
  for (const [bucket, count] of bucketsOf(histogram)) {
    stored.push(bucket - before);
    if (count > 1) stored.push(-count);
    before = bucket;
  }
  return stored;
}

export function addHistogram(to: Histogram, stored: StoredHistogram): void {
  to.count += stored[0];
  to.sum += stored[1];
  const totals = (to.totals ??= new Int32Array(maxBucket + 1));
  for (let i = 2, bucket = 0; i < stored.length; i += 1) {
    bucket += stored[i]!;
    const next = stored[i + 1];
    const isCount = next !== undefined && next < 0;
    totals[bucket]! += isCount ? -next : 1;
    if (isCount) i += 1;
  }
}

/** The buckets with durations, in order. */
function bucketsOf({ added, totals }: Histogram): [bucket: number, count: number][] {
  const counts = new Map<number, number>();
  totals?.forEach((count, bucket) => count > 0 && counts.set(bucket, count));
  for (const bucket of added) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/** The nearest rank: the smallest duration that at least the fraction `p` of all durations does not exceed. Null if there are none. */
export function percentile({ count, added, totals }: Histogram, p: number): number | null {
  if (count === 0) return null;
  const counts = totals ? totals.slice() : new Int32Array(maxBucket + 1);
  for (const bucket of added) counts[bucket]! += 1;
  let left = Math.max(1, Math.ceil(p * count));
  const bucket = counts.findIndex((number) => (left -= number) <= 0);
  if (bucket < 0) throw new Error('The buckets of a histogram do not add up to its count');
  return middleHours(bucket);
}

export const average = ({ count, sum }: Histogram): number | null => (count === 0 ? null : sum / count);
