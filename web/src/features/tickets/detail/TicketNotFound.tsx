import { TicketX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { PageHeader } from '../../../ui/PageHeader';
import { useTicketLayout } from '../list/TicketsPage';
import { useListLink } from './use-list-link';

export function TicketNotFound() {
  const back = useListLink();
  const { isBesideList } = useTicketLayout();
  return (
    <div className="m-auto">
      {!isBesideList && <PageHeader title={t('tickets.detail.ticket_not_found')} />}
      <EmptyState
        icon={TicketX}
        title={t('tickets.detail.ticket_not_found')}
        action={
          <Button asChild>
            <Link to={back}>{t('tickets.detail.back_to_tickets')}</Link>
          </Button>
        }
      >
        {t('tickets.detail.why_ticket_is_not_found')}
      </EmptyState>
    </div>
  );
}
