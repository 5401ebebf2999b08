import type { Analytics } from '@tandem/contracts';
import { counted, countText, longDayText, shortDayText } from '../../lib/metric-format';
import { ChartCard } from './charts/ChartCard';
import type { ChartData } from './charts/ChartTable';
import { DayChart } from './charts/DayChart';
import type { SectionProps } from './section';

const columns = [
  ['created', 'Created'],
  ['resolved', 'Resolved'],
  ['reopened', 'Reopened'],
  ['breaches', 'SLA breaches'],
  ['backlog', 'Backlog'],
] as const;

function summaryOf(days: Analytics['per_day']): string {
  const sum = (name: 'created' | 'resolved') => days.reduce((total, day) => total + day[name], 0);
  const busiest = days.reduce((most, day) => (day.created > most.created ? day : most));
  const [first, last] = [days[0]?.backlog ?? 0, days.at(-1)?.backlog ?? 0];
  const backlog =
    first === last ? `the backlog stayed at ${countText(last)}` : `the backlog went from ${countText(first)} to ${countText(last)}`;
  const most = busiest.created > 1 ? ` The most, ${countText(busiest.created)}, were created on ${shortDayText(busiest.day)}.` : '';
  return `${counted(sum('created'), 'ticket')} created and ${countText(sum('resolved'))} resolved; ${backlog}.${most}`;
}

/** The events of each day, regardless of when the tickets were created. */
export function Volume({ analytics: { per_day }, links }: SectionProps) {
  const data = (): ChartData => ({
    columns: ['Day', ...columns.map(([, label]) => label)],
    rows: per_day.map((day) => ({
      name: longDayText(day.day),
      cells: columns.map(([name]) => ({ value: day[name], to: links.day(day.day, name) })),
    })),
  });
  return (
    <ChartCard
      title="Created and resolved per day"
      metric="per_day"
      summary={per_day.length > 0 ? summaryOf(per_day) : 'No days in this range.'}
      data={data}
    >
      {(labels) => per_day.length > 0 && <DayChart days={per_day} links={links} {...labels} />}
    </ChartCard>
  );
}
