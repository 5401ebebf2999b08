import { articleSuggestions, defaultPriority, ticketLimits, ticketPriorities } from '@tandem/contracts/values';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { lazy, Suspense, useRef, useState, type ComponentType, type RefObject } from 'react';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { NativeSelect } from '../../ui/NativeSelect';
import { categoryLabel } from './categories';
import { ChosenTeam } from './ChosenTeam';
import { CustomFields } from './CustomFields';
import { EmailField } from './EmailField';
import { AttachFiles, FileDropZone } from './files/AttachFiles';
import type { SuggestionsProps } from './help/Suggestions';
import { useTexts } from './language/texts';
import { useOrganization } from './organization';
import { PortalFrame, PortalHeading, portalForm, portalInput, portalSubmit, portalTextarea } from './PortalFrame';
import { PortalOutcome } from './PortalOutcome';
import { useSubmitTicket, type Submitting, type TicketDraft } from './use-submit-ticket';

/** Without them the form works all the same, so nothing is shown if their code does not load. */
const Suggestions = lazy<ComponentType<SuggestionsProps>>(() =>
  import('./help/Suggestions').then(
    (module) => ({ default: module.Suggestions }),
    () => ({ default: () => null }),
  ),
);

export function SubmitTicketPage() {
  const t = useTexts();
  return (
    <ChosenTeam question={t('submit.team_question')}>
      <PortalFrame title={t('frame.submit')}>
        <SubmitTicketForm />
      </PortalFrame>
    </ChosenTeam>
  );
}

function SubmitTicketForm() {
  const t = useTexts();
  const form = useSubmitTicket();
  const { draft, change, files, errors, failure, progress } = form;
  const [isSolved, setSolved] = useState(false);
  const solve = () => {
    form.discard();
    setSolved(true);
  };
  if (isSolved) return <Solved onBack={() => setSolved(false)} />;
  return (
    <FileDropZone files={files}>
      <PortalHeading title={t('submit.title')}>{t('submit.text')}</PortalHeading>
      <form noValidate onSubmit={form.submit} className={portalForm}>
        <EmailField
          name="customer_email"
          value={draft.customer_email}
          onChange={(customer_email) => change({ customer_email })}
          error={errors.customer_email}
          hint={t('submit.email_hint')}
        />
        <SubjectField form={form} onSolved={solve} />
        <Field label={t('submit.description')} optional error={errors.description}>
          {(control) => (
            <textarea
              {...control}
              {...inputOf(form, 'description')}
              className={portalTextarea}
              maxLength={ticketLimits.description}
              placeholder={t('submit.description_example')}
            />
          )}
        </Field>
        <AttachFiles files={files} />
        <MoreDetails form={form} />
        <CustomFields form={form} />
        <Trap field={form.website} />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" variant="primary" size="lg" busy={progress !== 'idle'} className={portalSubmit}>
          {t(`submit.button.${progress}`)}
        </Button>
      </form>
    </FileDropZone>
  );
}

/** The subject, and articles that may answer it. */
function SubjectField({ form, onSolved }: { form: Submitting; onSolved: () => void }) {
  const t = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const subject = form.draft.subject.trim();
  return (
    <>
      <Field label={t('submit.subject')} required error={form.errors.subject}>
        {(control) => (
          <input
            {...control}
            {...inputOf(form, 'subject')}
            ref={field}
            className={portalInput}
            maxLength={ticketLimits.subject}
            placeholder={t('submit.subject_example')}
          />
        )}
      </Field>
      {subject.length >= articleSuggestions.characters && (
        <Suspense fallback={null}>
          <Suggestions subject={subject} field={field} onSolved={onSolved} />
        </Suspense>
      )}
    </>
  );
}

/** Shown instead of the form after 'This solved it'. */
function Solved({ onBack }: { onBack: () => void }) {
  const t = useTexts();
  return (
    <div role="status">
      <PortalOutcome
        icon={CircleCheck}
        title={t('suggest.done')}
        actions={
          <Button autoFocus size="lg" className="h-11" onClick={onBack}>
            {t('suggest.back')}
          </Button>
        }
      >
        {t('suggest.done_text')}
      </PortalOutcome>
    </div>
  );
}

const inputOf = ({ draft, change }: Submitting, name: keyof TicketDraft) => ({
  name,
  value: draft[name],
  onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
});

/** The optional fields, closed until the customer opens them or one of them has a value or an error. */
function MoreDetails({ form }: { form: Submitting }) {
  const t = useTexts();
  const { draft, errors } = form;
  const names = ['customer_name', 'category', 'priority'] as const;
  const hasError = names.some((name) => errors[name] !== undefined);
  const [isOpen, setOpen] = useState(() => names.some((name) => draft[name] !== ''));
  return (
    <details open={isOpen || hasError} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="-ms-1 flex h-11 w-fit cursor-pointer list-none items-center gap-1 rounded-md px-1 text-accent-text [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90 rtl:-scale-x-100" aria-hidden />
        {t('submit.more')}
      </summary>
      <MoreFields form={form} />
    </details>
  );
}

/** One of the organization's categories, or any if it has no list. */
function CategoryField({ form }: { form: Submitting }) {
  const t = useTexts();
  const organization = useOrganization();
  // Missing in an organization that an older version has stored in this tab.
  const categories = (organization?.categories ?? []).map(({ name }) => name);
  const { category } = form.draft;
  // The draft may contain one that is no longer in the list.
  const names = category === '' || categories.includes(category) ? categories : [...categories, category];
  return (
    <Field label={t('submit.category')} optional error={form.errors.category}>
      {(control) =>
        categories.length > 0 ? (
          <NativeSelect {...control} {...inputOf(form, 'category')} className={portalInput}>
            <option value="">{t('submit.category_choose')}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {categoryLabel(organization, name, t.language)}
              </option>
            ))}
          </NativeSelect>
        ) : (
          <input
            {...control}
            {...inputOf(form, 'category')}
            className={portalInput}
            maxLength={ticketLimits.category}
            placeholder={t('submit.category_example')}
          />
        )
      }
    </Field>
  );
}

function MoreFields({ form }: { form: Submitting }) {
  const t = useTexts();
  const preset = useOrganization()?.default_priority ?? defaultPriority;
  const { draft, errors } = form;
  return (
    <div className="mt-3 grid gap-5 sm:grid-cols-2">
      <Field label={t('submit.name')} optional error={errors.customer_name} className="sm:col-span-2">
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
      <CategoryField form={form} />
      <Field label={t('submit.priority')} error={errors.priority}>
        {(control) => (
          <NativeSelect {...control} {...inputOf(form, 'priority')} value={draft.priority || preset} className={portalInput}>
            {ticketPriorities.map((priority) => (
              <option key={priority} value={priority}>
                {t(`priority.${priority}`)}
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
