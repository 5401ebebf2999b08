/** Texts on the axes. */
export const tickText = { fill: 'var(--muted)', fontSize: 11, fontFamily: 'inherit' } as const;

/** Counts have no fractions. */
export const wholeTicks = (scale: { ticks: (count: number) => number[] }, count = 3): number[] =>
  scale.ticks(count).filter((tick) => Number.isInteger(tick));

/** Every n-th value, so that labels of this width fit. */
export function fitting<T>(values: readonly T[], width: number, labelWidth: number): T[] {
  const every = Math.max(1, Math.ceil((values.length * labelWidth) / Math.max(width, 1)));
  return values.filter((_, index) => index % every === 0);
}
