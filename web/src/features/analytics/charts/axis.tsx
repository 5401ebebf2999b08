import { AxisBottom, AxisLeft, type TickRendererProps } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { scaleBand, scaleLinear } from '@visx/scale';

/** Texts on the axes. */
export const tickText = { fill: 'var(--muted)', fontSize: 11, fontFamily: 'inherit' } as const;

/** '500', '12.5K': never wider than the margin of the charts. */
const tickCount = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Counts have no fractions. */
const wholeTicks = (scale: { ticks: (count: number) => number[] }, count = 3): number[] =>
  scale.ticks(count).filter((tick) => Number.isInteger(tick));

/** Every n-th value, so that labels of this width fit. */
function fitting<T>(values: readonly T[], width: number, labelWidth: number): T[] {
  const every = Math.max(1, Math.ceil((values.length * labelWidth) / Math.max(width, 1)));
  return values.filter((_, index) => index % every === 0);
}

/** Plain SVG text. The text component of visx measures each word, which makes the browser compute the layout each time. */
const tick = ({ formattedValue, x, y, dx, dy, textAnchor, fill, fontSize, fontFamily }: TickRendererProps) => (
  <text {...{ x, y, dx, dy, textAnchor, fill, fontSize, fontFamily }}>{formattedValue}</text>
);

type LinearScale = ReturnType<typeof scaleLinear<number>>;
type BandScale = ReturnType<typeof scaleBand<string>>;

/** Horizontal lines with their counts on the left. */
export function CountAxis({ scale, left, width, ticks = 3 }: { scale: LinearScale; left: number; width: number; ticks?: number }) {
  const tickValues = wholeTicks(scale, ticks);
  return (
    <>
      <GridRows scale={scale} left={left} width={width} tickValues={tickValues} stroke="var(--line)" />
      <AxisLeft
        scale={scale}
        left={left}
        hideAxisLine
        hideTicks
        tickValues={tickValues}
        tickLength={0}
        tickFormat={(value) => tickCount.format(Number(value))}
        tickComponent={tick}
        tickLabelProps={{ ...tickText, dx: -4, dy: 4, textAnchor: 'end' }}
      />
    </>
  );
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
  const [, end] = scale.range();
  const centerOf = (name: string) => (scale(name) ?? 0) + scale.bandwidth() / 2;
  return (
    <AxisBottom
      scale={scale}
      top={top}
      stroke="var(--line-strong)"
      hideTicks
      tickValues={fitting(scale.domain(), width, labelWidth)}
      tickFormat={text}
      tickComponent={tick}
      tickLabelProps={(name) => ({ ...tickText, textAnchor: centerOf(name) + labelWidth / 2 > end ? 'end' : 'middle' })}
    />
  );
}
