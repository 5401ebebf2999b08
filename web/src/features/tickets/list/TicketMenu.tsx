import type { TicketSummary } from '@tandem/contracts';
import { AlarmClock, CircleCheck, Ellipsis, Eye, Mail, MailOpen, Pencil, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
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
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('tickets.list.actions_for_ticket_number', { ticket_number: ticket.ticket_number })}
          className={className}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        { label: t('tickets.list.view_details'), icon: Eye, onSelect: () => open(ticket.id) },
        { label: t('tickets.list.edit_ticket'), icon: Pencil, onSelect: () => void navigate(`/tickets/${ticket.id}/edit`) },
        {
          label: ticket.is_unread ? t('tickets.list.mark_as_read') : t('tickets.list.mark_as_unread'),
          icon: ticket.is_unread ? MailOpen : Mail,
          onSelect: () => setUnread(ticket, !ticket.is_unread),
        },
        ...(isSnoozable(ticket) ? [{ label: t('tickets.list.snooze'), icon: AlarmClock, onSelect: () => snooze(ticket) }] : []),
        'separator',
        ticket.status === 'resolved'
          ? { label: t('tickets.list.reopen_ticket'), icon: RotateCcw, onSelect: () => setStatus(ticket.id, 'open') }
          : { label: t('tickets.list.mark_as_resolved'), icon: CircleCheck, onSelect: () => setStatus(ticket.id, 'resolved') },
      ]}
    />
  );
}
