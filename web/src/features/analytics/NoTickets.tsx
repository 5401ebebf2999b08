import { analyticsRanges } from '@tandem/contracts/values';
import { ChartNoAxesColumn, SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { isFiltered, type AnalyticsView } from './analytics-view';

/** An organization without tickets: what the page is for, and how to create the first one. */
export function NoTickets() {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={t('analytics.no_tickets_yet')}
      action={
        <Button asChild variant="primary">
          <Link to="/tickets/new">{t('analytics.create_test_ticket')}</Link>
        </Button>
      }
    >
      {t('analytics.what_page_shows')}
    </EmptyState>
  );
}

interface NothingFoundProps {
  view: AnalyticsView;
  /** Whether the range begins after today. */
  isFuture: boolean;
  onChange: (view: AnalyticsView) => void;
}
/** A range or filters without tickets: how to get to those that have some. */
export function NothingFound({ view, isFuture, onChange }: NothingFoundProps) {
  if (isFiltered(view) && !isFuture)
    return (
      <EmptyState
        icon={SearchX}
        title={t('analytics.no_tickets_match_filters')}
        action={<Button onClick={() => onChange({ ...view, filters: {} })}>{t('analytics.clear_filters')}</Button>}
      >
        {t('analytics.nothing_matches')}
      </EmptyState>
    );
  const longest = analyticsRanges.at(-1)!;
  return (
    <EmptyState
      icon={SearchX}
      title={isFuture ? t('analytics.these_days_are_in_the_future') : t('analytics.no_tickets_on_these_days')}
      action={
        view.range !== longest && (
          <Button onClick={() => onChange({ ...view, range: longest })}>{t('analytics.show_last_days', { days: longest })}</Button>
        )
      }
    >
      {isFuture ? t('analytics.choose_earlier_days') : t('analytics.nothing_happened')}
    </EmptyState>
  );
}
