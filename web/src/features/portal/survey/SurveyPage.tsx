import type { PublicSurvey } from '@tandem/contracts';
import { readPublicSurvey } from '@tandem/contracts/endpoints';
import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { call } from '../../../lib/call';
import { read } from '../../../lib/http';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { EmailForm } from '../EmailForm';
import { toRemoteData, statusPage, type RemoteData } from '../portal';
import { useTexts } from '../language/texts';
import { useTicketLanguage } from '../language/use-ticket-language';
import { isNoMatch, NoMatch } from '../NoMatch';
import { PortalFrame, PortalSkeleton } from '../PortalFrame';
import { PortalOutcome } from '../PortalOutcome';
import { refusalOf } from '../refusal';
import { SurveyForm } from './SurveyForm';

/** /survey/{ticketId}?email=&rating=: satisfaction survey, once per ticket. */
export function SurveyPage() {
  const t = useTexts();
  const { ticketId = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const email = query.get('email')?.trim() ?? '';
  const rating = query.get('rating') ?? '';
  return (
    <PortalFrame title={t('survey.feedback')}>
      {email === '' ? (
        <EmailForm
          title={t('survey.title')}
          explanation={t('email.which')}
          action={t('team.continue')}
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
      () => undefined, // The user has left the page in the meantime.
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
  const t = useTexts();
  const { result, again } = useSurvey(ticketId, email);
  const [isThanked, setIsThanked] = useState(false);
  useTicketLanguage(result.state === 'loaded' ? result.value.ticket.language : null);
  if (result.state === 'loading') return <PortalSkeleton />;
  if (result.state === 'failed') {
    if (isNoMatch(result.problem)) {
      return (
        <NoMatch title={t('survey.not_found')} onOtherEmail={onOtherEmail}>
          {t('survey.not_found_text')}
        </NoMatch>
      );
    }
    return <ErrorNote title={t('status_page.failed')} detail={refusalOf(result.problem, t)} onRetry={again} />;
  }
  const { ticket, survey } = result.value;
  if (isThanked) {
    return (
      <Outcome title={t('survey.thanks')} ticketId={ticketId} email={email}>
        {t('survey.thanks_text')}
      </Outcome>
    );
  }
  if (survey) {
    return (
      <Outcome title={t('survey.already')} ticketId={ticketId} email={email}>
        {t('survey.already_text', {
          number: ticket.ticket_number,
          rating: survey.rating,
          label: t(`rating.${survey.rating as 1}`),
        })}
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

function Outcome({ title, ticketId, email, children }: { title: string; ticketId: string; email: string; children: ReactNode }) {
  const t = useTexts();
  return (
    <div role="status">
      <PortalOutcome
        icon={CircleCheck}
        title={title}
        actions={
          <Button asChild size="lg" className="h-11">
            <Link to={statusPage(ticketId, email)}>{t('status_page.view')}</Link>
          </Button>
        }
      >
        {children}
      </PortalOutcome>
    </div>
  );
}
