/** A duration of a ticket, and where histograms count it: a ticket belongs to many roll-ups, and logarithms are slow. */
export interface Duration {
  hours: number;
  /** Its bucket in a logarithmic histogram. */
  bucket: number;
  /** Its bar on the page. */
  bar: number;
}

/** The lower ends of the bars of the histograms, in hours. The last bar has no upper end. */
export const barEdges = [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 48, 72, 168] as const;

/** How much larger the values of a bucket are than those of the one before. */
export const growth = 1.02;
const logGrowth = Math.log(growth);
export const secondsPerHour = 3_600;
/** The last bucket is for a thousand years. */
export const maxBucket = 1_249;

/** Durations below one second are in bucket 0. */
const bucketOf = (hours: number): number =>
  Math.min(maxBucket, Math.max(0, Math.ceil(Math.log(Math.max(hours * secondsPerHour, 1)) / logGrowth - 1e-9)));
const barOf = (hours: number): number =>
  Math.max(
    0,
    barEdges.findLastIndex((edge) => hours >= edge),
  );

export const durationOf = (hours: number): Duration => ({ hours, bucket: bucketOf(hours), bar: barOf(hours) });
