import type { TicketSummary } from '@tandem/contracts';
import { GitMerge } from 'lucide-react';
import { useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { useMergeTicketMutation } from '../panel/panel.api';
import { offerMergeUndo } from '../panel/undo-merge';

/** Why these tickets cannot be merged, as a tooltip; undefined if they can. */
function mergeObstacle(tickets: readonly TicketSummary[]): string | undefined {
  if (tickets.length < 2) return t('tickets.list.select_at_least_two_tickets');
  if (tickets.some(({ merged_into_id }) => merged_into_id !== null)) return t('tickets.list.ticket_is_already_merged');
  const [first, ...others] = tickets;
  if (others.some(({ customer_email }) => customer_email !== first?.customer_email)) return t('tickets.list.you_can_only_merge_tickets');
  return undefined;
}

function Choices({
  tickets,
  chosenId,
  onChoose,
}: {
  tickets: readonly TicketSummary[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
}) {
  const name = useId();
  return (
    <ul aria-label={t('tickets.list.selected_tickets')} className="flex max-h-72 flex-col overflow-y-auto">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <label className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus">
            <input
              type="radio"
              name={name}
              checked={ticket.id === chosenId}
              onChange={() => onChoose(ticket.id)}
              className="accent-accent"
            />
            <span className="tabular shrink-0 text-xs text-muted">{ticket.ticket_number}</span>
            <span className="truncate" dir="auto">
              {ticket.subject}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Merges the selected tickets of a customer into one of them, by default the oldest. */
function BulkMergeDialog({ tickets, onClose, onDone }: { tickets: readonly TicketSummary[]; onClose: () => void; onDone: () => void }) {
  const [sorted] = useState(() => [...tickets].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)));
  const [targetId, setTargetId] = useState(sorted[0]?.id);
  const [isBusy, setIsBusy] = useState(false);
  const [merge] = useMergeTicketMutation();
  const dispatch = useDispatch<AppDispatch>();
  const target = sorted.find(({ id }) => id === targetId);
  const confirm = async () => {
    if (!target) return;
    setIsBusy(true);
    const merged: TicketSummary[] = [];
    let failure: unknown;
    // One after another: each locks the target.
    for (const ticket of sorted.filter((each) => each !== target)) {
      ({ error: failure } = await merge({ ticket_id: ticket.id, into_id: target.id }));
      if (failure) break;
      merged.push(ticket);
    }
    if (merged.length > 0) offerMergeUndo(dispatch, merged, target);
    if (!failure) return onDone();
    const reason = messageOf(failure, t('tickets.list.please_try_again'));
    notify.error(t('tickets.list.merge_stopped', { count: merged.length, reason }));
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('tickets.list.merge_count_tickets', { count: sorted.length })}
      description={t('tickets.list.pick_merge_target')}
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.list.cancel')}</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void confirm()}>
            {t('tickets.list.merge_into_ticket_number', { ticket_number: target?.ticket_number ?? '' })}
          </Button>
        </>
      }
    >
      <Choices tickets={sorted} chosenId={targetId} onChoose={setTargetId} />
      <Alert className="mt-3">{t('tickets.list.what_merging_does', { ticket_number: target?.ticket_number ?? '' })}</Alert>
    </Dialog>
  );
}

export function BulkMerge({ tickets, onDone }: { tickets: readonly TicketSummary[]; onDone: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const obstacle = mergeObstacle(tickets);
  const done = () => {
    setIsOpen(false);
    onDone();
  };
  return (
    <>
      <Button size="sm" disabled={obstacle !== undefined} title={obstacle} onClick={() => setIsOpen(true)}>
        <GitMerge aria-hidden />
        {t('tickets.list.merge')}
      </Button>
      {isOpen && <BulkMergeDialog tickets={tickets} onClose={() => setIsOpen(false)} onDone={done} />}
    </>
  );
}
