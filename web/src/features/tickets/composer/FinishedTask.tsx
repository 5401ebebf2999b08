import type { Ticket } from '@tandem/contracts';
import { CircleCheck, CircleSlash } from 'lucide-react';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Rich } from '../../../ui/Rich';
import { customerOf } from '../conversation/use-conversation';
import { useDismissFinishedTaskMutation, useTicketTask } from '../panel/task.api';
import { useOutgoing } from './use-outgoing';

interface FinishedTaskProps {
  ticket: Ticket;
  /** Puts the draft into the reply; an empty draft only moves the cursor there. */
  onReply: (draft: string) => void;
}

/** Offers to inform the customer that the task is finished. It sends nothing itself. */
export function FinishedTask({ ticket, onReply }: FinishedTaskProps) {
  const { answer, isError } = useTicketTask(ticket);
  const [dismiss] = useDismissFinishedTaskMutation();
  const isReplySending = useOutgoing(ticket.id).some(({ is_internal }) => !is_internal);
  if (isReplySending) return null;
  const isFinished = ticket.task_outcome === 'finished';
  const Icon = isFinished ? CircleCheck : CircleSlash;
  const draft = answer?.task?.drafted_reply ?? '';
  const dismissOffer = async () => {
    const { error } = await dismiss(ticket.id);
    if (error) notify.problem(error, t('tickets.composer.failed_to_update_ticket'));
  };
  return (
    <section
      aria-label={isFinished ? t('tickets.composer.finished_task') : t('tickets.composer.closed_task')}
      className={cn(
        'mb-2 flex min-h-11.5 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg border px-3 py-2',
        isFinished ? 'bg-green-soft' : 'bg-gray-soft',
      )}
    >
      <p className="flex min-w-44 flex-1 items-center gap-2">
        <Icon className={cn('size-4 shrink-0', isFinished ? 'text-green-text' : 'text-muted')} aria-hidden />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <Rich
            text={isFinished ? t('tickets.composer.task_is_finished') : t('tickets.composer.task_was_closed')}
            tags={{ customer: () => <b className="font-medium">{customerOf(ticket)}</b> }}
          />
        </span>
      </p>
      <span className="flex gap-1.5">
        <Button size="sm" disabled={!answer && !isError} onClick={() => onReply(draft)}>
          {draft === '' && (answer || isError) ? t('tickets.composer.write_reply') : t('tickets.composer.use_drafted_reply')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => void dismissOffer()}>
          {t('tickets.composer.dismiss')}
        </Button>
      </span>
    </section>
  );
}
