import type { TicketSummary } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { Check, UserRoundX } from 'lucide-react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { CommandDialog, CommandItem } from '../../../ui/CommandDialog';
import type { SelectOption } from '../../../ui/Select';
import { useTicketChange } from '../use-ticket-change';

export type RowPick = 'status' | 'priority' | 'assignee';
const titles: Record<RowPick, (number: string) => string> = {
  status: (number) => t('tickets.list.set_status_of', { number }),
  priority: (number) => t('tickets.list.set_priority_of', { number }),
  assignee: (number) => t('tickets.list.assign_number', { number }),
};
const unassigned: SelectOption = { value: '', label: t('tickets.list.unassigned'), mark: <UserRoundX aria-hidden /> };

/** All possible assignees, with the user first. */
function useAssignees() {
  const { profile } = useSession();
  const { data: members = [] } = useListMembersQuery();
  const active = members.filter(({ is_active }) => is_active);
  const isMe = ({ user_id }: { user_id: string }) => user_id === profile.user_id;
  const sorted = [...active.filter(isMe), ...active.filter((member) => !isMe(member))];
  const options: SelectOption[] = sorted.map((member) => ({
    value: member.user_id,
    label: isMe(member) ? t('tickets.list.your_name', { nameOf: nameOf(member) }) : nameOf(member),
    mark: <Avatar name={nameOf(member)} size="xs" />,
  }));
  return { members: active, options: [unassigned, ...options] };
}

/** Changes the status, priority or assignee of one row by keyboard: type the first letters and press Enter. */
export function RowPicker({ what, ticket, onClose }: { what: RowPick; ticket: TicketSummary; onClose: () => void }) {
  const { setStatus, setPriority, assign } = useTicketChange(ticket.id);
  const { members, options: assignees } = useAssignees();
  const options = { status: statusOptions, priority: priorityOptions, assignee: assignees }[what];
  const current = { status: ticket.status, priority: ticket.priority, assignee: ticket.assigned_to ?? '' }[what];
  const choose = (value: string) => {
    onClose();
    if (value === current) return;
    if (what === 'status') void setStatus(value as TicketStatus);
    else if (what === 'priority') void setPriority(value as TicketPriority);
    else void assign(members.find(({ user_id }) => user_id === value) ?? null);
  };
  return (
    <CommandDialog label={titles[what](ticket.ticket_number)} placeholder={titles[what](ticket.ticket_number)} onClose={onClose}>
      {options.map(({ value, label, mark }) => (
        <CommandItem
          key={value}
          value={`${label} ${value}`}
          mark={mark}
          onSelect={() => choose(value)}
          end={value === current && <Check className="size-3.5" aria-label={t('tickets.list.current')} />}
        >
          {label}
        </CommandItem>
      ))}
    </CommandDialog>
  );
}
