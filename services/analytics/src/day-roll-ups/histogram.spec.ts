import { randomNumbers } from '../../test/random-history';
import { durationOf } from './duration';
import {
  addBuckets,
  addDuration,
  addHistogram,
  average,
  bucketText,
  decodeBuckets,
  emptyHistogram,
  percentile,
  storeHistogram,
  type Histogram,
  type StoredHistogram,
} from './histogram';

const addStored = (to: Histogram, stored: StoredHistogram) => addHistogram(to, stored, decodeBuckets([stored[2]]), 0);

const exact = (values: number[], p: number) => [...values].sort((a, b) => a - b)[Math.max(1, Math.ceil(p * values.length)) - 1]!;

it.each([0.1, 1, 30, 3_000])('percentiles are at most 5 %% off, with durations around %d hours', (scale) => {
  const random = randomNumbers(scale * 10);
  for (const count of [1, 2, 10, 5_000]) {
    const values = Array.from({ length: count }, () => 0.01 + scale * -Math.log(1 - random.next()));
    const days = Array.from({ length: 7 }, emptyHistogram);
    values.forEach((value, i) => addDuration(days[i % 7]!, durationOf(value)));
    const sum = emptyHistogram();
    for (const day of days) addStored(sum, storeHistogram(day));
    for (const p of [0.5, 0.9, 0.95]) expect(Math.abs(percentile(sum, p)! / exact(values, p) - 1)).toBeLessThan(0.05);
    expect(average(sum)).toBeCloseTo(values.reduce((a, b) => a + b) / count, 4);
  }
});

it('without durations there is no percentile and no average', () =>
  expect([percentile(emptyHistogram(), 0.5), average(emptyHistogram())]).toEqual([null, null]));

it('a duration of less than a second is zero', () => {
  const histogram = emptyHistogram();
  addDuration(histogram, durationOf(0));
  addDuration(histogram, durationOf(0.0001));
  expect([percentile(histogram, 0.9), storeHistogram(histogram)]).toEqual([0, [2, 0.0001, 'BA']]);
});

it('the order in which days are added does not change the average', () => {
  const days = [0.1, 0.2, 0.3, 41.900167, 1_000.000001].map((hours) => {
    const day = emptyHistogram();
    addDuration(day, durationOf(hours));
    return storeHistogram(day);
  });
  const averageOf = (histograms: typeof days) => {
    const sum = emptyHistogram();
    for (const histogram of histograms) addStored(sum, histogram);
    return average(sum);
  };
  expect(averageOf(days.toReversed())).toBe(averageOf(days));
});

it('the serialized buckets contain every bucket and count, of any size', () => {
  const histogram = emptyHistogram();
  const hours = [0.5, 0.5, 3, 40, 40, 40, 2e7, 0, ...Array.from({ length: 70_000 }, () => 7)];
  for (const each of hours) addDuration(histogram, durationOf(each));
  const text = bucketText(histogram);
  expect(text).toMatch(/^[\w-]+$/);
  const read = emptyHistogram();
  const decoded = decodeBuckets([bucketText(emptyHistogram()), text, text]);
  const second = addBuckets(read, decoded, addBuckets(read, decoded, 0));
  expect(read.count).toBe(hours.length);
  expect(bucketText(read)).toBe(text);
  for (const p of [0, 0.001, 0.5, 0.999, 1]) expect(percentile(read, p)).toBe(percentile(histogram, p));
  expect(addBuckets(read, decoded, second)).toBe(decoded.length);
  expect(read.count).toBe(2 * hours.length);
});
