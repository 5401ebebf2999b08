import type { Ticket } from '@tandem/contracts';
import { ArrowLeft, TicketX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm, type FieldPath } from 'react-hook-form';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { fieldProblems, isProblem } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { emptyTicket, requiredMessage, TicketForm, trimmed } from './TicketForm';
import { useReadTicketQuery, useUpdateTicketMutation, type NewTicket } from './tickets.api';

const valuesOf = (ticket: Ticket): NewTicket => ({
  subject: ticket.subject,
  description: ticket.description ?? '',
  customer_email: ticket.customer_email,
  customer_name: ticket.customer_name ?? '',
  category: ticket.category ?? '',
  priority: ticket.priority,
  tags: ticket.tags,
});

/** Only what was changed goes to the server: another person's change of another field survives. */
const changedOf = (before: NewTicket, after: NewTicket) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof NewTicket])),
  );

function EditForm({ ticket }: { ticket: Ticket }) {
  // What the person saw when they began: changes are measured against it, and somebody's faster change is noticed by its version.
  const [seen] = useState(ticket);
  const form = useForm<NewTicket>({ defaultValues: valuesOf(seen) });
  const [update, { isLoading, error }] = useUpdateTicketMutation();
  const navigate = useNavigate();
  const page = `/tickets/${ticket.id}`;
  const overtaken = isProblem(error) && error.status === 412;
  const submit = form.handleSubmit(
    async (values) => {
      const changes = changedOf(valuesOf(seen), trimmed(values));
      if (Object.keys(changes).length === 0) return navigate(page);
      const answer = await update({ id: ticket.id, changes, version: overtaken ? undefined : seen.version });
      if (!answer.error) {
        notify.success('Ticket updated');
        return navigate(page, { replace: true });
      }
      for (const { path, message } of fieldProblems(answer.error))
        if (path in emptyTicket) form.setError(path as FieldPath<NewTicket>, { message });
      notify.error('Failed to update ticket');
    },
    ({ subject, customer_email }) => {
      if (subject?.message === requiredMessage || customer_email?.message === requiredMessage) notify.error(requiredMessage);
    },
  );
  return (
    <>
      {overtaken && (
        <Alert tone="destructive" className="mb-5">
          Somebody changed this ticket in the meantime. Save again to keep your version of the fields that you changed.
        </Alert>
      )}
      <TicketForm
        form={form}
        onSubmit={() => void submit()}
        footer={
          <>
            <Button asChild variant="ghost">
              <Link to={page}>Cancel</Link>
            </Button>
            <Button type="submit" variant="primary" busy={isLoading}>
              Save Changes
            </Button>
          </>
        }
      />
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
    notify.error('Failed to load ticket');
    void navigate('/tickets', { replace: true });
  }, [lost, navigate]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader
        title={ticket ? `Edit ${ticket.ticket_number}` : 'Edit Ticket'}
        before={
          <Button asChild variant="ghost" size="icon" className="-ml-2">
            <Link to={`/tickets/${id}`} aria-label="Back to the ticket">
              <ArrowLeft aria-hidden />
            </Link>
          </Button>
        }
      />
      <div className="mx-auto max-w-2xl p-6 max-md:p-4">
        {ticket && <EditForm key={ticket.id} ticket={ticket} />}
        {!ticket && !missing && (
          <div aria-busy className="flex flex-col gap-4">
            {[1, 2, 3].map((row) => (
              <Skeleton key={row} className="h-9" />
            ))}
          </div>
        )}
        {!ticket && missing && (
          <EmptyState
            icon={TicketX}
            title="Ticket Not Found"
            action={
              <Button asChild>
                <Link to="/tickets">Back to Tickets</Link>
              </Button>
            }
          >
            It may belong to another organization, or the address is mistyped.
          </EmptyState>
        )}
      </div>
    </div>
  );
}
