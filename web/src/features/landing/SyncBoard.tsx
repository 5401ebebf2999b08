import { ArrowLeftRight } from 'lucide-react';
import { customerStatusLabels, type TicketStatus } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { StatusMark } from '../../lib/ticket-badges';

/** The task status that corresponds to each ticket status. */
const taskStatuses: Record<TicketStatus, string> = {
  open: 'To Do',
  in_progress: 'In Progress',
  waiting_for_customer: 'Review',
  resolved: 'Complete',
  closed: 'Closed',
};
const statuses = Object.keys(taskStatuses) as TicketStatus[];

type Side = 'ticket' | 'task';
const other: Record<Side, Side> = { ticket: 'task', task: 'ticket' };
const labelOf: Record<Side, (status: TicketStatus) => string> = {
  ticket: (status) => customerStatusLabels[status],
  task: (status) => taskStatuses[status],
};

/** Long enough to see that one side follows the other. */
const delayMs = 700;

/** A ticket and its task: a change of either status sets the other, as the sync does. */
export function SyncBoard() {
  const [chosen, setChosen] = useState<Record<Side, TicketStatus>>({ ticket: 'open', task: 'open' });
  const [changed, setChanged] = useState<Side>();
  const isSynced = chosen.ticket === chosen.task;
  const status = changed && chosen[changed];
  useEffect(() => {
    if (!changed || !status || isSynced) return;
    const timer = setTimeout(() => setChosen({ ticket: status, task: status }), delayMs);
    return () => clearTimeout(timer);
  }, [changed, status, isSynced]);
  const choose = (side: Side, next: TicketStatus) => {
    setChanged(side);
    setChosen((before) => ({ ...before, [side]: next }));
  };
  return (
    <div>
      <div className="grid grid-cols-2 gap-3 text-md">
        <Statuses side="ticket" title="Ticket" chosen={chosen.ticket} onChoose={choose} />
        <Statuses side="task" title="Task" chosen={chosen.task} onChoose={choose} />
      </div>
      <p role="status" className="mt-3 flex min-h-5 items-center gap-2 text-sm text-muted">
        <ArrowLeftRight className="size-3.5 shrink-0 text-accent-text" aria-hidden />
        {!changed && 'Try it: change a status on either side.'}
        {changed && !isSynced && 'Syncing…'}
        {changed && isSynced && `${changed === 'ticket' ? 'Task' : 'Ticket'} set to ${labelOf[other[changed]](chosen.task)}`}
      </p>
    </div>
  );
}

interface StatusesProps {
  side: Side;
  title: string;
  chosen: TicketStatus;
  onChoose: (side: Side, status: TicketStatus) => void;
}
const Statuses = ({ side, title, chosen, onChoose }: StatusesProps) => (
  <fieldset className="rounded-lg border bg-canvas p-1.5">
    <legend className="sr-only">{title} status</legend>
    <p aria-hidden className="px-2 pt-1 pb-2 text-sm font-medium text-muted">
      {title}
    </p>
    {statuses.map((status) => (
      <label
        key={status}
        className="relative flex min-h-10 cursor-pointer items-center gap-2 rounded-md px-2 text-muted has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus"
      >
        <input
          type="radio"
          name={`${side}-status`}
          className="sr-only"
          checked={chosen === status}
          onChange={() => onChoose(side, status)}
        />
        <StatusMark status={status} />
        {labelOf[side](status)}
      </label>
    ))}
  </fieldset>
);
