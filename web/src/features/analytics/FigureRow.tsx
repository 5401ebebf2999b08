import type { Analytics } from '@tandem/contracts';
import { counted, countText, hoursText } from '../../lib/metric-format';
import type { MetricLinks } from '../../lib/metric-links';
import { FigureCard, type FigureCardProps } from './FigureCard';

type Shown = Omit<FigureCardProps, 'value' | 'before'> & { of: keyof Omit<Analytics['figures'], 'satisfaction_distribution'> };

function shownFigures({ figures, per_day }: Analytics, links: MetricLinks): Shown[] {
  const course = (name: 'created' | 'breaches' | 'reopened') => per_day.map((day) => day[name]);
  const slowest = (hours: number | null) => (hours === null ? {} : { detail: `90% within ${hoursText(hours)}` });
  return [
    {
      metric: 'total_tickets',
      of: 'total_tickets',
      unit: 'count',
      to: links.figure('total_tickets'),
      course: course('created'),
    },
    {
      metric: 'open_tickets',
      of: 'open_tickets',
      unit: 'count',
      to: links.figure('open_tickets'),
      detail: `${countText(figures.resolved_tickets)} resolved`,
    },
    {
      metric: 'first_response',
      of: 'median_first_response_hours',
      unit: 'hours',
      to: links.figure('first_response'),
      ...slowest(figures.p90_first_response_hours),
    },
    {
      metric: 'resolution',
      of: 'median_resolution_hours',
      unit: 'hours',
      to: links.figure('resolution'),
      ...slowest(figures.p90_resolution_hours),
    },
    {
      metric: 'avg_satisfaction',
      of: 'avg_satisfaction',
      unit: 'rating',
      to: links.figure('ratings'),
      detail: counted(figures.ratings, 'rating'),
    },
    { metric: 'sla_compliance', of: 'sla_compliance', unit: 'share', to: links.figure('sla_compliance') },
    {
      metric: 'sla_breaches',
      of: 'sla_breaches',
      unit: 'count',
      to: links.figure('sla_breaches'),
      course: course('breaches'),
    },
    {
      metric: 'escalation_rate',
      of: 'escalation_rate',
      unit: 'share',
      to: links.figure('escalated'),
      detail: counted(figures.escalated_tickets, 'ticket'),
    },
    {
      metric: 'reopen_rate',
      of: 'reopen_rate',
      unit: 'share',
      to: links.figure('reopened'),
      detail: counted(figures.reopened_tickets, 'ticket'),
    },
    {
      metric: 'one_touch_rate',
      of: 'one_touch_rate',
      unit: 'share',
      to: links.figure('one_touch'),
      detail: `${countText(figures.one_touch_tickets)} of ${countText(figures.resolved_tickets)} resolved`,
    },
  ];
}

/** The figures of the range, compared with the preceding period. */
export function FigureRow({ analytics, links }: { analytics: Analytics; links: MetricLinks }) {
  const { figures, previous } = analytics;
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="sr-only">
        Figures
      </h2>
      <ul className="grid grid-cols-5 gap-3 max-lg:grid-cols-3 max-sm:grid-cols-2 max-sm:gap-2">
        {shownFigures(analytics, links).map(({ of, ...shown }) => (
          <FigureCard key={shown.metric} {...shown} value={figures[of]} before={previous.figures[of]} />
        ))}
      </ul>
    </section>
  );
}
