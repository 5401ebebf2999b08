import { lazyFormat } from '../../../lib/lazy-format';
import type { BandScale, LinearScale } from './scale';

/** Texts on the axes. */
export const tickText = { fill: 'var(--muted)', fontSize: 11, fontFamily: 'inherit' } as const;

/** '500', '12.5K': never wider than the margin of the charts. */
const tickCount = lazyFormat(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));

/** Counts have no fractions. */
const wholeTicks = (scale: LinearScale, count = 3): number[] => scale.ticks(count).filter((tick) => Number.isInteger(tick));

/** Every n-th name, so that labels of this width fit. A label at the end moves to the left, unless it would touch the one before it. */
function labelsOf(scale: BandScale, labelWidth: number): { name: string; center: number; isAtEnd: boolean }[] {
  const { names, step, barWidth } = scale;
  const [start, end] = scale.range;
  const every = Math.max(1, Math.ceil((names.length * labelWidth) / Math.max(end - start, 1)));
  const labels = names
    .filter((_, index) => index % every === 0)
    .map((name) => {
      const center = scale(name) + barWidth / 2;
      return { name, center, isAtEnd: center + labelWidth / 2 > end };
    });
  return labels.filter(({ isAtEnd }, index) => !isAtEnd || index === 0 || every * step >= 1.5 * labelWidth);
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
  labelWidth: number;
  text?: (name: string) => string;
}
/** The names of the bars, as many as fit. */
export function NameAxis({ scale, top, labelWidth, text = (name) => name }: NameAxisProps) {
  const [start, end] = scale.range;
  return (
    <g transform={`translate(0,${top})`}>
      <line x1={start} x2={end} stroke="var(--line-strong)" />
      {labelsOf(scale, labelWidth).map(({ name, center, isAtEnd }) => (
        <text key={name} x={center} y={19} textAnchor={isAtEnd ? 'end' : 'middle'} {...tickText}>
          {text(name)}
        </text>
      ))}
    </g>
  );
}
