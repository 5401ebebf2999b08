import type { TicketSummary } from '@tandem/contracts';
import { CircleCheck, Ellipsis, Eye, Pencil, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { useRowActions } from './row-actions';

export function TicketMenu({ ticket, className }: { ticket: TicketSummary; className?: string }) {
  const navigate = useNavigate();
  const { open, setStatus } = useRowActions();
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
        'separator',
        ticket.status === 'resolved'
          ? { label: 'Reopen Ticket', icon: RotateCcw, onSelect: () => setStatus(ticket.id, 'open') }
          : { label: 'Mark as Resolved', icon: CircleCheck, onSelect: () => setStatus(ticket.id, 'resolved') },
      ]}
    />
  );
}
