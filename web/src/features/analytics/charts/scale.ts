/** The scales of the charts, with the rules of d3-scale. Its package also contains colors, dates and number formats: 11 KB gzip. */

type Range = readonly [from: number, to: number];

export interface LinearScale {
  (value: number): number;
  /** About `count` round values between zero and the end of the domain. */
  ticks: (count: number) => number[];
}

/** 1, 2 or 5 times a power of ten. */
function stepOf(most: number, count: number): number {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const ratio = rough / power;
  if (ratio >= Math.sqrt(50)) return power * 10;
  if (ratio >= Math.sqrt(10)) return power * 5;
  return ratio >= Math.SQRT2 ? power * 2 : power;
}

/** Extends the end of the domain to a round value. */
function niceEnd(most: number, count: number): number {
  const step = stepOf(most, count);
  const end = Math.ceil(most / step) * step;
  // A longer domain can have a longer step.
  return stepOf(end, count) === step ? end : niceEnd(end, count);
}

/** Maps 0 to `most` to the range. With `nice`, the end is rounded up so that about as many steps fit. */
export function linearScale(most: number, [from, to]: Range, nice?: number): LinearScale {
  const end = nice === undefined ? most : niceEnd(most, nice);
  return Object.assign((value: number) => from + (value / end) * (to - from), {
    ticks: (count: number) => {
      const step = stepOf(end, count);
      return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => index * step);
    },
  });
}

export interface BandScale {
  /** The start of a name's bar. */
  (name: string): number;
  names: readonly string[];
  range: Range;
  /** The distance from the start of a bar to the start of the next one. */
  step: number;
  barWidth: number;
}

/** Bars of the same width; `padding` is the share of a step between them, and before the first and after the last. */
export function bandScale(names: readonly string[], range: Range, padding: number): BandScale {
  const [from, to] = range;
  const step = (to - from) / Math.max(1, names.length + padding);
  const first = from + (to - from - step * (names.length - padding)) / 2;
  const starts = new Map(names.map((name, index) => [name, first + index * step]));
  return Object.assign((name: string) => starts.get(name) ?? from, { names, range, step, barWidth: step * (1 - padding) });
}

/** The `d` attribute of a line through the points. */
export const linePath = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x},${y}`).join('');
