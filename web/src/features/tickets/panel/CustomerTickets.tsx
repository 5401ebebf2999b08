import type { Ticket } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { StatusMark } from '../../../lib/ticket-badges';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useListCustomerTicketsQuery } from './panel.api';

const shown = 5;

/** The other tickets of this customer, latest first. */
export function CustomerTickets({ ticket }: { ticket: Ticket }) {
  const { isMissing, retry } = useTicketPart('customer_tickets');
  const { currentData, isError, isFetching, refetch } = useListCustomerTicketsQuery(ticket.customer_email, { skip: isMissing });
  if (!currentData && (isMissing || isError)) {
    return (
      <div className="mt-2">
        <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
          {t('tickets.panel.couldnt_load_other_tickets')}
        </PartError>
      </div>
    );
  }
  if (!currentData) return null;
  const others = currentData.items.filter(({ id }) => id !== ticket.id).slice(0, shown);
  const count = Math.max(0, (currentData.pagination?.total ?? currentData.items.length) - 1);
  if (others.length === 0) return <p className="mt-2 text-xs text-muted">{t('tickets.panel.no_other_tickets')}</p>;
  return (
    <div className="mt-2.5">
      <h4 id="customer-tickets" className="font-normal text-xs text-muted">
        {t('tickets.panel.other_tickets', { count })}
      </h4>
      <ul aria-labelledby="customer-tickets" className="-mx-2 mt-0.5">
        {others.map(({ id, ticket_number, subject, status }) => (
          <li key={id}>
            <Link to={`/tickets/${id}`} className="flex h-7 items-center gap-2 rounded-md px-2 hover:bg-hover touch:h-10" title={subject}>
              <StatusMark status={status} />
              <span className="shrink-0 text-xs text-muted tabular">{ticket_number}</span>
              <span className="truncate" dir="auto">
                {subject}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {count > others.length && (
        <Link
          to={`/tickets?customer_email=${encodeURIComponent(ticket.customer_email)}`}
          className="mt-1 inline-block text-xs text-accent-text hover:underline"
        >
          {t('tickets.panel.all_tickets_of_this_customer')}
        </Link>
      )}
    </div>
  );
}
