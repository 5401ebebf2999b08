import { useEffect, useEffectEvent } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import type { ApiProblem } from '../../../lib/problem';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { EmailForm } from '../EmailForm';
import { useTexts } from '../language/texts';
import { isNoMatch, NoMatch } from '../NoMatch';
import { PortalFrame, PortalSkeleton } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { PublicTicketView } from './PublicTicketView';
import { usePublicTicket } from './use-public-ticket';

/** /ticket-status/{id}?email=: the customer's view of a ticket. Access requires the id and the email address. */
export function TicketStatusPage() {
  const t = useTexts();
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const email = query.get('email')?.trim() ?? '';
  return (
    <PortalFrame title={t('status_page.page')}>
      {email === '' ? (
        <EmailForm
          title={t('check.title')}
          explanation={t('email.which')}
          action={t('status_page.view')}
          onEmail={(entered) => setQuery({ email: entered })}
        />
      ) : (
        <Ticket key={`${id} ${email}`} id={id} email={email} onOtherEmail={() => setQuery({})} />
      )}
    </PortalFrame>
  );
}

function Ticket({ id, email, onOtherEmail }: { id: string; email: string; onOtherEmail: () => void }) {
  const t = useTexts();
  const ticket = usePublicTicket(id, email);
  const problem = ticket.state === 'failed' ? ticket.problem : undefined;
  const announce = useEffectEvent((problem: ApiProblem) => {
    if (isNoMatch(problem)) notify.error(t('status_page.no_match'), t('status_page.no_match_title'));
    else notify.error(t('status_page.failed_access'));
  });
  useEffect(() => {
    // PortalFrame shows a message if the organization does not exist.
    if (!problem || problem.code === 'organization.not_found') return;
    announce(problem);
  }, [problem]);
  if (ticket.state === 'loading') return <PortalSkeleton />;
  if (ticket.state === 'loaded') return <PublicTicketView ticket={ticket.value} earlier={ticket.earlier} onChanged={ticket.refresh} />;
  if (!isNoMatch(ticket.problem)) {
    return <ErrorNote title={t('status_page.failed')} detail={refusalOf(ticket.problem, t)} onRetry={ticket.refresh} />;
  }
  return (
    <NoMatch
      title={t('status_page.not_found')}
      onOtherEmail={onOtherEmail}
      actions={
        <Button asChild size="lg" variant="ghost" className="h-11">
          <Link to="/submit-ticket">{t('frame.submit')}</Link>
        </Button>
      }
    >
      {t('status_page.no_match')}
    </NoMatch>
  );
}
