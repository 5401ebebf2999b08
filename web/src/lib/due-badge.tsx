import type { TicketSummary } from '@tandem/contracts';
import { dueMoment, dueTime, type DueTime } from '@tandem/contracts/values';
import { Clock, Flame, Pause } from 'lucide-react';
import { Badge, type BadgeTone } from '../ui/Badge';
import { formatDate } from './dates';
import { useNow } from './now';
import { t } from './staff-texts';

type Clocked = Pick<TicketSummary, 'next_due_at' | 'sla_paused_since' | 'sla_breached_at' | 'escalated_at' | 'status'>;

export const dueTones: Record<DueTime['state'], BadgeTone> = { ahead: 'plain', near: 'amber', over: 'red' };

interface Due {
  text: string;
  tone: BadgeTone;
  /** The instant of the deadline; the tooltip shows it in full. */
  at: string;
  title: string;
}

function dueOf(ticket: Clocked, now: number): Due | undefined {
  if (ticket.sla_paused_since) {
    const title = t('lib.paused_since', { date: formatDate(ticket.sla_paused_since) });
    return { text: t('lib.paused'), tone: 'gray', at: ticket.sla_paused_since, title };
  }
  if (!ticket.next_due_at) return undefined;
  const { text, state } = dueTime(ticket.next_due_at, now);
  return { text, tone: dueTones[state], at: ticket.next_due_at, title: t('lib.due_at', { moment: dueMoment(ticket.next_due_at) }) };
}

/** When a ticket is due. Undefined without an SLA policy and for resolved or closed tickets. */
export function useDue(ticket: Clocked): Due | undefined {
  const now = useNow();
  return ticket.status === 'resolved' || ticket.status === 'closed' ? undefined : dueOf(ticket, now);
}

/** Shows in lists when a ticket is due. Empty without an SLA policy and for resolved or closed tickets. */
export function DueBadge({ ticket }: { ticket: Clocked }) {
  const due = useDue(ticket);
  if (ticket.status === 'resolved' || ticket.status === 'closed') return null;
  if (!due && !ticket.escalated_at) return null;
  return (
    <>
      {ticket.escalated_at && (
        <Badge tone="red" title={t('lib.escalated_at', { date: formatDate(ticket.escalated_at) })}>
          <Flame aria-hidden />
          {t('lib.escalated')}
        </Badge>
      )}
      {due && (
        <Badge tone={due.tone} title={due.title}>
          {ticket.sla_paused_since ? <Pause aria-hidden /> : <Clock aria-hidden />}
          <time dateTime={due.at}>{due.text}</time>
        </Badge>
      )}
    </>
  );
}
