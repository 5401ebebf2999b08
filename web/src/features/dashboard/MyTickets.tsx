import { CircleCheckBig } from 'lucide-react';
import { Link } from 'react-router-dom';
import { DueBadge } from '../../lib/due-badge';
import { t } from '../../lib/staff-texts';
import { StatusMark } from '../../lib/ticket-badges';
import { statusLabels } from '@tandem/contracts/values';
import { Card, CardHeader } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { useOpenWorkQuery } from './dashboard.api';

const all = '/tickets?assignee=me&status=open,in_progress,waiting_for_customer&sort=due';

function Rows() {
  const { data, isError, isFetching, refetch } = useOpenWorkQuery();
  if (!data && isError)
    return <ErrorNote title={t('dashboard.couldnt_load_your_tickets')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!data) {
    return (
      <div aria-hidden className="flex flex-col gap-3 p-4">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState icon={CircleCheckBig} title={t('dashboard.youre_all_caught_up')}>
        {t('dashboard.when_my_tickets_appear')}
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y">
      {data.map((ticket) => (
        <li key={ticket.id}>
          <Link
            to={`/tickets/${ticket.id}`}
            className="flex min-h-10 items-center gap-3 px-4 py-2 -outline-offset-2 transition-colors hover:bg-hover max-sm:flex-wrap max-sm:gap-y-1"
          >
            <StatusMark status={ticket.status} />
            <span className="sr-only">{statusLabels[ticket.status]}</span>
            <span className="tabular shrink-0 text-xs text-muted">{ticket.ticket_number}</span>
            <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-full max-sm:pl-6.5">{ticket.subject}</span>
            <span className="flex shrink-0 gap-1.5 max-sm:pl-6.5">
              <DueBadge ticket={ticket} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The user's open tickets, earliest due date first. */
export function MyTickets() {
  return (
    <Card aria-labelledby="open-work">
      <CardHeader
        id="open-work"
        title={t('dashboard.my_tickets_by_due_date')}
        actions={
          <Link to={all} className="text-xs text-accent-text hover:underline">
            {t('dashboard.view_all')}
          </Link>
        }
      />
      <Rows />
    </Card>
  );
}
