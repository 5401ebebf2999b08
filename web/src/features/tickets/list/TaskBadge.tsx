import type { TicketSummary } from '@tandem/contracts';
import { CircleCheck, CircleSlash, Link2 } from 'lucide-react';
import { Badge } from '../../../ui/Badge';

/** Shows that a ticket is linked to a task, and that the task is finished but the customer has not been informed. */
export function TaskBadge({ ticket }: { ticket: Pick<TicketSummary, 'task' | 'task_finished_at' | 'task_outcome'> }) {
  return (
    <>
      {ticket.task && (
        <Badge tone="accent" title="Linked to a task">
          <Link2 aria-hidden />
          <span aria-hidden>Task</span>
          <span className="sr-only">Linked to a task</span>
        </Badge>
      )}
      {ticket.task_finished_at && (
        <Badge tone="plain" title="The customer hasn’t been told yet">
          {ticket.task_outcome === 'finished' ? <CircleCheck className="text-green-text" aria-hidden /> : <CircleSlash aria-hidden />}
          {ticket.task_outcome === 'finished' ? 'Task finished' : 'Task closed'}
        </Badge>
      )}
    </>
  );
}
