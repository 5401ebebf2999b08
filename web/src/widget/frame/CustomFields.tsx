/** @jsxImportSource preact */
import type { FormField } from '@tandem/contracts';
import { customFieldLimits, customFieldName, storedFieldValue, type CustomFieldValues } from '@tandem/contracts/values';
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { chosenOptions, inputOfValue, toggleOption, valuesOf, type FieldInputs } from '../../lib/form-fields';
import { localizedField } from '../../lib/localized-field';
import type { Calls } from './calls';
import { Field } from './components';
import { useTexts } from './texts';

export interface FormFields {
  fields: FormField[];
  load: () => Promise<void>;
}
const none: FormField[] = [];

/** The custom fields that the form asks for; none until they are loaded, or if they cannot be. */
export function useFormFields(calls: Calls): FormFields {
  const [fields, setFields] = useState(none);
  const load = useCallback(async () => {
    const { value } = await calls.fields();
    if (value) setFields(value);
  }, [calls]);
  useEffect(() => void load(), [load]);
  return { fields, load };
}

/**
 * The inputs of these fields: what the visitor has entered, otherwise the site's value. The site's value is not part of the draft, because
 * the next page may set another one.
 */
export const inputsOf = (fields: readonly FormField[], values: FieldInputs, siteFields: CustomFieldValues): FieldInputs =>
  Object.fromEntries(
    fields.map((field) => {
      const name = customFieldName(field.key);
      return [name, values[name] ?? inputOfValue(field, siteFields[field.key])];
    }),
  );

/** The values of these fields, and the site's values of fields that the form does not ask for. The server knows their types. */
export function customFieldsOf(fields: readonly FormField[], inputs: FieldInputs, siteFields: CustomFieldValues): CustomFieldValues {
  const others = Object.entries(siteFields).filter(
    ([key, value]) => storedFieldValue(value) !== null && !fields.some((field) => field.key === key),
  );
  return { ...Object.fromEntries(others), ...valuesOf(fields, inputs) };
}

interface CustomFieldsProps {
  fields: readonly FormField[];
  inputs: FieldInputs;
  errors: Record<string, string>;
  onChange: (changes: FieldInputs) => void;
}
interface InputProps {
  field: FormField;
  name: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export const CustomFields = ({ fields, inputs, errors, onChange }: CustomFieldsProps) => (
  <>
    {fields.map((field) => {
      const name = customFieldName(field.key);
      const props: InputProps = {
        field,
        name,
        value: inputs[name] ?? '',
        error: errors[name],
        onChange: (value) => onChange({ [name]: value }),
      };
      return field.type === 'choices' ? <Choices key={field.key} {...props} /> : <SingleField key={field.key} {...props} />;
    })}
  </>
);

function SingleField({ field, name, value, error, onChange }: InputProps) {
  const t = useTexts();
  const { label, hint, options } = localizedField(field, t.language);
  const required = field.form === 'required';
  const yesNo = [
    { value: 'true', label: t('fields.yes') },
    { value: 'false', label: t('fields.no') },
  ];
  return (
    <Field label={label} hint={hint} optional={!required} error={error}>
      {(control) => {
        const input = {
          ...control,
          name,
          value,
          'aria-required': required || undefined,
          onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
        };
        switch (field.type) {
          case 'choice':
          case 'yes_no':
            return (
              <select {...input}>
                <option value="">{t('fields.choose')}</option>
                {(field.type === 'choice' ? options : yesNo).map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </select>
            );
          case 'long_text':
            return <textarea {...input} rows={3} maxLength={customFieldLimits.longText} />;
          case 'number':
            return <input {...input} type="number" step="any" inputMode="decimal" />;
          case 'date':
            return <input {...input} type="date" max="9999-12-31" />;
          default:
            return <input {...input} maxLength={customFieldLimits.text} />;
        }
      }}
    </Field>
  );
}

/** A checkbox for each option. */
function Choices({ field, name, value, error, onChange }: InputProps) {
  const id = useId();
  const t = useTexts();
  const { label, hint, options } = localizedField(field, t.language);
  const chosen = chosenOptions(value);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <fieldset aria-describedby={describedBy}>
      <legend>
        {label}
        {field.form !== 'required' && <span class="optional">{t('form.optional')}</span>}
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            name={name}
            value={option.value}
            checked={chosen.includes(option.value)}
            onChange={() => onChange(toggleOption(field, value, option.value))}
            aria-invalid={error ? true : undefined}
          />
          {option.label}
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
