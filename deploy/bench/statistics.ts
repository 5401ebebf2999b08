/** Median and quartiles of a list of figures. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** The quantile `q` (0 to 1) of the figures, with linear interpolation. */
export function quantile(figures: number[], q: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export const spread = (figures: number[]): Spread => ({
  median: quantile(figures, 0.5),
  low: quantile(figures, 0.25),
  high: quantile(figures, 0.75),
});

/** `1.62 [1.58–1.70]`: median and quartiles. */
export const shown = ({ median, low, high }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`;

/** The same items in random order. */
export function shuffled<T>(things: T[]): T[] {
  const order = [...things];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
