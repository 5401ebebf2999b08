import type { TicketSummary } from '@tandem/contracts';
import { CircleCheck, Ellipsis, Eye, Pencil, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { useTicketChange } from './use-ticket-change';

export function TicketMenu({ ticket, onOpen, className }: { ticket: TicketSummary; onOpen: () => void; className?: string }) {
  const navigate = useNavigate();
  const { setStatus } = useTicketChange(ticket.id);
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${ticket.ticket_number}`} className={className}>
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        { label: 'View Details', icon: Eye, onSelect: onOpen },
        { label: 'Edit Ticket', icon: Pencil, onSelect: () => void navigate(`/tickets/${ticket.id}/edit`) },
        'separator',
        ticket.status === 'resolved'
          ? { label: 'Reopen Ticket', icon: RotateCcw, onSelect: () => void setStatus('open') }
          : { label: 'Mark as Resolved', icon: CircleCheck, onSelect: () => void setStatus('resolved') },
      ]}
    />
  );
}
