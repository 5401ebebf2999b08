import { counted, hourOfDayText, weekdayNames } from '../../lib/metric-format';
import { ChartCard } from './charts/ChartCard';
import { HeatMap } from './charts/HeatMap';
import type { SectionProps } from './section';

function summaryOf(arrivals: number[][]): string {
  const cells = arrivals.flatMap((hours, weekday) => hours.map((count, hour) => ({ weekday, hour, count })));
  const busiest = cells.reduce((most, cell) => (cell.count > most.count ? cell : most), { weekday: 0, hour: 0, count: 0 });
  if (busiest.count === 0) return 'No tickets in this range.';
  return `Busiest: ${weekdayNames[busiest.weekday]} at ${hourOfDayText(busiest.hour)}, ${counted(busiest.count, 'ticket')}.`;
}

/** When tickets are created, by weekday and hour. */
export function Arrivals({ analytics: { arrivals, time_zone }, links }: SectionProps) {
  const data = () => ({
    columns: ['Hour', ...weekdayNames],
    rows: Array.from({ length: 24 }, (_, hour) => ({
      name: hourOfDayText(hour),
      cells: weekdayNames.map((_day, weekday) => ({ value: arrivals[weekday]?.[hour] ?? 0, to: links.arrivals(weekday, hour) })),
    })),
  });
  return (
    <ChartCard title="Arrivals" metric="total_tickets" summary={`${summaryOf(arrivals)} Times are in ${time_zone}.`} data={data}>
      {(labels) => <HeatMap counts={arrivals} linkOf={links.arrivals} {...labels} />}
    </ChartCard>
  );
}
