import type { TicketSummary } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import {
  AlarmClock,
  CircleCheck,
  CircleSlash,
  Clock,
  Flame,
  History,
  Link2,
  MessageSquare,
  Pause,
  Reply,
  Tag,
  UserRound,
} from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { formatDate } from '../../../lib/dates';
import { useDue } from '../../../lib/due-badge';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { PriorityMark, StatusMark } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import type { BadgeTone } from '../../../ui/Badge';
import { Rich } from '../../../ui/Rich';
import { Time } from '../../../ui/Time';
import { snoozeText, snoozeTitle } from '../snooze/SnoozeState';
import { hoverMs } from './row-actions';
import type { TicketCardProps } from './row-list';

/** The parts of a row. Each layout arranges them. */

export interface RowProps extends TicketCardProps {
  /** Loads the ticket's page before it is shown. */
  load: (delayMs: number) => void;
  follow: (click: MouseEvent) => void;
}
interface OfTicket {
  ticket: TicketSummary;
}

interface RowFrame {
  row: RowProps;
  className: string;
  /** The tracks of a row that is a grid. */
  template?: string;
  children: ReactNode;
}
/** The row itself, with its unread mark. The ticket is requested when the pointer rests on the row. */
export const Row = ({ row, className, template, children }: RowFrame) => (
  <div
    className={cn(
      'group relative border-b transition-colors',
      row.isOpen || row.isSelected ? 'bg-accent-soft' : 'hover:bg-sunken',
      className,
    )}
    style={template ? { gridTemplateColumns: template } : undefined}
    onMouseEnter={() => row.load(hoverMs)}
  >
    <UnreadMark ticket={row.ticket} />
    {children}
  </div>
);

const fromList = { fromList: true };

/**
 * The subject, semibold while the ticket is unread. The ticket is requested when the mouse button is pressed, not when a finger is put down, which
 * may be the start of scrolling.
 */
export function Subject({ ticket, search, isOpen, load, follow, className }: RowProps & { className?: string }) {
  return (
    <h2 className={cn('truncate', ticket.is_unread ? 'font-semibold text-ink' : 'font-normal text-ink', className)}>
      <Link
        to={`/tickets/${ticket.id}${search}`}
        state={fromList}
        onMouseDown={({ button }) => button === 0 && load(0)}
        onClick={follow}
        data-ticket={ticket.id}
        aria-current={isOpen || undefined}
        className="outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
      >
        {ticket.subject}
      </Link>
    </h2>
  );
}

/** A dot at the left edge. */
const UnreadMark = ({ ticket }: OfTicket) =>
  ticket.is_unread && (
    <span title={t('tickets.list.unread')} className="absolute top-1/2 left-1 size-1.5 -translate-y-1/2 rounded-full bg-accent">
      <span className="sr-only">{t('tickets.list.unread')}</span>
    </span>
  );

export const TicketNumber = ({ ticket }: OfTicket) => (
  <span className="tabular shrink-0 truncate text-xs text-muted">{ticket.ticket_number}</span>
);

const word = 'inline-flex min-w-0 max-w-full items-center gap-1.5 text-xs whitespace-nowrap';
const mark = '[&_svg]:size-3.5 [&_svg]:shrink-0';

export const Status = ({ ticket, withWord = false }: OfTicket & { withWord?: boolean }) => (
  <span className={cn(word, mark, 'text-muted')} title={withWord ? undefined : statusLabels[ticket.status]}>
    <StatusMark status={ticket.status} />
    <span className={withWord ? 'truncate' : 'sr-only'}>{statusLabels[ticket.status]}</span>
  </span>
);

export const Priority = ({ ticket, withWord = false }: OfTicket & { withWord?: boolean }) => (
  <span
    className={cn(word, mark, 'text-muted')}
    title={withWord ? undefined : t('tickets.list.priority_name_priority', { priorityName: priorityLabels[ticket.priority] })}
  >
    <PriorityMark priority={ticket.priority} />
    <span className={withWord ? 'truncate' : 'sr-only'}>{priorityLabels[ticket.priority]}</span>
  </span>
);

const dueColors: Partial<Record<BadgeTone, string>> = { amber: 'text-amber-text', red: 'text-red-text' };

/** Empty without an SLA policy, and for resolved and closed tickets. */
export function Due({ ticket, className }: OfTicket & { className?: string }) {
  const due = useDue(ticket);
  if (!due) return null;
  return (
    <span className={cn(word, mark, dueColors[due.tone] ?? 'text-muted', className)} title={due.title}>
      {due.text === 'Paused' ? <Pause aria-hidden /> : <Clock aria-hidden />}
      <time dateTime={due.at} className="truncate">
        {due.text}
      </time>
    </span>
  );
}

interface FlagProps {
  icon: ReactNode;
  label: string;
  title: string;
  withLabel: boolean;
  /** For screen readers, if the label is too short for them. */
  spoken?: string;
  className?: string;
}
const Flag = ({ icon, label, title, withLabel, spoken, className }: FlagProps) => (
  <span className={cn(word, mark, 'gap-1 text-muted', className)} title={title}>
    {icon}
    <span aria-hidden={spoken !== undefined} className={withLabel ? 'truncate' : 'sr-only'}>
      {label}
    </span>
    {spoken !== undefined && <span className="sr-only">{spoken}</span>}
  </span>
);

/** The linked task, the snooze, and the escalation of an open ticket. */
export function Flags({ ticket, withLabels = false }: OfTicket & { withLabels?: boolean }) {
  const isOpen = ticket.status !== 'resolved' && ticket.status !== 'closed';
  const finished = ticket.task_outcome === 'finished';
  return (
    <>
      {ticket.task_finished_at ? (
        <Flag
          icon={finished ? <CircleCheck className="text-green-text" aria-hidden /> : <CircleSlash aria-hidden />}
          label={finished ? t('tickets.list.task_finished') : t('tickets.list.task_closed')}
          title={t('tickets.list.customer_hasnt_been_told_yet')}
          withLabel={withLabels}
        />
      ) : (
        ticket.task && (
          <Flag
            icon={<Link2 aria-hidden />}
            label={t('tickets.list.task')}
            title={t('tickets.list.linked_to_task')}
            spoken={t('tickets.list.linked_to_task')}
            withLabel={withLabels}
          />
        )
      )}
      {ticket.snoozed_at && (
        <Flag icon={<AlarmClock aria-hidden />} label={snoozeText(ticket)} title={snoozeTitle(ticket)} withLabel={withLabels} />
      )}
      {ticket.escalated_at && isOpen && (
        <Flag
          icon={<Flame aria-hidden />}
          label={t('tickets.list.escalated')}
          title={t('tickets.list.escalated_date', { date: formatDate(ticket.escalated_at) })}
          withLabel={withLabels}
          className="text-red-text"
        />
      )}
    </>
  );
}

/** With a mark if the newest public comment is the customer's. */
export const Customer = ({ ticket, className }: OfTicket & { className?: string }) => (
  <span className={cn('flex min-w-0 items-center gap-1 text-xs text-muted', className)} title={ticket.customer_email}>
    <span className="sr-only">{t('tickets.list.from')} </span>
    <span className="truncate">{ticket.customer_name ?? ticket.customer_email}</span>
    {ticket.customer_replied_last && (
      <span title={t('tickets.list.customer_replied_last')} className="shrink-0 text-blue-text">
        <Reply className="size-3.5" aria-hidden />
        <span className="sr-only">{t('tickets.list.customer_replied_last')}</span>
      </span>
    )}
  </span>
);

export function Assignee({ ticket, withName = false }: OfTicket & { withName?: boolean }) {
  if (!ticket.assigned_to) {
    return (
      <span className="inline-flex min-w-0 items-center gap-1.5 text-xs text-muted" title={t('tickets.list.unassigned')}>
        <span className="grid size-5 shrink-0 place-items-center rounded-full border border-dashed border-line-strong">
          <UserRound className="size-3" aria-hidden />
        </span>
        <span className={withName ? 'truncate' : 'sr-only'}>{t('tickets.list.unassigned')}</span>
      </span>
    );
  }
  const name = nameOf(ticket.assignee);
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-xs text-muted" title={t('tickets.list.assigned_to_name', { name })}>
      <Avatar name={name} size="xs" />
      <span className="sr-only">{t('tickets.list.assigned_to')} </span>
      <span className={withName ? 'truncate' : 'sr-only'}>{name}</span>
    </span>
  );
}

export function CommentCount({ ticket: { comment_count: count } }: OfTicket) {
  if (count === 0) return null;
  const label = t('tickets.list.comment_count', { count });
  return (
    <span className="tabular inline-flex items-center gap-1 text-xs text-muted" title={label}>
      <MessageSquare className="size-3.5" aria-hidden />
      <span aria-hidden>{count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** When it was created: relative, and in full as tooltip and for screen readers. */
export const Created = ({ ticket: { created_at }, className }: OfTicket & { className?: string }) => (
  <span className={cn('relative shrink-0 text-right text-xs whitespace-nowrap text-muted', className)}>
    <span aria-hidden>
      <Time iso={created_at} relative />
    </span>
    <span className="sr-only">
      <Rich text={t('tickets.list.created_at')} tags={{ time: () => <Time iso={created_at} /> }} />
    </span>
  </span>
);

/** When it was last changed: relative, and in full as tooltip and for screen readers. */
export const Updated = ({ ticket: { updated_at } }: OfTicket) => (
  <span className={cn(word, mark, 'relative text-muted')}>
    <History aria-hidden />
    <span aria-hidden>
      <Time iso={updated_at} relative />
    </span>
    <span className="sr-only">
      <Rich text={t('tickets.list.updated_at')} tags={{ time: () => <Time iso={updated_at} /> }} />
    </span>
  </span>
);

export const Category = ({ ticket: { category } }: OfTicket) =>
  category && (
    <span className={cn(word, 'text-muted')} title={category}>
      <span className="truncate">{category}</span>
    </span>
  );

export function Tags({ ticket: { tags } }: OfTicket) {
  if (tags.length === 0) return null;
  const text = tags.join(', ');
  return (
    <span className={cn(word, mark, 'text-muted')} title={text}>
      <Tag aria-hidden />
      <span className="sr-only">{t('tickets.list.tags_prefix')}</span>
      <span className="truncate">{text}</span>
    </span>
  );
}

/** Visible on hover or focus, and always while rows are selected. */
export function SelectBox({ ticket, isSelected, isSelecting, onSelect }: RowProps) {
  return (
    <label
      className={cn(
        'relative z-10 -m-1.5 grid size-7 shrink-0 place-items-center',
        !isSelecting && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100',
      )}
    >
      <input
        type="checkbox"
        aria-label={t('tickets.list.select_ticket_number', { ticket_number: ticket.ticket_number })}
        checked={isSelected}
        onChange={() => undefined}
        onClick={(event: MouseEvent) => onSelect(ticket.id, event.shiftKey)}
        className="size-3.5 accent-accent"
      />
    </label>
  );
}
