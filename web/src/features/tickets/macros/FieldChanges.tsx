import type { CustomField, CustomFieldChanges, CustomFieldValue } from '@tandem/contracts';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { FieldInput } from '../../../app/custom-fields/FieldInput';
import { fieldValueText } from '../../../app/custom-fields/field-text';
import { changeProblem } from '../../../app/custom-fields/ticket-fields';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';

type Problems = Partial<Record<string, string>>;

/** Why the values cannot be saved, by the keys of the fields; empty while the fields are not loaded. */
export function problemsOf(fields: readonly CustomField[] | undefined, changes: CustomFieldChanges = {}): Problems {
  const found = Object.entries(changes).map(([key, value]) => {
    const field = fields?.find((each) => each.key === key && each.deleted_at === null);
    return [key, field ? changeProblem(field, value) : fields && t('tickets.macros.field_was_deleted')] as const;
  });
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

interface RowProps {
  name: string;
  /** Undefined if the field was deleted: then its value can only be removed. */
  field: CustomField | undefined;
  value: CustomFieldValue | null;
  problem: string | undefined;
  onChange: (value: CustomFieldValue | null) => void;
  onRemove: () => void;
}

function FieldChange({ name, field, value, problem, onChange, onRemove }: RowProps) {
  const deletedText = () => (value === null ? '—' : fieldValueText({ type: 'text', options: [] }, value));
  return (
    <li data-key={name} className="flex items-start gap-2 rounded-md border bg-sunken p-2.5">
      <div className="min-w-0 flex-1">
        {field ? (
          <FieldInput
            field={field}
            value={value}
            hint={value === null ? t('tickets.macros.empty_value_clears_field') : null}
            problem={problem}
            onChange={onChange}
          />
        ) : (
          <>
            <p className="[overflow-wrap:anywhere] text-muted">{t('tickets.macros.deleted_field', { name, value: deletedText() })}</p>
            {problem && <p className="mt-1 text-xs text-red-text">{problem}</p>}
          </>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t('tickets.macros.dont_change_field', { label: field?.label ?? name })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

interface FieldChangesProps {
  changes: CustomFieldChanges;
  problems: Problems;
  onChange: (changes: CustomFieldChanges) => void;
}

/** The values of custom fields that a canned reply sets. An empty one clears the field. */
export function FieldChanges({ changes, problems, onChange }: FieldChangesProps) {
  const fields = useCustomFields();
  const list = useRef<HTMLUListElement>(null);
  const keys = Object.keys(changes);
  const unused = fields.filter(({ key }) => !keys.includes(key));
  const add = (key: string) => {
    onChange({ ...changes, [key]: null });
    // After the list of fields has returned the focus.
    setTimeout(() => list.current?.querySelector<HTMLElement>(`[data-key="${key}"] :is(input, textarea, button)`)?.focus());
  };
  return (
    <>
      {keys.length > 0 && (
        <ul ref={list} aria-label={t('tickets.macros.fields')} className="flex flex-col gap-2">
          {keys.map((key) => (
            <FieldChange
              key={key}
              name={key}
              field={fields.find((each) => each.key === key)}
              value={changes[key] ?? null}
              problem={problems[key]}
              onChange={(value) => onChange({ ...changes, [key]: value })}
              onRemove={() => onChange(Object.fromEntries(Object.entries(changes).filter(([each]) => each !== key)))}
            />
          ))}
        </ul>
      )}
      {unused.length > 0 && (
        <Field label={t('tickets.macros.set_field')} hideLabel>
          {(control) => (
            <Select
              {...control}
              value=""
              placeholder={t('tickets.macros.set_field')}
              options={unused.map(({ key, label }) => ({ value: key, label }))}
              onChange={add}
            />
          )}
        </Field>
      )}
    </>
  );
}
