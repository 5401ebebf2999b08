import type { CustomField, CustomFieldValue, Ticket } from '@tandem/contracts';
import { storedFieldValue } from '@tandem/contracts/values';
import { CircleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { FieldControlInput, fieldInputProblem } from '../../../app/custom-fields/FieldInput';
import { fieldValueText } from '../../../app/custom-fields/field-text';
import { shownFields } from '../../../app/custom-fields/ticket-fields';
import { valuesOf } from '../../../app/custom-fields/ticket-values';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import type { FieldControl } from '../../../ui/Field';
import { useTicketChange } from '../use-ticket-change';
import { Section } from './Section';

type Value = CustomFieldValue | null;

const isChosen = ({ type }: CustomField) => type === 'yes_no' || type === 'choice' || type === 'choices';

/** A value while it is edited: what was written, and what is wrong with it. */
function useFieldDraft(field: CustomField, ticket: Ticket) {
  const saved = valuesOf(ticket)[field.key] ?? null;
  const { setField } = useTicketChange(ticket.id);
  const [draft, setDraft] = useState<{ value: Value }>();
  const [problem, setProblem] = useState<string>();
  /** Returns whether the field is done: a value that cannot be sent stays for its author to correct. */
  const save = (written: Value): boolean => {
    const value = storedFieldValue(written);
    const wrong = fieldInputProblem(field, value);
    setProblem(wrong);
    setDraft(wrong ? { value } : undefined);
    if (wrong) return false;
    if (JSON.stringify(value) === JSON.stringify(saved)) return true;
    void setField(field.key, value).then((refusal) => {
      if (refusal === undefined) return;
      setDraft({ value });
      setProblem(refusal);
    });
    return true;
  };
  return {
    value: draft ? draft.value : saved,
    isEditing: draft !== undefined,
    problem,
    save,
    edit: (value: Value) => {
      setDraft({ value });
      setProblem(undefined);
    },
    cancel: () => {
      setDraft(undefined);
      setProblem(undefined);
    },
  };
}
type FieldDraft = ReturnType<typeof useFieldDraft>;

interface ControlProps {
  field: CustomField;
  draft: FieldDraft;
  control: FieldControl;
  placeholder: string;
}

/** Saved as soon as an option is chosen; several options when their list closes. */
function ChosenField({ field, draft, control, placeholder }: ControlProps) {
  const { value, isEditing, edit, save } = draft;
  const isMultiple = field.type === 'choices';
  return (
    <FieldControlInput
      {...{ field, value, control, placeholder }}
      label={field.label}
      look="quiet"
      onChange={(next) => (isMultiple ? edit(next) : save(next))}
      onClosed={isMultiple && isEditing ? () => save(value) : undefined}
    />
  );
}

/** Text that becomes an input when it is pressed. Saved with Enter, or when the focus leaves it; Escape restores the saved value. */
function WrittenField({ field, draft, control, placeholder }: ControlProps) {
  const { value, isEditing, problem, edit, save, cancel } = draft;
  const button = useRef<HTMLButtonElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (isEditing) frame.current?.querySelector<HTMLElement>('input, textarea')?.focus();
    else if (returns.current) button.current?.focus();
    returns.current = false;
  }, [isEditing]);
  const onKeyDown = (event: KeyboardEvent) => {
    const isLineBreak = field.type === 'long_text' && !event.ctrlKey && !event.metaKey;
    if (event.key === 'Escape') {
      event.stopPropagation();
      returns.current = true;
      cancel();
    } else if (event.key === 'Enter' && !isLineBreak && !event.nativeEvent.isComposing) {
      event.preventDefault();
      returns.current = save(value);
    }
  };
  if (isEditing)
    return (
      <div ref={frame} className="py-0.5 pl-0.5" onKeyDown={onKeyDown} onBlur={() => problem === undefined && save(value)}>
        <FieldControlInput {...{ field, value, control }} label={field.label} onChange={edit} />
      </div>
    );
  const text = value === null ? '' : fieldValueText(field, value);
  return (
    <button
      ref={button}
      type="button"
      id={control.id}
      aria-label={
        text ? t('tickets.panel.edit_field_value', { label: field.label, text }) : t('tickets.panel.edit_field', { label: field.label })
      }
      onClick={() => edit(value)}
      className="min-h-8 w-full rounded-md px-2 py-1.5 text-left hover:bg-hover touch:min-h-10"
    >
      {text === '' ? (
        <span className="text-faint">{placeholder}</span>
      ) : (
        <span dir="auto" className="line-clamp-4 [overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </span>
      )}
    </button>
  );
}

function FieldRow({ field, ticket }: { field: CustomField; ticket: Ticket }) {
  const id = useId();
  const draft = useFieldDraft(field, ticket);
  const problemId = draft.problem ? `${id}-problem` : undefined;
  const control: FieldControl = {
    id,
    'aria-invalid': draft.problem ? true : undefined,
    'aria-describedby': problemId,
    'aria-required': undefined,
  };
  const isRequired = field.required_to_resolve;
  const placeholder = isRequired ? t('tickets.panel.required_to_resolve') : t('tickets.panel.no_value');
  const Control = isChosen(field) ? ChosenField : WrittenField;
  return (
    <div data-custom-field={field.key} className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-1">
      <label htmlFor={id} title={field.hint ?? field.label} className="line-clamp-2 pt-2 text-xs [overflow-wrap:anywhere] text-muted">
        {field.label}
        {isRequired && (
          <span className="text-amber-text" title={t('tickets.panel.required_to_resolve')}>
            <span aria-hidden> *</span>
            <span className="sr-only"> ({t('tickets.panel.required_to_resolve')})</span>
          </span>
        )}
      </label>
      <div className="min-w-0">
        <Control {...{ field, draft, control, placeholder }} />
        {draft.problem && (
          <p id={problemId} role="alert" className="flex items-center gap-1 px-2 py-0.5 text-xs text-red-text">
            <CircleAlert className="size-3.5 shrink-0" aria-hidden />
            {draft.problem}
          </p>
        )}
      </div>
    </div>
  );
}

/** More empty fields than this are folded. */
const maxEmpty = 3;

function Fields({ ticket, fields }: { ticket: Ticket; fields: readonly CustomField[] }) {
  const values = valuesOf(ticket);
  const isEmpty = ({ key, required_to_resolve }: CustomField) => values[key] === undefined && !required_to_resolve;
  // A field that the user empties stays where it is.
  const [emptyAtFirst] = useState(() => new Set(fields.filter(isEmpty).map(({ key }) => key)));
  const [isUnfolded, setIsUnfolded] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const empty = fields.filter((field) => isEmpty(field) && emptyAtFirst.has(field.key));
  const folds = !isUnfolded && empty.length > maxEmpty;
  const shown = folds ? fields.filter((field) => !empty.includes(field)) : fields;
  const unfold = () => {
    setIsUnfolded(true);
    const [first] = empty;
    setTimeout(() => frame.current?.querySelector<HTMLElement>(`[data-custom-field="${first?.key}"] button`)?.focus());
  };
  return (
    <div ref={frame} className="-mr-2 flex flex-col gap-0.5">
      {shown.map((field) => (
        <FieldRow key={field.key} field={field} ticket={ticket} />
      ))}
      {folds && (
        <Button size="sm" variant="ghost" className="-ml-2 self-start" onClick={unfold}>
          {t('tickets.panel.show_empty_fields', { count: empty.length })}
        </Button>
      )}
    </div>
  );
}

/** The custom fields of the ticket. Nothing for organizations without any. */
export function TicketFields({ ticket }: { ticket: Ticket }): ReactNode {
  const fields = shownFields(useCustomFields(), ticket);
  if (fields.length === 0) return null;
  return (
    <Section title={t('tickets.panel.fields')}>
      <Fields ticket={ticket} fields={fields} />
    </Section>
  );
}
