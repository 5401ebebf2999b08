import {
  priorityLabels,
  statusLabels,
  ticketPriorities,
  ticketStatuses,
  type TicketPriority,
  type TicketStatus,
} from '@tandem/contracts/values';
import { Badge, type BadgeTone } from '../ui/Badge';
import type { SelectOption } from '../ui/Select';
import { cn } from './cn';

const statusTones: Record<TicketStatus, BadgeTone> = {
  open: 'blue',
  in_progress: 'amber',
  waiting_for_customer: 'violet',
  resolved: 'green',
  closed: 'gray',
};
const statusStrokes: Record<TicketStatus, string> = {
  open: 'text-blue-solid',
  in_progress: 'text-amber-solid',
  waiting_for_customer: 'text-violet-solid',
  resolved: 'text-green-solid',
  closed: 'text-gray-solid',
};
/** Progress of a ticket as the filled part of a circle: readable without color. */
const filled: Record<TicketStatus, number> = { open: 0, in_progress: 0.5, waiting_for_customer: 0.75, resolved: 1, closed: 1 };

export function StatusMark({ status, className }: { status: TicketStatus; className?: string }) {
  const done = status === 'resolved' || status === 'closed';
  const circumference = 2 * Math.PI * 2.5;
  return (
    <svg viewBox="0 0 14 14" className={cn('size-3.5 shrink-0', statusStrokes[status], className)} fill="none" aria-hidden>
      <circle cx="7" cy="7" r="6" stroke="currentColor" strokeWidth="1.5" fill={done ? 'currentColor' : 'none'} />
      {done ? (
        <path d="m4.4 7.2 1.8 1.8 3.4-3.8" stroke="var(--surface)" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      ) : (
        <circle
          cx="7"
          cy="7"
          r="2.5"
          stroke="currentColor"
          strokeWidth="4"
          strokeDasharray={`${filled[status] * circumference} ${circumference}`}
          transform="rotate(-90 7 7)"
        />
      )}
    </svg>
  );
}

export function StatusBadge({ status, label = statusLabels[status] }: { status: TicketStatus; label?: string }) {
  return <Badge tone={statusTones[status]}>{label}</Badge>;
}

const priorityTones: Record<TicketPriority, BadgeTone> = { low: 'plain', medium: 'plain', high: 'orange', urgent: 'red' };
const bars: Record<TicketPriority, number> = { low: 1, medium: 2, high: 3, urgent: 3 };

/** Three bars; urgent is a filled square with an exclamation mark. */
export function PriorityMark({ priority, className }: { priority: TicketPriority; className?: string }) {
  if (priority === 'urgent') {
    return (
      <svg viewBox="0 0 14 14" className={cn('size-3.5 shrink-0 text-red-solid', className)} aria-hidden>
        <rect x="1" y="1" width="12" height="12" rx="3" fill="currentColor" />
        <path d="M7 3.8v3.6" stroke="var(--surface)" strokeWidth="1.6" strokeLinecap="round" />
        <circle cx="7" cy="10" r=".95" fill="var(--surface)" />
      </svg>
    );
  }
  return (
    <svg
      viewBox="0 0 14 14"
      className={cn('size-3.5 shrink-0', priority === 'high' ? 'text-orange-solid' : 'text-muted', className)}
      fill="currentColor"
      aria-hidden
    >
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={1.5 + bar * 4}
          y={9 - bar * 3.2}
          width="2.8"
          height={4 + bar * 3.2}
          rx="1"
          opacity={bar < bars[priority] ? 1 : 0.3}
        />
      ))}
    </svg>
  );
}

export function PriorityBadge({ priority }: { priority: TicketPriority }) {
  return (
    <Badge tone={priorityTones[priority]}>
      <PriorityMark priority={priority} />
      {priorityLabels[priority]}
    </Badge>
  );
}

export const statusOptions: SelectOption[] = ticketStatuses.map((value) => ({
  value,
  label: statusLabels[value],
  mark: <StatusMark status={value} />,
}));
/** Most urgent first. */
export const priorityOptions: SelectOption[] = [...ticketPriorities]
  .reverse()
  .map((value) => ({ value, label: priorityLabels[value], mark: <PriorityMark priority={value} /> }));
