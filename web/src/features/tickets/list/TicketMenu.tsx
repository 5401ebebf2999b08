import type { TicketSummary } from '@tandem/contracts';
import { AlarmClock, CircleCheck, Ellipsis, Eye, Mail, MailOpen, Pencil, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { isSnoozable } from '../snooze/SnoozeState';
import { useRowActions } from './row-actions';

export function TicketMenu({ ticket, className }: { ticket: TicketSummary; className?: string }) {
  const navigate = useNavigate();
  const { open, setStatus, setUnread, snooze } = useRowActions();
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${ticket.ticket_number}`} className={className}>
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        { label: 'View Details', icon: Eye, onSelect: () => open(ticket.id) },
        { label: 'Edit Ticket', icon: Pencil, onSelect: () => void navigate(`/tickets/${ticket.id}/edit`) },
        {
          label: ticket.is_unread ? 'Mark as read' : 'Mark as unread',
          icon: ticket.is_unread ? MailOpen : Mail,
          onSelect: () => setUnread(ticket, !ticket.is_unread),
        },
        ...(isSnoozable(ticket) ? [{ label: 'Snooze', icon: AlarmClock, onSelect: () => snooze(ticket) }] : []),
        'separator',
        ticket.status === 'resolved'
          ? { label: 'Reopen Ticket', icon: RotateCcw, onSelect: () => setStatus(ticket.id, 'open') }
          : { label: 'Mark as Resolved', icon: CircleCheck, onSelect: () => setStatus(ticket.id, 'resolved') },
      ]}
    />
  );
}
