import { defaultPriority, priorityLabels, ticketLimits, ticketPriorities } from '@tandem/contracts/values';
import { ChevronRight } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { NativeSelect } from '../../ui/NativeSelect';
import { ChosenTeam } from './ChosenTeam';
import { EmailField } from './EmailField';
import { AttachFiles, FileDropZone } from './files/AttachFiles';
import { useOrganization } from './organization';
import { PortalFrame, PortalHeading, portalForm, portalInput, portalSubmit, portalTextarea } from './PortalFrame';
import { useSubmitTicket, type Submitting, type TicketDraft } from './use-submit-ticket';

export function SubmitTicketPage() {
  return (
    <ChosenTeam question="Which team do you need help from?">
      <PortalFrame title="Submit a ticket">
        <PortalHeading title="How can we help?">
          Tell us what happened. We’ll email you a link to follow your ticket. No account needed.
        </PortalHeading>
        <SubmitTicketForm />
      </PortalFrame>
    </ChosenTeam>
  );
}

const buttonTexts: Record<Submitting['progress'], string> = {
  idle: 'Submit ticket',
  sending: 'Submitting…',
  checking: 'Checking your browser…',
};

function SubmitTicketForm() {
  const form = useSubmitTicket();
  const { draft, change, files, errors, failure, progress } = form;
  return (
    <FileDropZone files={files}>
      <form noValidate onSubmit={form.submit} className={portalForm}>
        <EmailField
          name="customer_email"
          value={draft.customer_email}
          onChange={(customer_email) => change({ customer_email })}
          error={errors.customer_email}
          hint="We’ll send updates here."
        />
        <Field label="Subject" required error={errors.subject}>
          {(control) => (
            <input
              {...control}
              {...inputOf(form, 'subject')}
              className={portalInput}
              maxLength={ticketLimits.subject}
              placeholder="What is it about?"
            />
          )}
        </Field>
        <Field label="Description" optional error={errors.description}>
          {(control) => (
            <textarea
              {...control}
              {...inputOf(form, 'description')}
              className={portalTextarea}
              maxLength={ticketLimits.description}
              placeholder="What did you expect, and what happened instead?"
            />
          )}
        </Field>
        <AttachFiles files={files} />
        <MoreDetails form={form} />
        <Trap field={form.website} />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" variant="primary" size="lg" busy={progress !== 'idle'} className={portalSubmit}>
          {buttonTexts[progress]}
        </Button>
      </form>
    </FileDropZone>
  );
}

const inputOf = ({ draft, change }: Submitting, name: keyof TicketDraft) => ({
  name,
  value: draft[name],
  onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
});

/** The optional fields, closed until the customer opens them or one of them has a value or an error. */
function MoreDetails({ form }: { form: Submitting }) {
  const { draft, errors } = form;
  const names = ['customer_name', 'category', 'priority'] as const;
  const hasError = names.some((name) => errors[name] !== undefined);
  const [isOpen, setOpen] = useState(() => names.some((name) => draft[name] !== ''));
  return (
    <details open={isOpen || hasError} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="-ml-1 flex h-11 w-fit cursor-pointer list-none items-center gap-1 rounded-md px-1 text-accent-text [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden />
        More details
      </summary>
      <MoreFields form={form} />
    </details>
  );
}

function MoreFields({ form }: { form: Submitting }) {
  const preset = useOrganization()?.default_priority ?? defaultPriority;
  const { draft, errors } = form;
  return (
    <div className="mt-3 grid gap-5 sm:grid-cols-2">
      <Field label="Name" optional error={errors.customer_name} className="sm:col-span-2">
        {(control) => (
          <input
            {...control}
            {...inputOf(form, 'customer_name')}
            className={portalInput}
            autoComplete="name"
            maxLength={ticketLimits.name}
          />
        )}
      </Field>
      <Field label="Category" optional error={errors.category}>
        {(control) => (
          <input
            {...control}
            {...inputOf(form, 'category')}
            className={portalInput}
            maxLength={ticketLimits.category}
            placeholder="Billing, delivery…"
          />
        )}
      </Field>
      <Field label="Priority" error={errors.priority}>
        {(control) => (
          <NativeSelect {...control} {...inputOf(form, 'priority')} value={draft.priority || preset} className={portalInput}>
            {ticketPriorities.map((priority) => (
              <option key={priority} value={priority}>
                {priorityLabels[priority]}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </div>
  );
}

/** Honeypot field for bots: hidden visually and from screen readers, keyboard and autofill. */
const Trap = ({ field }: { field: RefObject<HTMLInputElement | null> }) => (
  <div aria-hidden className="sr-only">
    <label>
      Website
      <input ref={field} name="website" type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
    </label>
  </div>
);
