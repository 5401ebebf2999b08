import type { PublicTicket } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { StatusBadge } from '../../../lib/ticket-badges';
import { Time } from '../../../ui/Time';
import { categoryLabel } from '../categories';
import { Rich } from '../../../ui/Rich';
import { useTexts } from '../language/texts';
import { useTicketLanguage } from '../language/use-ticket-language';
import { useOrganization } from '../organization';
import { statusPage, surveyPage } from '../portal';
import { portalTextLink } from '../PortalFrame';
import { CommentForm } from './CommentForm';
import { Conversation } from './Conversation';
import { Progress } from './Progress';
import { TicketFields } from './TicketFields';
import type { Earlier } from './use-public-ticket';

const isOver = ({ status }: PublicTicket) => status === 'resolved' || status === 'closed';

interface PublicTicketViewProps {
  ticket: PublicTicket;
  earlier: Earlier;
  onChanged: () => void;
}

export function PublicTicketView({ ticket, earlier, onChanged }: PublicTicketViewProps) {
  const t = useTexts();
  useTicketLanguage(ticket.language);
  const organization = useOrganization();
  const email = ticket.customer_email;
  return (
    <article>
      <header className="mb-6">
        <p className="tabular flex flex-wrap items-center gap-2 text-md text-muted">
          <bdi>{ticket.ticket_number}</bdi>
          <StatusBadge status={ticket.status} label={t(`status.${ticket.status}`)} />
          {ticket.category && <bdi>{categoryLabel(organization, ticket.category, t.language)}</bdi>}
          <span>
            <Rich text={t('ticket.updated')} tags={{ time: () => <Time iso={ticket.updated_at} relative /> }} />
          </span>
        </p>
        <h1 className="mt-2 text-xl font-semibold tracking-tight break-words sm:text-2xl" dir="auto">
          {ticket.subject}
        </h1>
        <p className="mt-2 text-muted" aria-live="polite">
          {ticket.merged_into ? t('ticket.merged') : t(`meaning.${ticket.status}`)}
        </p>
        {!ticket.merged_into && <Progress status={ticket.status} />}
        <TicketFields fields={ticket.custom_fields} />
        {isOver(ticket) && !ticket.merged_into && (
          <p className="mt-3">
            <Link to={surveyPage(ticket.id, email)} className={portalTextLink}>
              {t('ticket.survey')}
            </Link>
          </p>
        )}
        {ticket.follow_up_of && (
          <Elsewhere
            sentence={t('ticket.follow_up', { number: ticket.follow_up_of.ticket_number })}
            to={statusPage(ticket.follow_up_of.id, email)}
          />
        )}
      </header>
      <Conversation ticket={ticket} earlier={earlier} />
      {ticket.merged_into ? (
        <Elsewhere
          sentence={t('ticket.continues', { number: ticket.merged_into.ticket_number })}
          to={statusPage(ticket.merged_into.id, email)}
          className="mt-8 rounded-lg border bg-sunken px-4 py-3"
        />
      ) : (
        <CommentForm ticket={ticket} onSent={onChanged} />
      )}
    </article>
  );
}

/** A sentence with a link to another ticket. */
function Elsewhere({ sentence, to, className }: { sentence: string; to: string; className?: string }) {
  const link = (number: string) => (
    <Link to={to} className={portalTextLink}>
      {number}
    </Link>
  );
  return (
    <p className={className ?? 'mt-2 text-muted'}>
      <Rich text={sentence} tags={{ link }} />
    </p>
  );
}
