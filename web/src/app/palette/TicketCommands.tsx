import type { Ticket } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import {
  AlarmClock,
  BookOpen,
  BookPlus,
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
import { t } from '../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../lib/ticket-badges';
import { Avatar } from '../../ui/Avatar';
import { CommandGroup, CommandItem } from '../../ui/CommandDialog';
import { Kbd } from '../../ui/Kbd';
import { useListMembersQuery } from '../api';
import type { Go, Run } from './run';

/** The actions that the components of the ticket's page bind, with their keys. Only those that are possible now are listed. */
const actions: { action: string; /** Null: it has none. */ key?: string | null; label: string; icon: LucideIcon }[] = [
  { action: 'r', label: t('app.palette.reply_to_customer'), icon: Reply },
  { action: 'n', label: t('app.palette.write_internal_note'), icon: NotebookPen },
  { action: 'canned-replies', key: '/', label: t('app.palette.insert_canned_reply'), icon: MessageSquareText },
  { action: 'b', label: t('app.palette.insert_article'), icon: BookOpen },
  { action: 'e', label: t('app.palette.mark_as_resolved'), icon: CircleCheck },
  { action: 'i', label: t('app.palette.assign_to_me'), icon: UserRoundCheck },
  { action: 'a', label: t('app.palette.assign'), icon: UserRound },
  { action: 's', label: t('app.palette.set_status'), icon: CircleDot },
  { action: 'p', label: t('app.palette.set_priority'), icon: Flag },
  { action: 't', label: t('app.palette.edit_tags'), icon: Tags },
  { action: 'w', label: t('app.palette.watch_or_stop_watching'), icon: Eye },
  { action: 'h', label: t('app.palette.snooze'), icon: AlarmClock },
  { action: 'm', label: t('app.palette.merge_into_another_ticket'), icon: GitMerge },
  { action: 'draft-article', key: null, label: t('app.palette.create_article_from_ticket'), icon: BookPlus },
  { action: 'l', label: t('app.palette.copy_link'), icon: Link },
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
            end={key !== null && <Kbd>{key}</Kbd>}
            onSelect={run(() => runAction(action))}
          >
            {label}
          </CommandItem>
        ))}
      <CommandItem value="this ticket: edit" mark={<Pencil aria-hidden />} onSelect={go(`/tickets/${ticket.id}/edit`)}>
        {t('app.palette.edit_ticket')}
      </CommandItem>
      {isTyping && ticket.merged_into_id === null && ticket.anonymized_at === null && <ValueCommands ticket={ticket} run={run} />}
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
            {t('app.palette.status_label', { label })}
          </CommandItem>
        ))}
      {priorityOptions
        .filter(({ value }) => value !== ticket.priority)
        .map(({ value, label, mark }) => (
          <CommandItem key={value} value={`priority: ${label}`} mark={mark} onSelect={run(() => void setPriority(value as TicketPriority))}>
            {t('app.palette.priority_label', { label })}
          </CommandItem>
        ))}
      {assignable.map((member) => (
        <CommandItem
          key={member.user_id}
          value={`assign to ${nameOf(member)} ${member.user_id}`}
          mark={<Avatar name={nameOf(member)} size="xs" />}
          onSelect={run(() => void assign(member))}
        >
          {t('app.palette.assign_to_member', { nameOf: nameOf(member) })}
        </CommandItem>
      ))}
      {ticket.assigned_to !== null && (
        <CommandItem value="unassign" mark={<UserRoundX aria-hidden />} onSelect={run(() => void assign(null))}>
          {t('app.palette.unassign')}
        </CommandItem>
      )}
    </>
  );
}
