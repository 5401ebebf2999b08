import type { Analytics } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { hoursText } from '../../lib/metric-format';
import type { Duration } from '../../lib/metric-links';
import { t } from '../../lib/staff-texts';
import { ChartCard } from './charts/ChartCard';
import { barText, Histogram } from './charts/Histogram';
import { bigMetricLink } from './metric-link';
import type { SectionProps } from './section';

const titles: Record<Duration, string> = {
  first_response: t('analytics.first_response'),
  resolution: t('analytics.resolution'),
};

function valuesOf({ figures }: Analytics, duration: Duration) {
  return duration === 'first_response'
    ? {
        count: figures.responded_tickets,
        median: figures.median_first_response_hours,
        p90: figures.p90_first_response_hours,
        average: figures.avg_first_response_hours,
      }
    : {
        count: figures.resolved_tickets,
        median: figures.median_resolution_hours,
        p90: figures.p90_resolution_hours,
        average: figures.avg_resolution_hours,
      };
}

function summaryOf(duration: Duration, values: ReturnType<typeof valuesOf>): string {
  const [median, p90] = [hoursText(values.median), hoursText(values.p90)];
  return duration === 'first_response'
    ? t('analytics.answered_within', { count: values.count, median, p90 })
    : t('analytics.resolved_within', { count: values.count, median, p90 });
}

/** Median, the slowest tenth and average of one duration, with its histogram. */
export function DurationChart({ analytics, links, duration }: SectionProps & { duration: Duration }) {
  const bars = analytics[`${duration}_histogram`];
  const values = valuesOf(analytics, duration);
  const linkOf = (bar: (typeof bars)[number]) => links.duration(duration, bar);
  const named: [string, number | null][] = [
    [t('analytics.median'), values.median],
    [t('analytics.p90'), values.p90],
    [t('analytics.average'), values.average],
  ];
  const data = () => ({
    columns: [t('analytics.working_time'), t('analytics.tickets')],
    rows: bars.map((bar) => ({ name: barText(bar), cells: [{ value: bar.count, to: linkOf(bar) }] })),
  });
  return (
    <ChartCard title={titles[duration]} metric={duration} summary={summaryOf(duration, values)} data={data}>
      {(labels) => (
        <>
          <dl className="mb-2 flex gap-6">
            {named.map(([name, value]) => (
              <div key={name}>
                <dt className="text-xs text-muted">{name}</dt>
                <dd>
                  <Link to={links.figure(duration)} className={cn(bigMetricLink, 'tabular font-semibold')}>
                    {hoursText(value)}
                  </Link>
                </dd>
              </div>
            ))}
          </dl>
          <Histogram bars={bars} linkOf={linkOf} {...labels} />
        </>
      )}
    </ChartCard>
  );
}
