import type { Analytics } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { counted, hoursText } from '../../lib/metric-format';
import type { Duration } from '../../lib/metric-links';
import { ChartCard } from './charts/ChartCard';
import { barText, Histogram } from './charts/Histogram';
import { bigMetricLink } from './metric-link';
import type { SectionProps } from './section';

const titles: Record<Duration, string> = { first_response: 'First response', resolution: 'Resolution' };

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

const past: Record<Duration, string> = { first_response: 'answered', resolution: 'resolved' };
const summaryOf = (duration: Duration, { count, median, p90 }: ReturnType<typeof valuesOf>): string =>
  count === 0
    ? `No tickets ${past[duration]} yet.`
    : count === 1
      ? `1 ticket ${past[duration]} within ${hoursText(median)}.`
      : `Half of ${counted(count, 'ticket')} ${past[duration]} within ${hoursText(median)}, 90% within ${hoursText(p90)}.`;

/** Median, the slowest tenth and average of one duration, with its histogram. */
export function DurationChart({ analytics, links, duration }: SectionProps & { duration: Duration }) {
  const bars = analytics[`${duration}_histogram`];
  const values = valuesOf(analytics, duration);
  const linkOf = (bar: (typeof bars)[number]) => links.duration(duration, bar);
  const named: [string, number | null][] = [
    ['Median', values.median],
    ['90% within', values.p90],
    ['Average', values.average],
  ];
  const data = () => ({
    columns: ['Working time', 'Tickets'],
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
