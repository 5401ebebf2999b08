import type { HistogramBar } from '@tandem/contracts';
import { hoursText } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { CountAxis, NameAxis } from './axis';
import { Plot } from './Plot';
import { bandScale, linearScale } from './scale';
import { useWidth } from './use-width';

const margin = { left: 34, right: 6, top: 8 };
const barsHeight = 120;
const height = margin.top + barsHeight + 24;

/** '<1h', '1h to 2h', '>72h' */
export const barText = ({ from_hours, to_hours }: HistogramBar): string => {
  if (to_hours === null) return `>${hoursText(from_hours)}`;
  return from_hours === 0 ? `<${hoursText(to_hours)}` : `${hoursText(from_hours)}–${hoursText(to_hours)}`;
};
const barWords = ({ from_hours, to_hours, count }: HistogramBar): string => {
  const from = hoursText(from_hours);
  if (to_hours === null) return t('analytics.charts.tickets_of_duration_or_more', { from, count });
  const to = hoursText(to_hours);
  return from_hours === 0
    ? t('analytics.charts.tickets_of_less_than', { to, count })
    : t('analytics.charts.tickets_of_duration', { from, to, count });
};

interface HistogramProps {
  bars: HistogramBar[];
  linkOf: (bar: HistogramBar) => string;
  title: string;
  summary: string;
}

/** The number of tickets by duration. */
export function Histogram({ bars, linkOf, title, summary }: HistogramProps) {
  const [measure, { width }] = useWidth();
  const names = bars.map(barText);
  const inner = width - margin.left - margin.right;
  const x = bandScale(names, [margin.left, width - margin.right], 0.15);
  const y = linearScale(Math.max(1, ...bars.map(({ count }) => count)), [margin.top + barsHeight, margin.top], 3);
  const { step, barWidth } = x;
  const cells = bars.map((bar, index) => ({
    x: x(names[index] ?? '') - (step - barWidth) / 2,
    y: margin.top,
    width: step,
    height: barsHeight,
    label: barWords(bar),
    to: linkOf(bar),
  }));
  return (
    <div ref={measure} style={{ minHeight: height }}>
      {width > 0 && (
        <Plot
          width={width}
          height={height}
          title={title}
          summary={summary}
          cells={[cells]}
          tooltip={(_, column) => {
            const bar = bars[column];
            return bar && barWords(bar);
          }}
        >
          {(shown) => (
            <>
              {shown && <rect x={shown.x} y={shown.y} width={shown.width} height={shown.height} fill="var(--hover)" />}
              <CountAxis scale={y} left={margin.left} width={inner} />
              {bars.map(({ count }, index) => (
                <rect
                  key={names[index]}
                  x={x(names[index] ?? '')}
                  y={y(count)}
                  width={barWidth}
                  height={margin.top + barsHeight - y(count)}
                  fill="var(--accent)"
                  rx={2}
                />
              ))}
              <NameAxis scale={x} top={margin.top + barsHeight} labelWidth={60} />
            </>
          )}
        </Plot>
      )}
    </div>
  );
}
