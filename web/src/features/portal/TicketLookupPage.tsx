import { lookupTickets } from '@tandem/contracts/endpoints';
import { MailCheck } from 'lucide-react';
import type { Language } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { call, type Result } from '../../lib/call';
import type { ApiAnswer } from '../../lib/http';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { useTexts } from './language/texts';
import { toRemoteData, sendProven, statusPage, type RemoteData } from './portal';
import { PortalFrame, PortalSkeleton } from './PortalFrame';
import { PortalOutcome } from './PortalOutcome';
import { refusalOf } from './refusal';

/**
 * /ticket-status/lookup: emails the ticket links. The page shows the same text whether or not anything matched, so that it does not reveal
 * who is a customer. Only if the organization allows it, an address and a number that match open the ticket directly.
 */
export function TicketLookupPage() {
  const t = useTexts();
  const [query] = useSearchParams();
  const email = query.get('email') ?? '';
  if (email === '') return <Navigate to="/ticket-status/check" replace />;
  return (
    <PortalFrame title={t('check.page')}>
      <Lookup email={email} ticket={query.get('ticket') ?? ''} />
    </PortalFrame>
  );
}

type Found = Result<typeof lookupTickets>;

// One request per address and page load, even with React's double effects.
const underway = new Map<string, Promise<ApiAnswer<Found>>>();
const ask = (email: string, ticket: string, round: number, language: Language) => {
  const key = JSON.stringify([email, ticket, round]);
  const answer =
    underway.get(key) ?? sendProven(call(lookupTickets, { body: { email, language, ...(ticket ? { ticket_number: ticket } : {}) } }));
  underway.set(key, answer);
  return answer;
};

function Lookup({ email, ticket }: { email: string; ticket: string }) {
  const t = useTexts();
  const [result, setResult] = useState<RemoteData<Found>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  // The language of the first request: changing the language does not send the links again.
  const [language] = useState(t.language);
  useEffect(() => {
    let isHere = true;
    void ask(email, ticket, round, language).then((answer) => {
      if (isHere) setResult(toRemoteData(answer));
    });
    return () => {
      isHere = false;
    };
  }, [email, ticket, round, language]);

  if (result.state === 'loading') return <PortalSkeleton />;
  if (result.state === 'failed') {
    const detail = result.problem.errors?.[0]?.message ?? refusalOf(result.problem, t);
    return <ErrorNote title={t('lookup.failed')} detail={detail} onRetry={() => setRound((before) => before + 1)} />;
  }
  if (result.value.ticket) return <Navigate to={statusPage(result.value.ticket.id, email)} replace />;
  return (
    <div role="status">
      <PortalOutcome
        icon={MailCheck}
        title={t('lookup.title')}
        actions={
          <Button asChild size="lg" className="h-11">
            <Link to="/ticket-status/check">{t('lookup.other')}</Link>
          </Button>
        }
      >
        {t('lookup.sent')}
      </PortalOutcome>
    </div>
  );
}
