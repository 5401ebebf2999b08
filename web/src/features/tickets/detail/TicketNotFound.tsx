import { TicketX } from 'lucide-react';
import { Link } from 'react-router-dom';
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
      {!isBesideList && <PageHeader title="Ticket Not Found" />}
      <EmptyState
        icon={TicketX}
        title="Ticket Not Found"
        action={
          <Button asChild>
            <Link to={back}>Back to Tickets</Link>
          </Button>
        }
      >
        It may belong to another organization, or the address may be mistyped.
      </EmptyState>
    </div>
  );
}
