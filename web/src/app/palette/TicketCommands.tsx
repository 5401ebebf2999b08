import type { Ticket } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import {
  AlarmClock,
  CircleCheck,
  CircleDot,
  Eye,
  Flag,
  GitMerge,
  Link,
  MessageSquareText,
  NotebookPen,
  Pencil,
  Reply,
  Tags,
  UserRound,
  UserRoundCheck,
  UserRoundX,
  type LucideIcon,
} from 'lucide-react';
import { useTicketChange } from '../../features/tickets/use-ticket-change';
import { hasAction, runAction } from '../../lib/keyboard';
import { nameOf } from '../../lib/names';
import { priorityOptions, statusOptions } from '../../lib/ticket-badges';
import { Avatar } from '../../ui/Avatar';
import { CommandGroup, CommandItem } from '../../ui/CommandDialog';
import { Kbd } from '../../ui/Kbd';
import { useListMembersQuery } from '../api';
import type { Go, Run } from './run';

/** The actions that the components of the ticket's page bind, with their keys. Only those that are possible now are listed. */
const actions: { action: string; key?: string; label: string; icon: LucideIcon }[] = [
  { action: 'r', label: 'Reply to the customer', icon: Reply },
  { action: 'n', label: 'Write an internal note', icon: NotebookPen },
  { action: 'canned-replies', key: '/', label: 'Insert a canned reply', icon: MessageSquareText },
  { action: 'e', label: 'Mark as Resolved', icon: CircleCheck },
  { action: 'i', label: 'Assign to me', icon: UserRoundCheck },
  { action: 'a', label: 'Assign…', icon: UserRound },
  { action: 's', label: 'Set status…', icon: CircleDot },
  { action: 'p', label: 'Set priority…', icon: Flag },
  { action: 't', label: 'Edit tags', icon: Tags },
  { action: 'w', label: 'Watch or stop watching', icon: Eye },
  { action: 'h', label: 'Snooze…', icon: AlarmClock },
  { action: 'm', label: 'Merge into another ticket', icon: GitMerge },
  { action: 'l', label: 'Copy link', icon: Link },
];

interface TicketCommandsProps {
  ticket: Ticket;
  /** After text is entered, each value is a separate entry: 'Status: Resolved', 'Assign to Priya Raman'. */
  isTyping: boolean;
  run: Run;
  go: Go;
}
/** Actions on the ticket whose page is open. */
export function TicketCommands({ ticket, isTyping, run, go }: TicketCommandsProps) {
  return (
    <CommandGroup title={ticket.ticket_number}>
      {actions
        .filter(({ action }) => hasAction(action))
        .map(({ action, key = action, label, icon: Icon }) => (
          <CommandItem
            key={action}
            value={`this ticket: ${label}`}
            mark={<Icon aria-hidden />}
            end={<Kbd>{key}</Kbd>}
            onSelect={run(() => runAction(action))}
          >
            {label}
          </CommandItem>
        ))}
      <CommandItem value="this ticket: edit" mark={<Pencil aria-hidden />} onSelect={go(`/tickets/${ticket.id}/edit`)}>
        Edit Ticket
      </CommandItem>
      {isTyping && ticket.merged_into_id === null && <ValueCommands ticket={ticket} run={run} />}
    </CommandGroup>
  );
}

function ValueCommands({ ticket, run }: { ticket: Ticket; run: Run }) {
  const { setStatus, setPriority, assign } = useTicketChange(ticket.id);
  const { data: members = [] } = useListMembersQuery();
  const assignable = members.filter(({ is_active, user_id }) => is_active && user_id !== ticket.assigned_to);
  return (
    <>
      {statusOptions
        .filter(({ value }) => value !== ticket.status)
        .map(({ value, label, mark }) => (
          <CommandItem key={value} value={`status: ${label}`} mark={mark} onSelect={run(() => void setStatus(value as TicketStatus))}>
            Status: {label}
          </CommandItem>
        ))}
      {priorityOptions
        .filter(({ value }) => value !== ticket.priority)
        .map(({ value, label, mark }) => (
          <CommandItem key={value} value={`priority: ${label}`} mark={mark} onSelect={run(() => void setPriority(value as TicketPriority))}>
            Priority: {label}
          </CommandItem>
        ))}
      {assignable.map((member) => (
        <CommandItem
          key={member.user_id}
          value={`assign to ${nameOf(member)} ${member.user_id}`}
          mark={<Avatar name={nameOf(member)} size="xs" />}
          onSelect={run(() => void assign(member))}
        >
          Assign to {nameOf(member)}
        </CommandItem>
      ))}
      {ticket.assigned_to !== null && (
        <CommandItem value="unassign" mark={<UserRoundX aria-hidden />} onSelect={run(() => void assign(null))}>
          Unassign
        </CommandItem>
      )}
    </>
  );
}
