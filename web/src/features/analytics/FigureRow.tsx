import type { AnalyticsFigures } from '@tandem/contracts';
import type { CourseFigure, MetricName } from '@tandem/contracts/values';
import { countText, hoursText } from '../../lib/metric-format';
import type { FigureLink } from '../../lib/metric-links';
import { t } from '../../lib/staff-texts';
import type { Unit } from './change';
import { FigureCard } from './FigureCard';
import type { SectionProps } from './section';

interface Shown {
  metric: MetricName;
  /** The property that contains the figure's value, for the range and for each day. */
  of: CourseFigure;
  unit: Unit;
  to: FigureLink;
  /** A second number, such as the slowest tenth. */
  detail?: (figures: AnalyticsFigures) => string | undefined;
  /** The tickets that the second number counts, if they are not those of the first one. */
  detailTo?: FigureLink;
}
const within = (hours: number | null) => (hours === null ? undefined : t('analytics.p90_is', { hours: hoursText(hours) }));

const shownFigures: Shown[] = [
  { metric: 'total_tickets', of: 'total_tickets', unit: 'count', to: 'total_tickets' },
  {
    metric: 'open_tickets',
    of: 'open_tickets',
    unit: 'count',
    to: 'open_tickets',
    detail: (all) => t('analytics.count_resolved', { count: countText(all.resolved_tickets) }),
    detailTo: 'resolution',
  },
  {
    metric: 'first_response',
    of: 'median_first_response_hours',
    unit: 'hours',
    to: 'first_response',
    detail: (all) => within(all.p90_first_response_hours),
  },
  {
    metric: 'resolution',
    of: 'median_resolution_hours',
    unit: 'hours',
    to: 'resolution',
    detail: (all) => within(all.p90_resolution_hours),
  },
  {
    metric: 'avg_satisfaction',
    of: 'avg_satisfaction',
    unit: 'rating',
    to: 'ratings',
    detail: (all) => t('analytics.count_ratings', { count: all.ratings }),
  },
  { metric: 'sla_breaches', of: 'sla_breaches', unit: 'count', to: 'sla_breaches' },
  { metric: 'sla_compliance', of: 'sla_compliance', unit: 'share', to: 'sla_compliance' },
  {
    metric: 'escalation_rate',
    of: 'escalation_rate',
    unit: 'share',
    to: 'escalated',
    detail: (all) => t('analytics.count_escalated', { count: countText(all.escalated_tickets) }),
  },
  {
    metric: 'reopen_rate',
    of: 'reopen_rate',
    unit: 'share',
    to: 'reopened',
    detail: (all) => t('analytics.count_reopened', { count: countText(all.reopened_tickets) }),
  },
  {
    metric: 'one_touch_rate',
    of: 'one_touch_rate',
    unit: 'share',
    to: 'one_touch',
    detail: (all) =>
      t('analytics.count_of_resolved', { count: countText(all.one_touch_tickets), resolved: countText(all.resolved_tickets) }),
  },
];

/** The figures of the range, compared with the preceding period. */
export function FigureRow({ analytics: { figures, previous, figures_per_day }, links }: SectionProps) {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="sr-only">
        {t('analytics.figures')}
      </h2>
      <ul className="grid grid-cols-5 gap-3 max-lg:grid-cols-3 max-sm:grid-cols-2 max-sm:gap-2">
        {shownFigures.map(({ metric, of, unit, to, detail, detailTo }) => (
          <FigureCard
            key={metric}
            metric={metric}
            value={figures[of]}
            before={previous.figures[of]}
            unit={unit}
            to={links.figure(to)}
            detail={detail?.(figures)}
            detailTo={detailTo && links.figure(detailTo)}
            course={figures_per_day[of]}
          />
        ))}
      </ul>
    </section>
  );
}
