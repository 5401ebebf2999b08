import type { Analytics } from '@tandem/contracts';
import { countText, longDayText, shortDayText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { ChartCard } from './charts/ChartCard';
import type { ChartData } from './charts/ChartTable';
import { DayChart } from './charts/DayChart';
import type { SectionProps } from './section';

const columns = [
  ['created', t('analytics.created')],
  ['resolved', t('analytics.resolved')],
  ['reopened', t('analytics.reopened')],
  ['breaches', t('analytics.sla_breaches')],
  ['backlog', t('analytics.backlog')],
] as const;

function summaryOf(days: Analytics['per_day']): string {
  const sum = (name: 'created' | 'resolved') => days.reduce((total, day) => total + day[name], 0);
  const busiest = days.reduce((most, day) => (day.created > most.created ? day : most));
  const [first, last] = [days[0]?.backlog ?? 0, days.at(-1)?.backlog ?? 0];
  const [created, resolved, backlog] = [sum('created'), countText(sum('resolved')), countText(last)];
  const summary =
    first === last
      ? t('analytics.volume_with_same_backlog', { created, resolved, backlog })
      : t('analytics.volume_with_changed_backlog', { created, resolved, first: countText(first), backlog });
  if (busiest.created < 2) return summary;
  return `${summary} ${t('analytics.most_were_created_on', { count: countText(busiest.created), day: shortDayText(busiest.day) })}`;
}

/** The events of each day, regardless of when the tickets were created. */
export function Volume({ analytics: { per_day }, links }: SectionProps) {
  const data = (): ChartData => ({
    columns: [t('analytics.day'), ...columns.map(([, label]) => label)],
    rows: per_day.map((day) => ({
      name: longDayText(day.day),
      cells: columns.map(([name]) => ({ value: day[name], to: links.day(day.day, name) })),
    })),
  });
  return (
    <ChartCard
      title={t('analytics.created_and_resolved_per_day')}
      metric="per_day"
      summary={per_day.length > 0 ? summaryOf(per_day) : t('analytics.no_days_in_range')}
      data={data}
    >
      {(labels) => per_day.length > 0 && <DayChart days={per_day} links={links} {...labels} />}
    </ChartCard>
  );
}
