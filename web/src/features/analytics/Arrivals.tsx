import { hourOfDayText, weekdayNames } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { ChartCard } from './charts/ChartCard';
import { HeatMap } from './charts/HeatMap';
import type { SectionProps } from './section';

function summaryOf(arrivals: number[][]): string {
  const cells = arrivals.flatMap((hours, weekday) => hours.map((count, hour) => ({ weekday, hour, count })));
  const busiest = cells.reduce((most, cell) => (cell.count > most.count ? cell : most), { weekday: 0, hour: 0, count: 0 });
  if (busiest.count === 0) return t('analytics.no_tickets_in_range');
  return t('analytics.busiest_hour', {
    weekday: weekdayNames[busiest.weekday] ?? '',
    hour: hourOfDayText(busiest.hour),
    count: busiest.count,
  });
}

/** When tickets are created, by weekday and hour. */
export function Arrivals({ analytics: { arrivals, time_zone }, links }: SectionProps) {
  const data = () => ({
    columns: [t('analytics.hour'), ...weekdayNames],
    rows: Array.from({ length: 24 }, (_, hour) => ({
      name: hourOfDayText(hour),
      cells: weekdayNames.map((_day, weekday) => ({ value: arrivals[weekday]?.[hour] ?? 0, to: links.arrivals(weekday, hour) })),
    })),
  });
  return (
    <ChartCard
      title={t('analytics.arrivals')}
      metric="total_tickets"
      summary={t('analytics.times_are_in', { summary: summaryOf(arrivals), time_zone })}
      data={data}
    >
      {(labels) => <HeatMap counts={arrivals} linkOf={links.arrivals} {...labels} />}
    </ChartCard>
  );
}
