import type { FormField, PublicTicket } from '@tandem/contracts';
import { submitTicket } from '@tandem/contracts/endpoints';
import { appliesToCategory, type CustomFieldValues, type Language, type TicketPriority } from '@tandem/contracts/values';
import { useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { call, type BodyOf } from '../../lib/call';
import { inputProblems, isAboutCustomFields, valuesOf, type FieldInputs } from '../../lib/form-fields';
import { notify } from '../../lib/notify';
import { fieldProblems, isWithdrawn, type ApiProblem } from '../../lib/problem';
import type { Uploads } from '../../lib/use-uploads';
import { useDraft } from './draft';
import { blockingFileProblem, useDraftFiles } from './files/use-draft-files';
import { useFormFields } from './form-fields';
import { useTexts, type PortalTranslate } from './language/texts';
import { isDecided, statusPage, useSubmission, useSubmissionKey } from './portal';
import { refusalOf } from './refusal';
import { showErrors } from './show-errors';

/** `priority` stays empty until the customer chooses one, so that the server applies the organization's default. */
const empty = { subject: '', customer_email: '', customer_name: '', category: '', priority: '', description: '' };
export type TicketDraft = typeof empty;
type Draft = TicketDraft & FieldInputs;

function missingFields({ subject, customer_email }: TicketDraft, t: PortalTranslate): Record<string, string> {
  return {
    ...(subject.trim() === '' ? { subject: t('submit.subject_missing') } : {}),
    ...(customer_email.trim() === '' ? { customer_email: t('submit.email_missing') } : {}),
  };
}

/** What is wrong with the inputs, by their names, and the sentence about it. */
function check(form: HTMLFormElement, fields: FormField[], draft: Draft, t: PortalTranslate) {
  const missing = missingFields(draft, t);
  const errors = { ...missing, ...inputProblems(form, fields, draft, (problem) => t(`fields.${problem}`)) };
  if (Object.keys(errors).length === 0) return { errors };
  return { errors, problem: t(Object.keys(missing).length > 0 ? 'submit.required' : 'problem.request.invalid') };
}

export interface Submitting {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** The custom fields that tickets of the chosen category have. */
  fields: FormField[];
  files: Uploads;
  errors: Record<string, string>;
  failure: string | undefined;
  /** `checking`: the browser is computing a proof of work. */
  progress: 'idle' | 'sending' | 'checking';
  /** The honeypot field. */
  website: RefObject<HTMLInputElement | null>;
  submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  /** Removes what the customer has entered. */
  discard: () => void;
}

/** The request body, without fields that the customer left at their default. */
function bodyOf(draft: TicketDraft, custom_fields: CustomFieldValues, attachment_ids: string[], website: string, language: Language) {
  const { subject, customer_email, customer_name, category, priority, description } = draft;
  return {
    subject,
    customer_email,
    customer_name,
    category,
    description,
    ...(priority ? { priority: priority as TicketPriority } : {}),
    ...(Object.keys(custom_fields).length > 0 ? { custom_fields } : {}),
    attachment_ids,
    language,
    ...(website ? { website } : {}),
  };
}

function useTicketDraft() {
  const [draft, change, clear] = useDraft<Draft>('submit-ticket', empty);
  const files = useDraftFiles('submit-ticket');
  const discard = () => {
    clear();
    files.clear();
  };
  return { draft, change, files, discard };
}

/** State of the form for a new ticket: draft, attachments, errors and submission. */
export function useSubmitTicket(): Submitting {
  const t = useTexts();
  const { draft, change, files, discard } = useTicketDraft();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string>();
  const [progress, setProgress] = useState<Submitting['progress']>('idle');
  const website = useRef<HTMLInputElement>(null);
  const submission = useSubmissionKey();
  const form = useRef<HTMLFormElement>(null);
  const formFields = useFormFields();
  const fields = formFields.fields.filter((field) => appliesToCategory(field, draft.category.trim() || null));
  const navigate = useNavigate();

  const refused = async (problem: ApiProblem) => {
    if (isWithdrawn(problem)) return;
    const current = isAboutCustomFields(problem) ? await formFields.load() : undefined;
    showErrors(form.current, () => {
      if (current) formFields.set(current);
      setErrors(Object.fromEntries(fieldProblems(problem).map(({ path, message }) => [path, message])));
      setFailure(refusalOf(problem, t));
    });
    if (isDecided(problem)) submission.renew();
    notify.error(t('submit.failed'));
  };
  const taken = (ticket: PublicTicket) => {
    discard();
    notify.success(t('submit.done'), t('submit.done_text', { number: ticket.ticket_number }));
    void navigate(statusPage(ticket.id, ticket.customer_email));
  };
  const sendForm = useSubmission({
    name: 'submit-ticket',
    request: (body: BodyOf<typeof submitTicket>) => call(submitTicket, { body }),
    label: t('submit.waiting'),
    onWorking: () => setProgress('checking'),
    onAnswer: (answer) => {
      setProgress('idle');
      if (answer.problem) void refused(answer.problem);
      else taken(answer.data);
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress !== 'idle') return;
    form.current = event.currentTarget;
    const { errors: wrong, problem } = check(form.current, fields, draft, t);
    const fileProblem = blockingFileProblem(files, t);
    showErrors(form.current, () => {
      setErrors(wrong);
      setFailure(fileProblem);
    });
    if (problem) notify.error(problem, t('submit.invalid'));
    if (problem || fileProblem) return;
    setProgress('sending');
    sendForm(bodyOf(draft, valuesOf(fields, draft), files.ids, website.current?.value ?? '', t.language), submission.key);
  };
  return { draft, change, fields, files, errors, failure, progress, website, submit, discard };
}
