import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import type { ApiProblem } from '../../../lib/problem';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { EmailForm } from '../EmailForm';
import { PortalFrame, PortalSkeleton } from '../PortalFrame';
import { PortalOutcome } from '../PortalOutcome';
import { refusalOf } from '../refusal';
import { PublicTicketView } from './PublicTicketView';
import { usePublicTicket } from './use-public-ticket';

/** Shown for an unknown ticket and for a wrong email address alike. */
const noMatch = 'No ticket found with that email address for this organization.';
const notAuthenticated = 'Failed to authenticate. Please try again.';
/** A malformed id or address is refused as invalid input (422); for the customer that is the same as no match. */
const isNoMatch = (problem: ApiProblem) => problem.code === 'ticket.not_found' || problem.status === 422;

/** /ticket-status/{id}?email=: the customer's view of a ticket. Access requires the id and the email address. */
export function TicketStatusPage() {
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const email = query.get('email')?.trim() ?? '';
  return (
    <PortalFrame title="Ticket status">
      {email === '' ? (
        <EmailForm
          title="Check Ticket Status"
          explanation="Enter the email you used for this ticket."
          action="View ticket"
          onEmail={(entered) => setQuery({ email: entered })}
        />
      ) : (
        <Ticket key={`${id} ${email}`} id={id} email={email} onOtherEmail={() => setQuery({})} />
      )}
    </PortalFrame>
  );
}

function Ticket({ id, email, onOtherEmail }: { id: string; email: string; onOtherEmail: () => void }) {
  const ticket = usePublicTicket(id, email);
  const problem = ticket.state === 'failed' ? ticket.problem : undefined;
  useEffect(() => {
    // PortalFrame shows a message if the organization does not exist.
    if (!problem || problem.code === 'organization.not_found') return;
    if (isNoMatch(problem)) notify.error(noMatch, 'Access Denied');
    else notify.error(notAuthenticated);
  }, [problem]);
  if (ticket.state === 'loading') return <PortalSkeleton />;
  if (ticket.state === 'loaded') return <PublicTicketView ticket={ticket.value} earlier={ticket.earlier} onChanged={ticket.refresh} />;
  if (!isNoMatch(ticket.problem)) {
    return <ErrorNote title="Failed to load ticket information." detail={refusalOf(ticket.problem)} onRetry={ticket.refresh} />;
  }
  return (
    <div role="alert">
      <PortalOutcome
        icon={SearchX}
        title="Ticket not found"
        actions={
          <>
            <Button size="lg" className="h-11" onClick={onOtherEmail}>
              Try another address
            </Button>
            <Button asChild size="lg" variant="ghost" className="h-11">
              <Link to="/submit-ticket">Submit a ticket</Link>
            </Button>
          </>
        }
      >
        {noMatch}
      </PortalOutcome>
    </div>
  );
}
