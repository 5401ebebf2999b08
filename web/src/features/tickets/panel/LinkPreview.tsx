import type { LinkTask, TaskLinkPreview, Ticket } from '@tandem/contracts';
import { syncFieldLabels } from '@tandem/contracts/values';
import { useId, useState, type ReactNode } from 'react';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Time } from '../../../ui/Time';
import { categoryDots, ticketCount } from './linked-task-labels';
import { useLinkTaskMutation, type LinkChoice } from './task.api';

type Winner = 'neither' | NonNullable<LinkTask['winner']>;
type Difference = TaskLinkPreview['differences'][number];

const winners: { value: Winner; label: string }[] = [
  { value: 'neither', label: t('tickets.panel.leave_both') },
  { value: 'ticket', label: t('tickets.panel.use_tickets_values') },
  { value: 'task', label: t('tickets.panel.use_tasks_values') },
];
/** A field that syncs one way only never changes the other side. */
const oneWay: Partial<Record<Difference['direction'], string>> = { to_task: 'ticket to task only', to_ticket: 'task to ticket only' };

/** Whether both sides have this side's value after linking. */
const wins = (side: 'ticket' | 'task', { direction }: Difference, winner: Winner): boolean =>
  winner === side && (direction === 'both' || direction === (side === 'ticket' ? 'to_task' : 'to_ticket'));

function Value({ difference, side, winner }: { difference: Difference; side: 'ticket' | 'task'; winner: Winner }) {
  const value = difference[side];
  const isKept = wins(side, difference, winner);
  const isReplaced = wins(side === 'ticket' ? 'task' : 'ticket', difference, winner);
  return (
    <td className={cn('min-w-0 px-2 py-1.5 align-top wrap-anywhere', isKept && 'font-medium', isReplaced && 'text-faint line-through')}>
      {value === null ? (
        <span className="text-faint">{t('tickets.panel.none')}</span>
      ) : difference.field === 'due_at' ? (
        <Time iso={value} />
      ) : (
        <span dir="auto" className="line-clamp-4 whitespace-pre-line">
          {value}
        </span>
      )}
      {isKept && <span className="sr-only"> {t('tickets.panel.kept')}</span>}
      {isReplaced && <span className="sr-only"> {t('tickets.panel.replaced')}</span>}
    </td>
  );
}

function Differences({ preview: { differences, task }, winner }: { preview: TaskLinkPreview; winner: Winner }) {
  return (
    <div className="max-h-72 overflow-auto rounded-md border">
      <table className="w-full table-fixed text-left text-xs" aria-label={t('tickets.panel.differences')}>
        <thead className="sticky top-0 bg-sunken text-muted">
          <tr>
            {[t('tickets.panel.field'), t('tickets.panel.ticket'), t('tickets.panel.task_in_tool_name', { tool_name: task.tool_name })].map(
              (name, index) => (
                <th key={name} scope="col" className={cn('px-2 py-1.5 font-medium', index === 0 && 'w-24')}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y">
          {differences.map((difference) => (
            <tr key={difference.field}>
              <th scope="row" className="px-2 py-1.5 align-top font-normal text-muted">
                {syncFieldLabels[difference.field]}
                {oneWay[difference.direction] && <span className="block text-faint">{oneWay[difference.direction]}</span>}
              </th>
              <Value difference={difference} side="ticket" winner={winner} />
              <Value difference={difference} side="task" winner={winner} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WinnerChoice({ winner, onChange }: { winner: Winner; onChange: (winner: Winner) => void }) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('tickets.panel.resolve_differences')}</legend>
      {winners.map(({ value, label }) => (
        <label key={value} className="flex min-h-7 items-center gap-2 touch:min-h-10">
          <input type="radio" name={name} checked={winner === value} onChange={() => onChange(value)} className="accent-accent" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function TaskFound({ task }: { task: TaskLinkPreview['task'] }) {
  return (
    <div className="rounded-md border px-3 py-2">
      <p className="font-medium wrap-anywhere" dir="auto">
        {task.title}
      </p>
      <p className="flex items-center gap-1.5 text-xs text-muted">
        <span
          aria-hidden
          className={cn('size-2 shrink-0 rounded-full', !task.status.color && categoryDots[task.status.category])}
          style={task.status.color ? { backgroundColor: task.status.color } : undefined}
        />
        {[task.status.name, `${task.tool_name} · ${task.list_name}`, ticketCount(task.tickets)].filter(Boolean).join(' · ')}
      </p>
    </div>
  );
}

interface LinkPreviewProps {
  ticket: Ticket;
  choice: LinkChoice;
  preview: TaskLinkPreview;
  onBack: () => void;
  onClose: () => void;
}

/** The task that was found, the changes that linking makes, and a choice of the side that wins where they differ. */
export function LinkPreview({ ticket, choice, preview, onBack, onClose }: LinkPreviewProps) {
  const [winner, setWinner] = useState<Winner>('neither');
  const [link, { error, isLoading }] = useLinkTaskMutation();
  const { task, differences } = preview;
  const confirm = async () => {
    const { data } = await link({ ticket_id: ticket.id, choice, task: task.id, ...(winner !== 'neither' && { winner }) });
    if (!data) return;
    notify.success(t('tickets.panel.task_linked'));
    onClose();
  };
  const about: ReactNode =
    task.tickets > 0 ? t('tickets.panel.task_is_shared') : differences.length === 0 ? t('tickets.panel.values_are_the_same') : undefined;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('tickets.panel.link_this_task')}
      description={t('tickets.panel.changes_sync_both_ways', { ticket_number: ticket.ticket_number })}
      className="max-w-lg"
      footer={
        <>
          <Button onClick={onBack} className="mr-auto">
            {t('tickets.panel.back')}
          </Button>
          <Button onClick={onClose}>{t('tickets.panel.cancel')}</Button>
          <Button variant="primary" busy={isLoading} onClick={() => void confirm()}>
            {t('tickets.panel.link_task')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {error && <Alert tone="destructive">{messageOf(error, t('tickets.panel.couldnt_link_task'))}</Alert>}
        <TaskFound task={task} />
        {about && <p className="text-muted">{about}</p>}
        {differences.length > 0 && (
          <>
            <Differences preview={preview} winner={winner} />
            <WinnerChoice winner={winner} onChange={setWinner} />
          </>
        )}
      </div>
    </Dialog>
  );
}
