import { useEffect, useState } from 'react';
import { useForm, type FieldPath } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { fieldProblems } from '../../lib/problem';
import { keyPerText } from '../../lib/unique';
import { Button } from '../../ui/Button';
import { PageHeader } from '../../ui/PageHeader';
import { emptyTicket, requiredMessage, TicketForm, trimmed } from './TicketForm';
import { useCreateTicketMutation, type NewTicket } from './tickets.api';

export function NewTicketPage() {
  const form = useForm<NewTicket>({ defaultValues: emptyTicket });
  const [create, { isLoading }] = useCreateTicketMutation();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerText);
  const { setFocus } = form;
  useEffect(() => setFocus('subject'), [setFocus]);
  const submit = form.handleSubmit(
    async (values) => {
      const ticket = trimmed(values);
      const { data, error } = await create({ ...ticket, key: keyOf(JSON.stringify(ticket)) });
      if (data) {
        notify.success('Ticket created successfully');
        return navigate(`/tickets/${data.id}`, { replace: true });
      }
      for (const { path, message } of fieldProblems(error))
        if (path in emptyTicket) form.setError(path as FieldPath<NewTicket>, { message });
      notify.error('Failed to create ticket');
    },
    ({ subject, customer_email }) => {
      if (subject?.message === requiredMessage || customer_email?.message === requiredMessage) notify.error(requiredMessage);
    },
  );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title="New Ticket" />
      <div className="mx-auto max-w-2xl p-6 max-md:p-4">
        <p className="mb-6 text-muted">Open a ticket on behalf of a customer.</p>
        <TicketForm
          form={form}
          onSubmit={() => void submit()}
          footer={
            <>
              <Button asChild variant="ghost">
                <Link to="/tickets">Cancel</Link>
              </Button>
              <Button type="submit" variant="primary" busy={isLoading}>
                Create Ticket
              </Button>
            </>
          }
        />
      </div>
    </div>
  );
}
