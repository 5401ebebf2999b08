/** @jsxImportSource preact */
import type { FormField, PublicTicket, SubmitWidgetTicket } from '@tandem/contracts';
import { appliesToCategory, articleSuggestions, ticketLimits, type CustomFieldValues, type Language } from '@tandem/contracts/values';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inputProblems, isAboutCustomFields, type FieldInputs } from '../../lib/form-fields';
import { fieldProblems, type ApiProblem } from '../../lib/problem';
import { keyPerText } from '../../lib/unique';
import type { Calls } from './calls';
import { CustomFields, customFieldsOf, inputsOf, type FormFields } from './CustomFields';
import type { TextPrefill } from './host';
import type { Identity } from './identity';
import type { WidgetStorage } from './storage';
import type { Parameters } from './parameters';
import { useTexts, type WidgetTranslate } from './texts';
import { useHelp } from './use-help';
import { Field, focusFirstError, Note, SendButton, errorText, type FieldControl } from './components';

const empty = { subject: '', description: '', email: '', name: '', website: '' };
type Values = typeof empty & FieldInputs;

interface TicketFormProps {
  calls: Calls;
  stored: WidgetStorage;
  parameters: Parameters;
  identity: Identity | undefined;
  prefill: TextPrefill;
  /** Values of custom fields that the site sets. */
  siteFields: CustomFieldValues;
  formFields: FormFields;
  onSubmitted: (ticket: PublicTicket) => void;
  onArticle: (number: number) => void;
}

/** The form's values, stored until they are sent, so that closing the widget or the page loses nothing. */
function useValues(stored: WidgetStorage, prefill: TextPrefill) {
  const [values, setValues] = useState<Values>(() => ({ ...empty, ...stored.draft('new') }));
  useEffect(() => {
    // Never overwrite what the visitor has typed.
    setValues((before) => {
      const blank = Object.entries(prefill).filter(([name]) => before[name as keyof Values] === '');
      return { ...before, ...Object.fromEntries(blank) };
    });
  }, [prefill]);
  useEffect(() => stored.saveDraft('new', values), [stored, values]);
  return [values, (changes: Partial<typeof empty> | FieldInputs) => setValues((before): Values => ({ ...before, ...changes }))] as const;
}

function missing({ subject, email }: Values, identity: Identity | undefined, t: WidgetTranslate): Record<string, string> {
  return {
    ...(subject.trim() === '' ? { subject: t('form.subject_missing') } : {}),
    ...(!identity && email.trim() === '' ? { email: t('form.email_missing') } : {}),
  };
}

const bodyOf = (
  values: Values,
  custom_fields: CustomFieldValues,
  identity: Identity | undefined,
  language: Language,
): SubmitWidgetTicket => ({
  language,
  custom_fields,
  subject: values.subject,
  description: values.description,
  customer_name: identity?.name ?? values.name,
  ...(identity ? { identity_token: identity.token } : { customer_email: values.email }),
  ...(values.website ? { website: values.website } : {}),
});

interface Asked {
  fields: FormField[];
  inputs: FieldInputs;
}

function useSubmission(props: TicketFormProps, values: Values, { fields, inputs }: Asked) {
  const { calls, stored, identity, siteFields, formFields, onSubmitted } = props;
  const t = useTexts();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<[title: string, text: string]>();
  const [state, setState] = useState<'idle' | 'sending' | 'proving'>('idle');
  // One key per text: submitting again after a lost response reuses the key and creates no second ticket.
  const [keyFor] = useState(keyPerText);
  const refused = async (problem: ApiProblem) => {
    if (isAboutCustomFields(problem)) await formFields.load();
    const fieldErrors = fieldProblems(problem).map(({ path, message }) => [path.replace(/^customer_/, ''), message]);
    setErrors(Object.fromEntries(fieldErrors) as Record<string, string>);
    setFailure([t('form.failed'), errorText(problem, t)]);
  };
  const submit = async (form: HTMLFormElement) => {
    const blank = missing(values, identity, t);
    const wrong = { ...blank, ...inputProblems(form, fields, inputs, (problem) => t(`fields.${problem}`)) };
    const isWrong = Object.keys(wrong).length > 0;
    setErrors(wrong);
    setFailure(isWrong ? [t('form.invalid'), t(Object.keys(blank).length > 0 ? 'form.required' : 'problem.request.invalid')] : undefined);
    if (!isWrong && state === 'idle') {
      setState('sending');
      const body = bodyOf(values, customFieldsOf(fields, inputs, siteFields), identity, t.language);
      const { value, problem } = await calls.submit(body, keyFor(JSON.stringify(body)), () => setState('proving'));
      setState('idle');
      if (value) {
        stored.saveDraft('new', {});
        onSubmitted(value);
        return;
      }
      await refused(problem);
    }
    focusFirstError(form);
  };
  return { errors, failure, state, submit };
}

export function TicketForm(props: TicketFormProps) {
  const t = useTexts();
  const { stored, parameters, identity, prefill, siteFields, formFields } = props;
  const [values, change] = useValues(stored, prefill);
  const fields = formFields.fields.filter((field) => appliesToCategory(field, null));
  const inputs = inputsOf(fields, values, siteFields);
  const { errors, failure, state, submit } = useSubmission(props, values, { fields, inputs });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void submit(event.currentTarget as HTMLFormElement);
  };
  const input = (name: keyof typeof empty) => ({
    name,
    value: values[name],
    onInput: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      {identity && (
        <p class="who">{t('form.signed_in', { who: identity.name ? `${identity.name} (${identity.email})` : identity.email })}</p>
      )}
      <SubjectField {...props} input={input('subject')} error={errors.subject} />
      <Field label={t('form.description')} optional error={errors.description}>
        {(control) => (
          <textarea
            {...control}
            {...input('description')}
            rows={4}
            maxLength={ticketLimits.description}
            placeholder={parameters.placeholderMessage ?? t('form.description_example')}
          />
        )}
      </Field>
      {!identity && <Who input={input} errors={errors} />}
      <CustomFields fields={fields} inputs={inputs} errors={errors} onChange={change} />
      <Trap input={input} />
      {failure && (
        <Note tone="bad">
          <strong>{failure[0]}</strong>
          <br />
          {failure[1]}
        </Note>
      )}
      <SendButton busy={state !== 'idle'}>{t(state === 'idle' ? 'form.send' : 'form.sending')}</SendButton>
      {state === 'proving' && <Note tone="plain">{t('form.checking')}</Note>}
    </form>
  );
}

interface SubjectFieldProps extends TicketFormProps {
  input: { name: string; value: string; onInput: (event: { currentTarget: { value: string } }) => void };
  error: string | undefined;
}

/** The subject, and articles that may answer it. */
function SubjectField({ input, error, parameters, calls, onArticle }: SubjectFieldProps) {
  const t = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const subject = input.value.trim();
  const isLongEnough = subject.length >= articleSuggestions.characters;
  const help = useHelp(isLongEnough);
  return (
    <>
      <Field label={t('form.subject')} error={error}>
        {(control) => (
          <input
            {...control}
            {...input}
            ref={field}
            aria-required
            maxLength={ticketLimits.subject}
            placeholder={parameters.placeholderSubject ?? t('form.subject_example')}
          />
        )}
      </Field>
      {help && isLongEnough && <help.Suggestions subject={subject} field={field} calls={calls} onOpen={onArticle} />}
    </>
  );
}

/** Honeypot for bots that fill in every field; people can neither see nor focus it. */
const Trap = ({ input }: Pick<WhoProps, 'input'>) => (
  <div class="away" aria-hidden="true">
    <label>
      Website <input {...input('website')} tabIndex={-1} autoComplete="off" />
    </label>
  </div>
);

interface WhoProps {
  input: (name: keyof typeof empty) => object;
  errors: Record<string, string>;
}
function Who({ input, errors }: WhoProps) {
  const t = useTexts();
  const email = useMemo(
    () => ({ type: 'email', autoComplete: 'email', inputMode: 'email', dir: 'ltr', maxLength: ticketLimits.email }) as const,
    [],
  );
  return (
    <>
      <Field label={t('form.email')} error={errors.email}>
        {(control: FieldControl) => <input {...control} {...input('email')} {...email} aria-required />}
      </Field>
      <Field label={t('form.name')} optional error={errors.name}>
        {(control: FieldControl) => <input {...control} {...input('name')} autoComplete="name" maxLength={ticketLimits.name} />}
      </Field>
    </>
  );
}
