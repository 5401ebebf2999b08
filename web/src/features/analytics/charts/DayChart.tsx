import type { AnalyticsDay } from '@tandem/contracts';
import { useId, useLayoutEffect, useRef } from 'react';
import { countText, longDayText, shortDayText } from '../../../lib/metric-format';
import type { MetricLinks } from '../../../lib/metric-links';
import { CountAxis, NameAxis, tickText } from './axis';
import { Plot, type PlotCell } from './Plot';
import { bandScale, linearScale, linePath } from './scale';
import { Stripes } from './Stripes';
import { useWidth } from './use-width';

const margin = { left: 34, right: 6, top: 8 };
const barsHeight = 150;
const gap = 26;
const lineHeight = 56;
const axisHeight = 24;
const height = margin.top + barsHeight + gap + lineHeight + axisHeight;
const lineTop = margin.top + barsHeight + gap;
/** Narrower days are hard to distinguish, so the chart scrolls instead. */
const minDayWidth = 7;

const series = [
  { name: 'created', label: 'created' },
  { name: 'resolved', label: 'resolved' },
  { name: 'backlog', label: 'open at the end of the day' },
] as const;

function scalesOf(days: AnalyticsDay[], width: number) {
  const x = bandScale(
    days.map(({ day }) => day),
    [margin.left, width - margin.right],
    0.2,
  );
  const most = Math.max(1, ...days.flatMap(({ created, resolved }) => [created, resolved]));
  const bars = linearScale(most, [margin.top + barsHeight, margin.top], 3);
  const backlog = Math.max(1, ...days.map((day) => day.backlog));
  const line = linearScale(backlog, [lineTop + lineHeight, lineTop], 2);
  return { x, bars, line };
}
type Scales = ReturnType<typeof scalesOf>;

/** Created on the left half of a day, resolved on the right half, the backlog below. */
function cellsOf(days: AnalyticsDay[], { x }: Scales, links: MetricLinks): PlotCell[][] {
  const { step, barWidth } = x;
  return series.map(({ name, label }, row) =>
    days.map((day) => {
      const left = x(day.day) - (step - barWidth) / 2;
      const place =
        row < 2
          ? { x: left + (row * step) / 2, y: margin.top, width: step / 2, height: barsHeight }
          : { x: left, y: lineTop - 8, width: step, height: lineHeight + 8 };
      return { ...place, label: `${longDayText(day.day)}: ${countText(day[name])} ${label}`, to: links.day(day.day, name) };
    }),
  );
}

function Drawing({ days, scales: { x, bars, line }, width }: { days: AnalyticsDay[]; scales: Scales; width: number }) {
  const stripes = useId();
  const half = x.barWidth / 2;
  const inner = width - margin.left - margin.right;
  const bar = (day: AnalyticsDay, name: 'created' | 'resolved', left: number, fill: string) => (
    <rect
      x={left}
      y={bars(day[name])}
      width={Math.max(half - 0.5, 1)}
      height={margin.top + barsHeight - bars(day[name])}
      fill={fill}
      rx={Math.min(2, half / 3)}
    />
  );
  return (
    <>
      <Stripes id={stripes} />
      <CountAxis scale={bars} left={margin.left} width={inner} />
      <CountAxis scale={line} left={margin.left} width={inner} ticks={2} />
      {days.map((day) => {
        const left = x(day.day);
        return (
          <g key={day.day}>
            {bar(day, 'created', left, 'var(--accent)')}
            {bar(day, 'resolved', left + half, `url(#${stripes})`)}
          </g>
        );
      })}
      <path
        d={linePath(days.map(({ day, backlog }) => [x(day) + half, line(backlog)]))}
        fill="none"
        stroke="var(--ink)"
        strokeWidth={1.5}
      />
      <text x={margin.left} y={lineTop - 10} {...tickText}>
        Backlog
      </text>
      <NameAxis scale={x} top={lineTop + lineHeight} width={inner} labelWidth={56} text={shortDayText} />
    </>
  );
}

function Legend() {
  const stripes = useId();
  return (
    <ul className="mb-1 flex gap-4 text-xs text-muted [print-color-adjust:exact]">
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs bg-accent" />
        Created
      </li>
      <li className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5 rounded-xs">
          <Stripes id={stripes} />
          <rect width="100%" height="100%" fill={`url(#${stripes})`} />
        </svg>
        Resolved
      </li>
    </ul>
  );
}

function DayTooltip({ day }: { day: AnalyticsDay }) {
  const lines: [string, number][] = [
    ['Created', day.created],
    ['Resolved', day.resolved],
    ['Reopened', day.reopened],
    ['SLA breaches', day.breaches],
    ['Backlog', day.backlog],
  ];
  return (
    <>
      <p className="font-medium">{longDayText(day.day)}</p>
      {lines.map(([name, value]) => (
        <p key={name} className="flex justify-between gap-4">
          <span className="text-muted">{name}</span> {countText(value)}
        </p>
      ))}
    </>
  );
}

interface DayChartProps {
  days: AnalyticsDay[];
  links: MetricLinks;
  title: string;
  summary: string;
}

/** Created and resolved tickets of each day as bars, with the backlog as a line below. The newest days are in view. */
export function DayChart({ days, links, title, summary }: DayChartProps) {
  const [measure, { width: available, isPaper }] = useWidth();
  const width = isPaper ? available : Math.max(available, days.length * minDayWidth + margin.left + margin.right);
  const scales = scalesOf(days, width);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Only if there is something to scroll: it makes the browser compute the layout immediately.
    if (scroller.current && width > available) scroller.current.scrollLeft = width;
  }, [width, available]);
  return (
    <>
      <Legend />
      <div ref={measure} style={{ minHeight: height }}>
        {available > 0 && (
          <div ref={scroller} className="overflow-x-auto overflow-y-hidden print:overflow-visible">
            <Plot
              width={width}
              height={height}
              title={title}
              summary={summary}
              cells={cellsOf(days, scales, links)}
              first={{ row: 0, column: days.length - 1 }}
              tooltip={(_, column) => days[column] && <DayTooltip day={days[column]} />}
            >
              {(shown) => (
                <>
                  {shown && <rect x={shown.x} y={shown.y} width={shown.width} height={shown.height} fill="var(--hover)" />}
                  <Drawing days={days} scales={scales} width={width} />
                </>
              )}
            </Plot>
          </div>
        )}
      </div>
    </>
  );
}
