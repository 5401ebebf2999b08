import { linePath } from './scale';

const width = 96;
const height = 24;
/** Room for the dot at the edge. */
const inset = 2;

type Point = readonly [x: number, y: number];

/** The consecutive days with a value. */
function runsOf(values: readonly (number | null)[], toPoint: (value: number, index: number) => Point): Point[][] {
  const runs: Point[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index === 0 || values[index - 1] === null) runs.push([]);
    runs.at(-1)?.push(toPoint(value, index));
  });
  return runs;
}

interface SparklineProps {
  /** One per day; null on days without a value. */
  values: readonly (number | null)[];
  /** Whether the line's lower edge is zero, as for counts. Otherwise it is the smallest value. */
  fromZero: boolean;
}

/** The trend of a figure over the range. Its card describes it in words, so screen readers skip the drawing. */
export function Sparkline({ values, fromZero }: SparklineProps) {
  const present = values.filter((value) => value !== null);
  const highest = Math.max(...present);
  const lowest = fromZero ? 0 : Math.min(...present);
  const toPoint = (value: number, index: number): Point => {
    const x = inset + (index / Math.max(1, values.length - 1)) * (width - 2 * inset);
    // Equal values are a line at the bottom if they are zero, otherwise in the middle.
    const share = highest > lowest ? (value - lowest) / (highest - lowest) : value === 0 ? 0 : 0.5;
    return [Math.round(x * 10) / 10, Math.round((height - inset - share * (height - 2 * inset)) * 10) / 10];
  };
  const runs = runsOf(values, toPoint);
  const bridges = runs.slice(1).map((run, index) => linePath([runs[index]!.at(-1)!, run[0]!]));
  const newest = runs.at(-1)?.at(-1);
  const stroke = { fill: 'none', stroke: 'var(--accent)', strokeLinecap: 'round', strokeLinejoin: 'round', vectorEffect: 'non-scaling-stroke' } as const; // prettier-ignore
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden className="h-6 w-full">
      {/* Faint, because there is no value in between. Without it, the days of a quiet team would be scattered specks. */}
      {bridges.length > 0 && <path d={bridges.join('')} strokeWidth={1.5} strokeOpacity={0.4} {...stroke} />}
      <path d={runs.map(linePath).join('')} strokeWidth={1.5} {...stroke} />
      {/* A line without length, because a circle would be stretched with the drawing. */}
      {newest && <path d={`M${newest[0]},${newest[1]}h0`} strokeWidth={4} {...stroke} />}
    </svg>
  );
}
