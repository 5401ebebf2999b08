import type { FormField } from '@tandem/contracts';
import { customFieldLimits, customFieldName } from '@tandem/contracts/values';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { chosenOptions, toggleOption } from '../../lib/form-fields';
import { localizedField } from '../../lib/localized-field';
import { uiText } from '../../lib/ui-texts';
import { Field } from '../../ui/Field';
import { NativeSelect } from '../../ui/NativeSelect';
import { useTexts } from './language/texts';
import { portalInput, portalTextarea } from './PortalFrame';
import type { Submitting } from './use-submit-ticket';

interface FieldProps {
  field: FormField;
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The inputs of the custom fields that the ticket's category has. */
export function CustomFields({ form: { fields, draft, change, errors } }: { form: Submitting }) {
  return fields.map((field) => {
    const name = customFieldName(field.key);
    const props: FieldProps = {
      field,
      name,
      value: draft[name] ?? '',
      onChange: (value) => change({ [name]: value }),
      error: errors[name],
    };
    return field.type === 'choices' ? <Choices key={field.key} {...props} /> : <SingleField key={field.key} {...props} />;
  });
}

function SingleField({ field, name, value, onChange, error }: FieldProps) {
  const t = useTexts();
  const { label, hint, options } = localizedField(field, t.language);
  const required = field.form === 'required';
  const yesNo = [
    { value: 'true', label: t('fields.yes') },
    { value: 'false', label: t('fields.no') },
  ];
  return (
    <Field label={label} hint={hint} required={required} optional={!required} error={error}>
      {(control) => {
        const input = { ...control, name, value, onChange: (event: { target: { value: string } }) => onChange(event.target.value) };
        switch (field.type) {
          case 'choice':
          case 'yes_no':
            return (
              <NativeSelect {...input} className={portalInput}>
                <option value="">{t('fields.choose')}</option>
                {(field.type === 'choice' ? options : yesNo).map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </NativeSelect>
            );
          case 'long_text':
            return <textarea {...input} className={portalTextarea} maxLength={customFieldLimits.longText} />;
          case 'number':
            return <input {...input} type="number" step="any" inputMode="decimal" className={portalInput} />;
          case 'date':
            return <input {...input} type="date" max="9999-12-31" className={portalInput} />;
          default:
            return <input {...input} className={portalInput} maxLength={customFieldLimits.text} />;
        }
      }}
    </Field>
  );
}

/** A checkbox for each option. */
function Choices({ field, name, value, onChange, error }: FieldProps) {
  const id = useId();
  const t = useTexts();
  const { label, hint, options } = localizedField(field, t.language);
  const chosen = chosenOptions(value);
  const descriptions = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={descriptions || undefined} className="min-w-0">
      <legend className="flex items-baseline gap-1.5 font-medium">
        {label}
        {field.form !== 'required' && <span className="text-xs font-normal text-faint">{uiText('optional')}</span>}
      </legend>
      <div className="grid sm:grid-cols-2 sm:gap-x-6">
        {options.map((option) => (
          <label key={option.value} className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              name={name}
              value={option.value}
              checked={chosen.includes(option.value)}
              onChange={() => onChange(toggleOption(field, value, option.value))}
              aria-invalid={error ? true : undefined}
              className="size-5 shrink-0 accent-accent"
            />
            <span className="min-w-0 break-words">{option.label}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex items-center gap-1 text-red-text">
          <CircleAlert className="size-3.5 shrink-0" aria-hidden />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
