import type { CustomField, CustomFieldChanges } from '@tandem/contracts';
import { appliesToCategory, storedFieldValue } from '@tandem/contracts/values';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { FieldInput, fieldInputProblem } from '../../../app/custom-fields/FieldInput';
import { problemsByField } from '../../../app/custom-fields/ticket-fields';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';

type Problems = Partial<Record<string, string>>;
/** More fields than this are folded. */
const maxFields = 3;

/** The custom fields of a new ticket. Values of fields that do not belong to the category stay in the form, but are not sent. */
export function useNewTicketFields(category: string) {
  const applicable = useCustomFields().filter((field) => appliesToCategory(field, category.trim() || null));
  const [values, setValues] = useState<CustomFieldChanges>({});
  const [problems, setProblems] = useState<Problems>({});
  return {
    fields: applicable,
    values,
    problems,
    set: (key: string, value: CustomFieldChanges[string]) => {
      setValues((now) => ({ ...now, [key]: value }));
      setProblems(({ [key]: _solved, ...others }) => others);
    },
    /** The values to send; undefined if some are invalid, whose problems are then shown. */
    checked: (): CustomFieldChanges | undefined => {
      const found = applicable.flatMap((field) => {
        const problem = fieldInputProblem(field, values[field.key]);
        return problem === undefined ? [] : [[field.key, problem] as const];
      });
      setProblems(Object.fromEntries(found));
      if (found.length > 0) return undefined;
      const filled = applicable.map(({ key }) => [key, storedFieldValue(values[key])] as const).filter(([, value]) => value !== null);
      return Object.fromEntries(filled);
    },
    refuse: (error: unknown) => setProblems(problemsByField(error)),
  };
}

interface NewTicketFieldsProps {
  form: ReturnType<typeof useNewTicketFields>;
}

function Inputs({ fields, form: { values, problems, set } }: NewTicketFieldsProps & { fields: readonly CustomField[] }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {fields.map((field) => (
        <div key={field.key} className={field.type === 'long_text' ? 'sm:col-span-2' : undefined}>
          <FieldInput
            field={field}
            optional
            value={values[field.key]}
            problem={problems[field.key]}
            onChange={(value) => set(field.key, value)}
          />
        </div>
      ))}
    </div>
  );
}

/** The custom fields that the category has, folded if there are many. Opens when one of them has a problem. */
export function NewTicketFields({ form }: NewTicketFieldsProps) {
  const { fields, problems } = form;
  const id = useId();
  const [isOpened, setIsOpened] = useState(false);
  const hasProblem = fields.some(({ key }) => problems[key] !== undefined);
  if (hasProblem && !isOpened) setIsOpened(true);
  if (fields.length === 0) return null;
  if (fields.length <= maxFields) return <Inputs fields={fields} form={form} />;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpened}
        aria-controls={isOpened ? id : undefined}
        onClick={() => setIsOpened(!isOpened)}
        className="-mx-1 flex min-h-9 items-center gap-1.5 rounded-sm px-1 font-medium hover:text-accent-text touch:min-h-11"
      >
        <ChevronRight className={cn('size-3.5 shrink-0 transition-transform', isOpened && 'rotate-90')} aria-hidden />
        {t('tickets.form.more_fields')}
      </button>
      {isOpened && (
        <div id={id} className="pt-3">
          <Inputs fields={fields} form={form} />
        </div>
      )}
    </div>
  );
}
