import type { Ticket } from '@tandem/contracts';
import { cn } from '../../../lib/cn';
import { useSession } from '../../../app/api';

/** Reserves the height of the task section until it has loaded, so that nothing below moves. For agents only if the ticket has a task. */
export function TaskSkeleton({ ticket }: { ticket: Ticket }) {
  const { role } = useSession().profile;
  if (!ticket.task && role !== 'admin') return null;
  return <div aria-hidden className={cn('border-b', ticket.task ? 'h-34.25' : 'h-18.75')} />;
}
