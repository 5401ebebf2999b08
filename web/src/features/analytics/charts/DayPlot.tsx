import type { AnalyticsDay } from '@tandem/contracts';
import { countText, longDayText } from '../../../lib/metric-format';
import type { MetricLinks } from '../../../lib/metric-links';
import { t } from '../../../lib/staff-texts';
import { barsHeight, DayDrawing, height, lineHeight, lineTop, margin, type Scales } from './DayDrawing';
import { Plot, type PlotCell } from './Plot';

const series: { name: 'created' | 'resolved' | 'backlog'; label: (day: string, count: string) => string }[] = [
  { name: 'created', label: (day, count) => t('analytics.charts.created_on_day', { day, count }) },
  { name: 'resolved', label: (day, count) => t('analytics.charts.resolved_on_day', { day, count }) },
  { name: 'backlog', label: (day, count) => t('analytics.charts.open_at_end_of_day', { day, count }) },
];

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
      return { ...place, label: label(longDayText(day.day), countText(day[name])), to: links.day(day.day, name) };
    }),
  );
}

function DayTooltip({ day }: { day: AnalyticsDay }) {
  const lines: [string, number][] = [
    [t('analytics.charts.created'), day.created],
    [t('analytics.charts.resolved'), day.resolved],
    [t('analytics.charts.reopened'), day.reopened],
    [t('analytics.charts.sla_breaches'), day.breaches],
    [t('analytics.charts.backlog'), day.backlog],
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

interface DayPlotProps {
  days: AnalyticsDay[];
  scales: Scales;
  links: MetricLinks;
  width: number;
  title: string;
  summary: string;
}

/** The drawing with the links and tooltips of its days. */
export function DayPlot({ days, scales, links, width, title, summary }: DayPlotProps) {
  return (
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
          <DayDrawing days={days} scales={scales} width={width} />
        </>
      )}
    </Plot>
  );
}
