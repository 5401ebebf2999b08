import type { PublicTicket } from '@tandem/contracts';
import { priorityLabels, ticketLimits, ticketPriorities } from '@tandem/contracts/values';
import { useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { fieldProblems, type ApiProblem } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { useDraft } from './draft';
import { EmailField } from './EmailField';
import { post, statusPage, useSubmissionKey } from './portal';
import { PortalFrame, PortalHeading, portalForm, portalInput, portalTextarea } from './PortalFrame';
import { refusalOf } from './refusal';
import { showErrors } from './show-errors';

export function SubmitTicketPage() {
  return (
    <PortalFrame title="Submit a ticket">
      <PortalHeading title="How can we help?">
        Tell us what happened. You get a link to your ticket by e-mail, and follow it there. No account needed.
      </PortalHeading>
      <SubmitTicketForm />
    </PortalFrame>
  );
}

const empty = { subject: '', customer_email: '', customer_name: '', category: '', priority: 'medium', description: '' };
/** Spec part 2, section 5. */
const required = 'Subject and email are required fields.';

function SubmitTicketForm() {
  const [draft, change, clear] = useDraft('submit-ticket', empty);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submission = useSubmissionKey();
  const navigate = useNavigate();

  const refused = (form: HTMLFormElement, problem: ApiProblem) => {
    showErrors(form, () => {
      setErrors(Object.fromEntries(fieldProblems(problem).map(({ path, message }) => [path, message])));
      setFailure(refusalOf(problem));
    });
    // The same key with a corrected form would be refused as another request.
    if (problem.status < 500 && problem.status !== 0) submission.renew();
    notify.error('Failed to submit ticket. Please try again.');
  };
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const missing = missingFields(draft);
    setFailure(undefined);
    showErrors(form, () => setErrors(missing));
    if (Object.keys(missing).length > 0) {
      notify.error(required, 'Validation Error');
      return;
    }
    setBusy(true);
    const answer = await post('/public/tickets', draft, submission.key);
    setBusy(false);
    if (answer.problem) {
      refused(form, answer.problem);
      return;
    }
    const ticket = answer.data as PublicTicket;
    clear();
    notify.success(
      'Ticket Submitted Successfully!',
      `Your ticket ${ticket.ticket_number} has been created. You will receive updates via email.`,
    );
    void navigate(statusPage(ticket.id, ticket.customer_email));
  };

  const input = (name: keyof typeof empty) => ({
    name,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className={portalForm}>
      <Field label="Subject" required error={errors.subject}>
        {(control) => (
          <input
            {...control}
            {...input('subject')}
            className={portalInput}
            maxLength={ticketLimits.subject}
            placeholder="What is it about?"
          />
        )}
      </Field>
      <EmailField
        name="customer_email"
        value={draft.customer_email}
        onChange={(customer_email) => change({ customer_email })}
        error={errors.customer_email}
        hint="We send the link to your ticket there."
      />
      <Field label="Description" optional error={errors.description}>
        {(control) => (
          <textarea
            {...control}
            {...input('description')}
            className={portalTextarea}
            maxLength={ticketLimits.description}
            placeholder="What did you expect, and what happened instead?"
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" optional error={errors.customer_name} className="sm:col-span-2">
          {(control) => (
            <input {...control} {...input('customer_name')} className={portalInput} autoComplete="name" maxLength={ticketLimits.name} />
          )}
        </Field>
        <Field label="Category" optional error={errors.category}>
          {(control) => (
            <input
              {...control}
              {...input('category')}
              className={portalInput}
              maxLength={ticketLimits.category}
              placeholder="Billing, delivery…"
            />
          )}
        </Field>
        <Field label="Priority" error={errors.priority}>
          {(control) => (
            <select {...control} {...input('priority')} className={portalInput}>
              {ticketPriorities.map((priority) => (
                <option key={priority} value={priority}>
                  {priorityLabels[priority]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <div>
        <Button type="submit" variant="primary" size="lg" busy={busy} className="max-sm:w-full">
          {busy ? 'Submitting…' : 'Submit ticket'}
        </Button>
      </div>
    </form>
  );
}

function missingFields({ subject, customer_email }: typeof empty): Record<string, string> {
  return {
    ...(subject.trim() === '' ? { subject: 'Enter a subject' } : {}),
    ...(customer_email.trim() === '' ? { customer_email: 'Enter your email address' } : {}),
  };
}
