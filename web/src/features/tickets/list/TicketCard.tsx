import type { TicketSummary } from '@tandem/contracts';
import { MessageSquare, UserRound } from 'lucide-react';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { DueBadge } from '../../../lib/due-badge';
import { nameOf } from '../../../lib/names';
import { PriorityBadge, StatusBadge } from '../../../lib/ticket-badges';
import { Avatar } from '../../../ui/Avatar';
import { Time } from '../../../ui/Time';
import { useRowActions } from './row-actions';
import { TaskBadge } from './TaskBadge';
import { TicketMenu } from './TicketMenu';

interface TicketCardProps {
  ticket: TicketSummary;
  /** The list's filters, kept in the ticket's URL so that the back link leads to the same list. */
  search: string;
  isOpen: boolean;
  /** Next to an open ticket or on a phone there is space for one column only. */
  narrow: boolean;
  isSelected: boolean;
  /** While rows are selected, every row shows its checkbox. */
  isSelecting: boolean;
  onSelect: (id: string, range: boolean) => void;
}

function Assignee({ ticket, withName }: { ticket: TicketSummary; withName: boolean }) {
  if (!ticket.assigned_to) {
    return (
      <span className="inline-flex items-center gap-1.5 text-faint">
        <span className="grid size-5 place-items-center rounded-full border border-dashed border-line-strong">
          <UserRound className="size-3" aria-hidden />
        </span>
        <span className={withName ? 'truncate' : 'sr-only'}>Unassigned</span>
      </span>
    );
  }
  const name = nameOf(ticket.assignee);
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-muted" title={`Assigned to ${name}`}>
      <Avatar name={name} size="xs" />
      <span className={withName ? 'truncate' : 'sr-only'}>{name}</span>
    </span>
  );
}

function CommentCount({ count }: { count: number }) {
  return (
    <span
      className={cn('tabular inline-flex items-center gap-1', count === 0 ? 'text-faint' : 'text-muted')}
      title={`${count} ${count === 1 ? 'comment' : 'comments'}`}
    >
      <MessageSquare className="size-3.5" aria-hidden />
      <span aria-hidden>{count}</span>
      <span className="sr-only">
        {count} {count === 1 ? 'comment' : 'comments'}
      </span>
    </span>
  );
}

function Subject({ ticket, children }: { ticket: TicketSummary; children: ReactNode }) {
  return (
    <>
      <h2 className="truncate font-medium text-ink">{children}</h2>
      {ticket.description_preview && (
        <p className="mt-0.5 line-clamp-2 text-xs text-pretty break-words text-muted">{ticket.description_preview}</p>
      )}
    </>
  );
}

/** Visible on hover or focus, and always while rows are selected. */
function SelectBox({
  ticket,
  isSelected,
  isSelecting,
  onSelect,
}: Pick<TicketCardProps, 'ticket' | 'isSelected' | 'isSelecting' | 'onSelect'>) {
  return (
    <label
      className={cn(
        'relative z-10 -m-1.5 grid size-7 shrink-0 place-items-center',
        !isSelecting && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100',
      )}
    >
      <input
        type="checkbox"
        aria-label={`Select ${ticket.ticket_number}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={(event: MouseEvent) => onSelect(ticket.id, event.shiftKey)}
        className="size-3.5 accent-accent"
      />
    </label>
  );
}

const fromList = { fromList: true };
const shape = 'group relative border-b transition-colors';
const columns =
  'grid grid-cols-[0.875rem_4.75rem_minmax(0,1fr)_14.75rem_10rem_2.5rem_9rem_1.75rem] items-start gap-x-3 px-4 py-2.5 ' +
  'max-2xl:grid-cols-[0.875rem_4.75rem_minmax(0,1fr)_14.5rem_8.5rem_2.25rem_5.25rem_1.75rem]';

const cardClasses = ({ isOpen, isSelected }: TicketCardProps) => cn(shape, isOpen || isSelected ? 'bg-accent-soft' : 'hover:bg-sunken');
const customerOf = (ticket: TicketSummary): string => ticket.customer_name ?? ticket.customer_email;
const TicketNumber = ({ ticket }: { ticket: TicketSummary }) => (
  <span className="tabular shrink-0 text-xs text-muted">{ticket.ticket_number}</span>
);

function TicketLink({ ticket, search, isOpen }: TicketCardProps) {
  return (
    <Link
      to={`/tickets/${ticket.id}${search}`}
      state={fromList}
      data-ticket={ticket.id}
      aria-current={isOpen || undefined}
      className="outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
    >
      {ticket.subject}
    </Link>
  );
}

interface CardProps extends TicketCardProps {
  onMouseEnter: () => void;
}

function NarrowCard({ onMouseEnter, ...props }: CardProps) {
  const { ticket } = props;
  return (
    <div className={cn(cardClasses(props), 'px-4 py-3 max-md:px-3')} onMouseEnter={onMouseEnter}>
      <div className="mb-1 flex items-center gap-1.5">
        <TicketNumber ticket={ticket} />
        <span className="-my-1 -mr-1.5 ml-auto flex items-center gap-2">
          <SelectBox {...props} />
          <TicketMenu ticket={ticket} className="relative z-10" />
        </span>
      </div>
      <Subject ticket={ticket}>
        <TicketLink {...props} />
      </Subject>
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        <StatusBadge status={ticket.status} />
        <PriorityBadge priority={ticket.priority} />
        <TaskBadge ticket={ticket} />
        <DueBadge ticket={ticket} />
      </div>
      <div className="mt-2 flex items-center gap-3 text-xs text-muted">
        <span className="min-w-0 truncate">{customerOf(ticket)}</span>
        <Time iso={ticket.created_at} relative className="relative shrink-0" />
        <span className="ml-auto flex shrink-0 items-center gap-3">
          <CommentCount count={ticket.comment_count} />
          <Assignee ticket={ticket} withName={false} />
        </span>
      </div>
    </div>
  );
}

function WideCard({ onMouseEnter, ...props }: CardProps) {
  const { ticket } = props;
  return (
    <div className={cn(cardClasses(props), columns)} onMouseEnter={onMouseEnter}>
      <span className="pt-1">
        <SelectBox {...props} />
      </span>
      <span className="pt-0.5">
        <TicketNumber ticket={ticket} />
      </span>
      <div className="min-w-0">
        <Subject ticket={ticket}>
          <TicketLink {...props} />
        </Subject>
      </div>
      <span className="flex flex-wrap gap-1">
        <StatusBadge status={ticket.status} />
        <PriorityBadge priority={ticket.priority} />
        <TaskBadge ticket={ticket} />
        <DueBadge ticket={ticket} />
      </span>
      <div className="min-w-0 pt-0.5 text-xs">
        <p className="truncate text-muted" title={ticket.customer_email}>
          {customerOf(ticket)}
        </p>
        <p className="mt-1.5 flex min-w-0">
          <Assignee ticket={ticket} withName />
        </p>
      </div>
      <span className="pt-0.5 text-xs">
        <CommentCount count={ticket.comment_count} />
      </span>
      <span className="pt-0.5 text-right text-xs text-muted">
        <Time iso={ticket.created_at} relative className="relative block" />
        <Time iso={ticket.created_at} className="mt-1.5 block truncate text-2xs text-faint max-2xl:hidden" />
      </span>
      <span className="-my-0.5">
        <TicketMenu ticket={ticket} className="relative z-10" />
      </span>
    </div>
  );
}

/** A ticket in the list. The whole card is a link; the checkbox and the menu are layered above it. */
export const TicketCard = memo(function TicketCard(props: TicketCardProps) {
  const actions = useRowActions();
  const Card = props.narrow ? NarrowCard : WideCard;
  return <Card {...props} onMouseEnter={() => actions.prefetch(props.ticket.id)} />;
});
