import type { Ticket, TicketSummary } from '@tandem/contracts';
import { statusLabels } from '@tandem/contracts/values';
import { Search } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import type { AppDispatch } from '../../../app/store';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { StatusMark } from '../../../lib/ticket-badges';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Input } from '../../../ui/Input';
import { Skeleton } from '../../../ui/Skeleton';
import { useFindTicketsQuery, useMergeTicketMutation } from './panel.api';
import { offerMergeUndo } from './undo-merge';

/** The other tickets of this customer. Tickets of other customers and already merged tickets cannot be merge targets. */
function useCandidates(ticket: Ticket, search: string) {
  const wanted = useDeferredValue(search.trim());
  const { currentData, isError } = useFindTicketsQuery({
    customer_email: ticket.customer_email,
    ...(wanted ? { search: wanted } : {}),
  });
  return { isError, candidates: currentData?.filter(({ id, merged_into_id }) => id !== ticket.id && merged_into_id === null) };
}

function Candidate({ ticket, name, chosen, onChoose }: { ticket: TicketSummary; name: string; chosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <label
        className={cn(
          'flex min-h-9 items-center gap-2.5 rounded-md border px-2.5 py-1.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus',
          chosen ? 'border-accent-line bg-accent-soft' : 'border-transparent',
        )}
      >
        <input type="radio" name={name} checked={chosen} onChange={onChoose} className="accent-accent" />
        <StatusMark status={ticket.status} />
        <span className="sr-only">{statusLabels[ticket.status]}</span>
        <span className="shrink-0 text-xs text-muted tabular">{ticket.ticket_number}</span>
        <span className="truncate" dir="auto">
          {ticket.subject}
        </span>
      </label>
    </li>
  );
}

interface CandidatesProps {
  candidates: TicketSummary[] | undefined;
  isLoading: boolean;
  chosenId: string | undefined;
  onChoose: (ticket: TicketSummary) => void;
}
function Candidates({ candidates, isLoading, chosenId, onChoose }: CandidatesProps) {
  const name = useId();
  return (
    <ul aria-label={t('tickets.panel.tickets_of_this_customer')} className="mt-2 flex min-h-24 flex-col gap-0.5">
      {isLoading && <Skeleton className="h-9" />}
      {candidates?.map((candidate) => (
        <Candidate
          key={candidate.id}
          ticket={candidate}
          name={name}
          chosen={chosenId === candidate.id}
          onChoose={() => onChoose(candidate)}
        />
      ))}
    </ul>
  );
}

/** Chooses the ticket to merge this duplicate into, explains the effect, and then opens that ticket. */
export function MergeDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const navigate = useNavigate();
  const dispatch = useDispatch<AppDispatch>();
  const [search, setSearch] = useState('');
  const [target, setTarget] = useState<TicketSummary>();
  const { candidates, isError } = useCandidates(ticket, search);
  const [merge, { isLoading }] = useMergeTicketMutation();
  const confirm = async () => {
    if (!target) return;
    const { error } = await merge({ ticket_id: ticket.id, into_id: target.id });
    if (error) return notify.problem(error, t('tickets.panel.failed_to_merge_tickets'));
    offerMergeUndo(dispatch, [ticket], target);
    onClose();
    await navigate(`/tickets/${target.id}`);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('tickets.panel.merge_ticket_number', { ticket_number: ticket.ticket_number })}
      description={t('tickets.panel.pick_merge_target')}
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.panel.cancel')}</Button>
          <Button variant="danger" disabled={!target} busy={isLoading} onClick={() => void confirm()}>
            {target ? t('tickets.panel.merge_into_ticket_number', { ticket_number: target.ticket_number }) : t('tickets.panel.merge')}
          </Button>
        </>
      }
    >
      <div className="relative">
        <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" aria-hidden />
        <Input
          type="search"
          aria-label={t('tickets.panel.search_this_customers_tickets')}
          placeholder={t('tickets.panel.number_or_subject')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8"
        />
      </div>
      <Candidates candidates={candidates} isLoading={!candidates && !isError} chosenId={target?.id} onChoose={setTarget} />
      {isError && <p className="text-muted">{t('tickets.panel.couldnt_load_tickets')}</p>}
      {candidates?.length === 0 && (
        <p className="-mt-22 mb-4 text-muted">
          {search ? t('tickets.panel.nothing_found') : t('tickets.panel.customer_has_no_other_tickets')}
        </p>
      )}
      {target && (
        <Alert className="mt-3">
          {t('tickets.panel.everything_moves', { source: ticket.ticket_number, target: target.ticket_number })}
        </Alert>
      )}
    </Dialog>
  );
}
