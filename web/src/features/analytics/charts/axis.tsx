import { lazyFormat } from '../../../lib/lazy-format';
import type { BandScale, LinearScale } from './scale';

/** Texts on the axes. */
export const tickText = { fill: 'var(--muted)', fontSize: 11, fontFamily: 'inherit' } as const;

/** '500', '12.5K': never wider than the margin of the charts. */
const tickCount = lazyFormat(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));

/** Counts have no fractions. */
const wholeTicks = (scale: LinearScale, count = 3): number[] => scale.ticks(count).filter((tick) => Number.isInteger(tick));

/** Every n-th value, so that labels of this width fit. */
function fitting<T>(values: readonly T[], width: number, labelWidth: number): T[] {
  const every = Math.max(1, Math.ceil((values.length * labelWidth) / Math.max(width, 1)));
  return values.filter((_, index) => index % every === 0);
}

interface CountAxisProps {
  scale: LinearScale;
  left: number;
  width: number;
  ticks?: number;
}
/** Horizontal lines with their counts on the left. */
export function CountAxis({ scale, left, width, ticks = 3 }: CountAxisProps) {
  return wholeTicks(scale, ticks).map((tick) => (
    <g key={tick} transform={`translate(${left},${scale(tick)})`}>
      <line x2={width} stroke="var(--line)" />
      <text x={-4} dy={4} textAnchor="end" {...tickText}>
        {tickCount().format(tick)}
      </text>
    </g>
  ));
}

interface NameAxisProps {
  scale: BandScale;
  top: number;
  width: number;
  labelWidth: number;
  text?: (name: string) => string;
}
/** The names of the bars, as many as fit. */
export function NameAxis({ scale, top, width, labelWidth, text = (name) => name }: NameAxisProps) {
  const [start, end] = scale.range;
  const centerOf = (name: string) => scale(name) + scale.barWidth / 2;
  return (
    <g transform={`translate(0,${top})`}>
      <line x1={start} x2={end} stroke="var(--line-strong)" />
      {fitting(scale.names, width, labelWidth).map((name) => (
        <text key={name} x={centerOf(name)} y={19} textAnchor={centerOf(name) + labelWidth / 2 > end ? 'end' : 'middle'} {...tickText}>
          {text(name)}
        </text>
      ))}
    </g>
  );
}
