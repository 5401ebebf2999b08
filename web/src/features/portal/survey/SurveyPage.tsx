import type { PublicSurvey } from '@tandem/contracts';
import { readPublicSurvey } from '@tandem/contracts/endpoints';
import { surveyRatingLabels } from '@tandem/contracts/values';
import { CircleCheck, SearchX } from 'lucide-react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { call } from '../../../lib/call';
import { read } from '../../../lib/http';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { EmailForm } from '../EmailForm';
import { toRemoteData, statusPage, type RemoteData } from '../portal';
import { PortalFrame, PortalSkeleton } from '../PortalFrame';
import { PortalOutcome } from '../PortalOutcome';
import { refusalOf } from '../refusal';
import { SurveyForm } from './SurveyForm';

/** /survey/{ticketId}?email=&rating=: satisfaction survey, once per ticket. */
export function SurveyPage() {
  const { ticketId = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const email = query.get('email')?.trim() ?? '';
  const rating = query.get('rating') ?? '';
  return (
    <PortalFrame title="Feedback">
      {email === '' ? (
        <EmailForm
          title="How did it go?"
          explanation="Enter the email you used for this ticket."
          action="Continue"
          onEmail={(entered) => setQuery({ email: entered, ...(rating ? { rating } : {}) })}
        />
      ) : (
        <Survey key={`${ticketId} ${email}`} ticketId={ticketId} email={email} linkedRating={rating} onOtherEmail={() => setQuery({})} />
      )}
    </PortalFrame>
  );
}

function useSurvey(ticketId: string, email: string) {
  const [result, setResult] = useState<RemoteData<PublicSurvey>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    read(call(readPublicSurvey, { params: { ticketId }, query: { email } }), leaving.signal).then(
      (answer) => setResult(toRemoteData(answer)),
      () => undefined, // The page was left in the meantime.
    );
    return () => leaving.abort();
  }, [ticketId, email, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { result, again };
}

interface SurveyProps {
  ticketId: string;
  email: string;
  linkedRating: string;
  onOtherEmail: () => void;
}

function Survey({ ticketId, email, linkedRating, onOtherEmail }: SurveyProps) {
  const { result, again } = useSurvey(ticketId, email);
  const [isThanked, setIsThanked] = useState(false);
  if (result.state === 'loading') return <PortalSkeleton />;
  if (result.state === 'failed') {
    // A malformed id or address is refused as invalid input (422): for the customer the link is just as wrong.
    if (result.problem.code === 'ticket.not_found' || result.problem.status === 422) return <NotFound onOtherEmail={onOtherEmail} />;
    return <ErrorNote title="Failed to load ticket information." detail={refusalOf(result.problem)} onRetry={again} />;
  }
  const { ticket, survey } = result.value;
  if (isThanked) {
    return (
      <Outcome title="Thank You!" ticketId={ticketId} email={email}>
        Your feedback helps us improve.
      </Outcome>
    );
  }
  if (survey) {
    return (
      <Outcome title="Feedback already submitted" ticketId={ticketId} email={email}>
        You rated {ticket.ticket_number} {survey.rating} of 5, {surveyRatingLabels[survey.rating]}. Thank you.
      </Outcome>
    );
  }
  return (
    <SurveyForm
      ticket={ticket}
      email={email}
      linkedRating={linkedRating}
      onSubmitted={() => setIsThanked(true)}
      onAlreadySubmitted={again}
    />
  );
}

const Outcome = ({ title, ticketId, email, children }: { title: string; ticketId: string; email: string; children: ReactNode }) => (
  <div role="status">
    <PortalOutcome
      icon={CircleCheck}
      title={title}
      actions={
        <Button asChild size="lg" className="h-11">
          <Link to={statusPage(ticketId, email)}>View ticket</Link>
        </Button>
      }
    >
      {children}
    </PortalOutcome>
  </div>
);

/** Shown if the id and the address match no ticket. */
const NotFound = ({ onOtherEmail }: { onOtherEmail: () => void }) => (
  <div role="alert">
    <PortalOutcome
      icon={SearchX}
      title="Ticket Not Found"
      actions={
        <Button size="lg" className="h-11" onClick={onOtherEmail}>
          Try another address
        </Button>
      }
    >
      The survey link you followed is invalid or the ticket doesn't exist.
    </PortalOutcome>
  </div>
);
