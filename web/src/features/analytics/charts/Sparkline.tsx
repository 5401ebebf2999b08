import { linearScale, linePath } from './scale';

const width = 96;
const height = 24;

/** The course of a figure over the range. The chart per day shows the same numbers in full. */
export function Sparkline({ values }: { values: number[] }) {
  const x = linearScale(Math.max(values.length - 1, 1), [1, width - 1]);
  const y = linearScale(Math.max(1, ...values), [height - 2, 2]);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden className="h-6 w-full">
      <path
        d={linePath(values.map((value, index) => [x(index), y(value)]))}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
