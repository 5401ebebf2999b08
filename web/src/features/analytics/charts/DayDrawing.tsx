import type { AnalyticsDay } from '@tandem/contracts';
import { useId } from 'react';
import { shortDayText } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { CountAxis, NameAxis, tickText } from './axis';
import { bandScale, linearScale, linePath } from './scale';
import { Stripes } from './Stripes';

export const margin = { left: 34, right: 6, top: 8 };
export const barsHeight = 150;
const gap = 26;
export const lineHeight = 56;
const axisHeight = 24;
export const height = margin.top + barsHeight + gap + lineHeight + axisHeight;
export const lineTop = margin.top + barsHeight + gap;
export function scalesOf(days: AnalyticsDay[], width: number) {
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
export type Scales = ReturnType<typeof scalesOf>;

/** The scales with their names, over the drawing where that scrolls: otherwise they would leave with the oldest days. */
export function FixedScales({ scales: { bars, line } }: { scales: Scales }) {
  return (
    <div aria-hidden className="pointer-events-none sticky left-0 z-10 h-0 w-0 print:hidden">
      <svg width={margin.left + 60} height={height}>
        <rect width={margin.left} height={height} fill="var(--surface)" />
        <CountAxis scale={bars} left={margin.left} width={0} />
        <CountAxis scale={line} left={margin.left} width={0} ticks={2} />
        <text x={margin.left + 2} y={lineTop - 10} {...tickText}>
          {t('analytics.charts.backlog')}
        </text>
      </svg>
    </div>
  );
}

/** Created and resolved tickets as bars, the backlog as a line below. */
export function DayDrawing({ days, scales: { x, bars, line }, width }: { days: AnalyticsDay[]; scales: Scales; width: number }) {
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
        {t('analytics.charts.backlog')}
      </text>
      <NameAxis scale={x} top={lineTop + lineHeight} labelWidth={56} text={shortDayText} />
    </>
  );
}
