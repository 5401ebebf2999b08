import type { MyAnalytics } from '@tandem/contracts';
import { metricDefinitions } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { countText, hoursText, ratingText } from '../../lib/metric-format';
import { metricLinks, type MetricLinks } from '../../lib/metric-links';
import { t } from '../../lib/staff-texts';
import { ErrorNote } from '../../ui/ErrorNote';
import { Rich } from '../../ui/Rich';
import { useMyAnalyticsQuery } from './dashboard.api';
import { MyFiguresSkeleton } from './MyFiguresSkeleton';

const rowsOf = (figures: MyAnalytics['figures'], links: MetricLinks): { label: string; text: string; to: string }[] => [
  { label: t('dashboard.assigned_to_me'), text: countText(figures.total_tickets), to: links.figure('total_tickets') },
  { label: t('dashboard.resolved'), text: countText(figures.resolved_tickets), to: links.figure('resolution') },
  {
    label: metricDefinitions.first_response.label,
    text: hoursText(figures.median_first_response_hours),
    to: links.figure('first_response'),
  },
  { label: metricDefinitions.resolution.label, text: hoursText(figures.median_resolution_hours), to: links.figure('resolution') },
  { label: metricDefinitions.avg_satisfaction.label, text: ratingText(figures.avg_satisfaction), to: links.figure('ratings') },
];

/** The figures of an agent's own tickets, with links to these tickets. */
export function MyFigures() {
  const { data, isError, isFetching, refetch } = useMyAnalyticsQuery();
  if (!data && isError)
    return <ErrorNote title={t('dashboard.couldnt_load_your_figures')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!data) return <MyFiguresSkeleton />;
  const links = metricLinks({ period: data.period, timeZone: data.time_zone, filters: { assignee: 'me' } });
  return (
    <>
      <ul className="p-1.5">
        {rowsOf(data.figures, links).map(({ label, text, to }) => (
          <li key={label}>
            <Link
              to={to}
              className="flex h-8 items-center justify-between gap-3 rounded-md px-2.5 transition-colors hover:bg-hover touch:h-11"
            >
              {label}
              <span className="tabular font-medium">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="px-4 pb-3 text-xs text-muted">
        <Rich
          text={t('dashboard.times_are_medians')}
          tags={{
            link: (inside) => (
              <Link to="/docs/admin-guide#how-we-count" className="underline underline-offset-2 hover:text-ink">
                {inside}
              </Link>
            ),
          }}
        />
      </p>
    </>
  );
}
