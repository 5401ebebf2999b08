import { SearchX } from 'lucide-react';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { notify } from '../../lib/notify';
import type { ApiProblem } from '../../lib/problem';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { emailMissing } from './CheckTicketStatusPage';
import { usePublicTicket } from './portal';
import { EmailField } from './EmailField';
import { PortalFrame, PortalHeading, portalForm, PortalSkeleton } from './PortalFrame';
import { PortalOutcome } from './PortalOutcome';
import { PublicTicketView } from './PublicTicketView';
import { refusalOf } from './refusal';
import { showErrors } from './show-errors';

/** Spec part 2, sections 5 and 8. */
const noMatch = 'No ticket found with that email address for this organization.';
const notAuthenticated = 'Failed to authenticate. Please try again.';
/** An id that is none and an address that is none are refused as input; to the customer it is the same as no match. */
const isNoMatch = (problem: ApiProblem) => problem.status === 404 || problem.status === 422;

/** /ticket-status/{id}?email=: the ticket as its customer sees it. The id and the address together are the key. */
export function TicketStatusPage() {
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const email = query.get('email')?.trim() ?? '';
  return (
    <PortalFrame title="Ticket status">
      {email === '' ? (
        <EmailForm onEmail={(entered) => setQuery({ email: entered })} />
      ) : (
        <Ticket key={`${id} ${email}`} id={id} email={email} onOtherEmail={() => setQuery({})} />
      )}
    </PortalFrame>
  );
}

function EmailForm({ onEmail }: { onEmail: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (email.trim() !== '') {
      onEmail(email.trim());
      return;
    }
    showErrors(event.currentTarget, () => setError(emailMissing));
    notify.error(emailMissing, 'Missing Information');
  };
  return (
    <>
      <PortalHeading title="Check Ticket Status">Enter the address with which the ticket was submitted.</PortalHeading>
      <form noValidate onSubmit={submit} className={portalForm}>
        <EmailField value={email} onChange={setEmail} error={error} />
        <Button type="submit" variant="primary" size="lg" className="max-sm:w-full sm:self-start">
          View ticket
        </Button>
      </form>
    </>
  );
}

function Ticket({ id, email, onOtherEmail }: { id: string; email: string; onOtherEmail: () => void }) {
  const ticket = usePublicTicket(id, email);
  const problem = ticket.state === 'failed' ? ticket.problem : undefined;
  useEffect(() => {
    if (!problem) return;
    if (isNoMatch(problem)) notify.error(noMatch, 'Access Denied');
    else notify.error(notAuthenticated);
  }, [problem]);
  if (ticket.state === 'loading') return <PortalSkeleton />;
  if (ticket.state === 'there') return <PublicTicketView ticket={ticket.value} onChanged={ticket.refresh} />;
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
            <Button size="lg" onClick={onOtherEmail}>
              Try another address
            </Button>
            <Button asChild size="lg" variant="ghost">
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
