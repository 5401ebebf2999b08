import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';

const width = 96;
const height = 24;

/** The course of a figure over the range. The chart per day shows the same numbers in full. */
export function Sparkline({ values }: { values: number[] }) {
  const x = scaleLinear({ domain: [0, Math.max(values.length - 1, 1)], range: [1, width - 1] });
  const y = scaleLinear({ domain: [0, Math.max(1, ...values)], range: [height - 2, 2] });
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden className="h-6 w-full">
      <LinePath
        data={values}
        x={(_, index) => x(index)}
        y={(value) => y(value)}
        stroke="var(--accent)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
