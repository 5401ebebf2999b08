import type { PublicTicket } from '@tandem/contracts';
import { customerStatusLabels, type TicketStatus } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { StatusBadge } from '../../../lib/ticket-badges';
import { Time } from '../../../ui/Time';
import { statusPage, surveyPage } from '../portal';
import { portalTextLink } from '../PortalFrame';
import { CommentForm } from './CommentForm';
import { Conversation } from './Conversation';
import { Progress } from './Progress';
import type { Earlier } from './use-public-ticket';

/** What each status means for the customer, and what happens next. */
const meaning: Record<TicketStatus, string> = {
  open: 'Thanks, we’ve got it. We’ll email you when we reply.',
  in_progress: 'We’re working on it. We’ll email you when we reply.',
  waiting_for_customer: 'We need more information. If we asked you a question, please reply below.',
  resolved: 'We believe this is solved.',
  closed: 'This ticket is closed.',
};
const isOver = ({ status }: PublicTicket) => status === 'resolved' || status === 'closed';

interface PublicTicketViewProps {
  ticket: PublicTicket;
  earlier: Earlier;
  onChanged: () => void;
}

export function PublicTicketView({ ticket, earlier, onChanged }: PublicTicketViewProps) {
  const email = ticket.customer_email;
  return (
    <article>
      <header className="mb-6">
        <p className="tabular flex flex-wrap items-center gap-2 text-md text-muted">
          {ticket.ticket_number}
          <StatusBadge status={ticket.status} label={customerStatusLabels[ticket.status]} />
          <span>
            Updated <Time iso={ticket.updated_at} relative />
          </span>
        </p>
        <h1 className="mt-2 text-xl font-semibold tracking-tight break-words sm:text-2xl">{ticket.subject}</h1>
        <p className="mt-2 text-muted" aria-live="polite">
          {ticket.merged_into ? 'We merged this into another of your tickets.' : meaning[ticket.status]}
        </p>
        {!ticket.merged_into && <Progress status={ticket.status} />}
        {isOver(ticket) && !ticket.merged_into && (
          <p className="mt-3">
            <Link to={surveyPage(ticket.id, email)} className={portalTextLink}>
              Tell us how it went
            </Link>
          </p>
        )}
        {ticket.follow_up_of && (
          <Elsewhere sentence="Follow-up to" to={statusPage(ticket.follow_up_of.id, email)} number={ticket.follow_up_of.ticket_number} />
        )}
      </header>
      <Conversation ticket={ticket} earlier={earlier} />
      {ticket.merged_into ? (
        <Elsewhere
          sentence="This conversation continues in"
          to={statusPage(ticket.merged_into.id, email)}
          number={ticket.merged_into.ticket_number}
          className="mt-8 rounded-lg border bg-sunken px-4 py-3"
        />
      ) : (
        <CommentForm ticket={ticket} onSent={onChanged} />
      )}
    </article>
  );
}

function Elsewhere({ sentence, to, number, className }: { sentence: ReactNode; to: string; number: string; className?: string }) {
  return (
    <p className={className ?? 'mt-2 text-muted'}>
      {sentence}{' '}
      <Link to={to} className={portalTextLink}>
        {number}
      </Link>
      .
    </p>
  );
}
