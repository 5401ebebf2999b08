import { ChartNoAxesColumn } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';

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
