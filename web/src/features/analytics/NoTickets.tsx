import { ChartNoAxesColumn } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';

/** An organization without tickets: what the page is for, and how to create the first one. */
export function NoTickets() {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title="No tickets yet"
      action={
        <Button asChild variant="primary">
          <Link to="/tickets/new">Create a test ticket</Link>
        </Button>
      }
    >
      See how many tickets arrive, how fast your team answers and resolves them, and how satisfied your customers are. Figures appear with
      the first ticket.
    </EmptyState>
  );
}
