import type { TicketSummary } from '@tandem/contracts';
import { CircleCheck, Link2 } from 'lucide-react';
import { Badge } from '../../ui/Badge';

/** That a ticket rides with a task, whichever tool holds it, and that the customer waits to be told that it is finished. */
export function TaskBadge({ ticket }: { ticket: Pick<TicketSummary, 'task' | 'task_finished_at'> }) {
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
        <Badge tone="plain" title="The customer was not told yet">
          <CircleCheck className="text-green-text" aria-hidden />
          Task finished
        </Badge>
      )}
    </>
  );
}
