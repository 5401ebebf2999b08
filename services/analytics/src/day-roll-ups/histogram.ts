import { growth, maxBucket, secondsPerHour, type Duration } from './duration';

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
/** As stored: the non-empty buckets as text, see `bucketText`. */
export type StoredHistogram = [count: number, sum: number, buckets: string];

export const emptyHistogram = (): Histogram => ({ count: 0, sum: 0, added: [], totals: null });

const upperHours = (bucket: number): number => growth ** bucket / secondsPerHour;
/** The value with the same relative distance from both ends of the bucket. */
const middleHours = (bucket: number): number => (bucket === 0 ? 0 : (2 * upperHours(bucket)) / (1 + growth));

export function addDuration(histogram: Histogram, { hours, bucket }: Duration): void {
  histogram.count += 1;
  histogram.sum += hours;
  histogram.added.push(bucket);
}

/** Six decimals of an hour are milliseconds. With each sum rounded to them, the order of adding does not matter. */
const roundHours = (hours: number): number => Math.round(hours * 1e6) / 1e6;

export const storeHistogram = (histogram: Histogram): StoredHistogram => [
  histogram.count,
  roundHours(histogram.sum),
  bucketText(histogram),
];

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const digitValues = new Uint8Array(128);
for (let value = 0; value < digits.length; value += 1) digitValues[digits.charCodeAt(value)] = value;

/**
 * The buckets as numbers in Base64 VLQ, as in source maps: for each bucket twice the distance from the previous one, plus one if it has more
 * than one duration; then their number minus two follows. A third of the size of JSON numbers, and faster to read.
 */
export function bucketText(histogram: Histogram): string {
  let text = '';
  let before = 0;
  const write = (number: number): void => {
    let value = number;
    for (; value >= 32; value >>>= 5) text += digits[32 | (value & 31)];
    text += digits[value];
  };
  for (const [bucket, count] of bucketsOf(histogram)) {
    write((bucket - before) * 2 + (count > 1 ? 1 : 0));
    if (count > 1) write(count - 2);
    before = bucket;
  }
  return text;
}

const maxEntry = 0xffff;

/**
 * The buckets of several texts as numbers, which are added five times as fast: per text the number of its entries, then a bucket and a
 * number of durations per entry. A bucket with more durations than an entry can have takes several entries.
 */
export function decodeBuckets(texts: readonly string[]): Uint16Array {
  const decoded: number[] = [];
  for (const text of texts) {
    const start = decoded.push(0);
    let place = 0;
    const read = (): number => {
      for (let value = 0, shift = 0; ; shift += 5) {
        const digit = digitValues[text.charCodeAt(place)] ?? 0;
        place += 1;
        value |= (digit & 31) << shift;
        if (digit < 32) return value;
      }
    };
    for (let bucket = 0; place < text.length;) {
      const step = read();
      bucket += step >> 1;
      let count = step % 2 === 0 ? 1 : read() + 2;
      for (; count > maxEntry; count -= maxEntry) decoded.push(bucket, maxEntry);
      decoded.push(bucket, count);
    }
    decoded[start - 1] = (decoded.length - start) / 2;
  }
  return Uint16Array.from(decoded);
}

const decodedDays = new WeakMap<object, Uint16Array>();

/**
 * The decoded buckets of a stored day, which are kept as long as the day: most days are cached, and added for many requests. Decoding costs
 * about as much as adding the texts two and a half times.
 */
export function decodedOnce(day: object, texts: () => string[]): Uint16Array {
  let decoded = decodedDays.get(day);
  if (!decoded) decodedDays.set(day, (decoded = decodeBuckets(texts())));
  return decoded;
}

/** Adds the durations of the text that begins at `place`, without their sum. Returns the place of the next one. */
export function addBuckets(to: Histogram, decoded: Uint16Array, place: number): number {
  const totals = (to.totals ??= new Int32Array(maxBucket + 1));
  const end = place + 1 + 2 * decoded[place]!;
  for (let entry = place + 1; entry < end; entry += 2) {
    const count = decoded[entry + 1]!;
    totals[decoded[entry]!]! += count;
    to.count += count;
  }
  return end;
}

/** Adds a stored histogram, whose decoded buckets begin at `place`. Returns the place of the next ones. */
export function addHistogram(to: Histogram, [, sum]: StoredHistogram, decoded: Uint16Array, place: number): number {
  to.sum = roundHours(to.sum + sum);
  return addBuckets(to, decoded, place);
}

/** The buckets with durations, in order. */
function bucketsOf({ added, totals }: Histogram): [bucket: number, count: number][] {
  const counts: [bucket: number, count: number][] = [];
  const add = (bucket: number, count: number): void => {
    const last = counts.at(-1);
    if (last?.[0] === bucket) last[1] += count;
    else counts.push([bucket, count]);
  };
  if (totals) countsOf(added, totals).forEach((count, bucket) => count > 0 && add(bucket, count));
  else for (const bucket of new Int32Array(added).sort()) add(bucket, 1);
  return counts;
}

/** The number of durations in each bucket. Not to be changed. */
function countsOf(added: readonly number[], totals: Int32Array | null): Int32Array {
  if (totals && added.length === 0) return totals;
  const counts = totals ? totals.slice() : new Int32Array(maxBucket + 1);
  for (const bucket of added) counts[bucket]! += 1;
  return counts;
}

/** The nearest rank: the smallest duration that at least the fraction `p` of all durations does not exceed. Null if there are none. */
export function percentile({ count, added, totals }: Histogram, p: number): number | null {
  if (count === 0) return null;
  const counts = countsOf(added, totals);
  let left = Math.max(1, Math.ceil(p * count));
  // Not `findIndex`: calling a function for each of a thousand buckets takes several times as long.
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    left -= counts[bucket]!;
    if (left <= 0) return middleHours(bucket);
  }
  throw new Error('The buckets of a histogram do not add up to its count');
}

export const average = ({ count, sum }: Histogram): number | null => (count === 0 ? null : sum / count);
