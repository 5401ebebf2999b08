import type { Ticket } from '@tandem/contracts';
import { ArrowLeft, TicketX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { again, readAgain } from '../../../app/read-again';
import type { AppDispatch } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { isProblem } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { PageHeader } from '../../../ui/PageHeader';
import { Skeletons } from '../../../ui/Skeleton';
import { changedFields, compareEdits, pickFields, valuesOf } from './edit-conflicts';
import { EditConflicts } from './EditConflicts';
import { TicketForm } from './TicketForm';
import { ticketsApi, useReadTicketQuery, useUpdateTicketMutation } from '../tickets.api';
import { trimValues, useTicketForm, type TicketField } from './use-ticket-form';

/** Reloads the ticket from the server after another person saved first. */
function useReadAgain(id: string) {
  const dispatch = useDispatch<AppDispatch>();
  return async (): Promise<Ticket | undefined> => {
    const { data } = await readAgain(() => dispatch(ticketsApi.endpoints.readTicket.initiate(id, again)));
    return data;
  };
}

function FormActions({ page, isSaving }: { page: string; isSaving: boolean }) {
  return (
    <>
      <Button asChild variant="ghost">
        <Link to={page}>{t('tickets.form.cancel')}</Link>
      </Button>
      <Button type="submit" variant="primary" busy={isSaving}>
        {t('tickets.form.save_changes')}
      </Button>
    </>
  );
}

function EditForm({ ticket }: { ticket: Ticket }) {
  // The ticket as the user last saw it: changes are computed against it, and its version detects a concurrent change.
  const [seen, setSeen] = useState(ticket);
  const [conflict, setConflict] = useState<{ taken: TicketField[]; conflicts: TicketField[] }>();
  const form = useTicketForm(valuesOf(ticket));
  const [update, { isLoading }] = useUpdateTicketMutation();
  const readAgain = useReadAgain(ticket.id);
  const navigate = useNavigate();
  const page = `/tickets/${ticket.id}`;
  const meet = async () => {
    const now = await readAgain();
    if (!now) return;
    const theirs = valuesOf(now);
    const found = compareEdits(valuesOf(seen), trimValues(form.values), theirs);
    form.set(pickFields(theirs, found.taken));
    setSeen(now);
    setConflict(found);
  };
  const decide = (name: TicketField) =>
    setConflict((current) => current && { ...current, conflicts: current.conflicts.filter((each) => each !== name) });
  const submit = async () => {
    const values = form.checked();
    if (!values) return;
    const changed = changedFields(valuesOf(seen), values);
    if (changed.length === 0) return navigate(page);
    const { error } = await update({ id: ticket.id, changes: pickFields(values, changed), version: seen.version });
    if (!error) return navigate(page, { replace: true });
    if (isProblem(error) && error.status === 412) return meet();
    form.refuse(error);
    notify.error(t('tickets.form.failed_to_update_ticket'));
  };
  return (
    <>
      {conflict && (
        <EditConflicts
          {...conflict}
          theirs={valuesOf(seen)}
          onKeepMine={decide}
          onTakeTheirs={(name) => {
            form.set(pickFields(valuesOf(seen), [name]));
            decide(name);
          }}
        />
      )}
      <TicketForm form={form} onSubmit={() => void submit()} footer={<FormActions page={page} isSaving={isLoading} />} />
    </>
  );
}

export function EditTicketPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { currentData: ticket, error } = useReadTicketQuery(id);
  const missing = isProblem(error) && [400, 404, 422].includes(error.status);
  const lost = error !== undefined && !ticket && !missing;
  useEffect(() => {
    if (!lost) return;
    notify.error(t('tickets.form.failed_to_load_ticket'));
    void navigate('/tickets', { replace: true });
  }, [lost, navigate]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader
        title={ticket ? t('tickets.form.edit_ticket_number', { ticket_number: ticket.ticket_number }) : t('tickets.form.edit_ticket')}
        before={
          <Button asChild variant="ghost" size="icon" className="-ml-2">
            <Link to={`/tickets/${id}`} aria-label={t('tickets.form.back_to_ticket')}>
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
      />
      <div className="mx-auto max-w-2xl p-6 max-md:p-4">
        {ticket && <EditForm key={ticket.id} ticket={ticket} />}
        {!ticket && !missing && <Skeletons className="flex flex-col gap-4" blocks={['h-9', 'h-9', 'h-9']} />}
        {!ticket && missing && (
          <EmptyState
            icon={TicketX}
            title={t('tickets.form.ticket_not_found')}
            action={
              <Button asChild>
                <Link to="/tickets">{t('tickets.form.back_to_tickets')}</Link>
              </Button>
            }
          >
            {t('tickets.form.why_ticket_is_not_found')}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
