import type { CustomField, CustomFieldValue } from '@tandem/contracts';
import { customFieldLimits, fieldValueProblem, storedFieldValue } from '@tandem/contracts/values';
import { useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Field, type FieldControl } from '../../ui/Field';
import { Input, Textarea } from '../../ui/Input';
import { Select, type SelectOption } from '../../ui/Select';
import { optionsWithRemoved, parseNumber } from './field-text';
import { OptionPicker } from './OptionPicker';
import { searchesAbove, type OptionPickerProps } from './option-picker-face';

type Value = CustomFieldValue | null;

interface FieldInputProps {
  field: CustomField;
  value: Value | undefined;
  /** Null if nothing is chosen or written. Text that is not a number is passed as it is: `fieldInputProblem` refuses it. */
  onChange: (value: Value) => void;
  /** The field's own label by default. */
  label?: string;
  hideLabel?: boolean;
  /** The field's own hint by default. */
  hint?: string | null;
  required?: boolean;
  optional?: boolean;
  problem?: string | undefined;
}
interface ControlProps extends Pick<FieldInputProps, 'field' | 'onChange'>, Pick<OptionPickerProps, 'look' | 'placeholder' | 'onClosed'> {
  value: Value;
  control: FieldControl;
  label: string;
}

/** What has to be corrected before the value can be sent. Options that were removed from the field are valid in tickets that have them. */
export function fieldInputProblem(field: CustomField, value: Value | undefined): string | undefined {
  const stored = storedFieldValue(value);
  if (stored === null || field.type === 'choice' || field.type === 'choices') return undefined;
  return fieldValueProblem(field, stored);
}

/** Keeps the text while it is edited: `1.` and `1.0` are the same number. */
function NumberInput({ value, onChange, control }: ControlProps) {
  const [written, setWritten] = useState('');
  const text = parseNumber(written) === value ? written : String(value ?? '');
  return (
    <Input
      {...control}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setWritten(target.value);
        onChange(parseNumber(target.value));
      }}
    />
  );
}

/** No key of an option looks like this, and Radix does not allow an empty value. */
const none = '-';
const empty: SelectOption = { value: none, label: t('app.fields.no_value') };
const yesNo = [
  { value: 'true', label: t('app.fields.yes') },
  { value: 'false', label: t('app.fields.no') },
];

type OneOfProps = ControlProps & { options: readonly SelectOption[]; chosen: string | undefined; onPick: (value: string | null) => void };
const OneOf = ({ control, look = 'field', placeholder = empty.label, options, chosen = '', onPick }: OneOfProps) => (
  <Select
    {...control}
    look={look}
    placeholder={placeholder}
    value={chosen}
    options={[empty, ...options]}
    onChange={(next) => onPick(next === none ? null : next)}
  />
);

function Choice(props: ControlProps) {
  const { field, value, onChange } = props;
  const isMultiple = field.type === 'choices';
  const chosen = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  const options = optionsWithRemoved(field, chosen);
  // A list that is changed loses its removed options, because the server would refuse it.
  const isOption = (each: string) => field.options.some((option) => option.value === each);
  if (isMultiple || options.length > searchesAbove)
    return (
      <OptionPicker
        {...props}
        {...{ options, isMultiple }}
        value={chosen}
        onChange={(values) => onChange(isMultiple ? storedFieldValue(values.filter(isOption)) : (values[0] ?? null))}
      />
    );
  return <OneOf {...props} options={options} chosen={chosen[0]} onPick={onChange} />;
}

/** The control alone. `look` and `placeholder` are for those that choose. */
export function FieldControlInput(props: ControlProps) {
  const { field, value, onChange, control } = props;
  const text = {
    ...control,
    dir: 'auto' as const,
    autoComplete: 'off',
    value: typeof value === 'string' ? value : '',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value || null),
  };
  switch (field.type) {
    case 'text':
      return <Input {...text} maxLength={customFieldLimits.text} />;
    case 'long_text':
      return <Textarea {...text} rows={3} maxLength={customFieldLimits.longText} className="max-h-[40vh]" />;
    case 'number':
      return <NumberInput {...props} />;
    case 'date':
      return <Input {...text} dir={undefined} type="date" max="9999-12-31" />;
    case 'yes_no':
      return (
        <OneOf
          {...props}
          options={yesNo}
          chosen={typeof value === 'boolean' ? String(value) : undefined}
          onPick={(next) => onChange(next === null ? null : next === 'true')}
        />
      );
    case 'choice':
    case 'choices':
      return <Choice {...props} />;
  }
}

/** The control for a value of a custom field, with its label, hint and problem. */
export function FieldInput(props: FieldInputProps) {
  const { field, value = null, onChange, label = field.label, hint = field.hint, hideLabel, required, optional, problem } = props;
  const [isLeft, setIsLeft] = useState(false);
  const error = problem ?? (isLeft ? fieldInputProblem(field, value) : undefined);
  return (
    <div onBlur={() => setIsLeft(true)}>
      <Field
        label={label}
        hint={hint}
        error={error}
        {...(hideLabel ? { hideLabel } : {})}
        {...(required ? { required } : {})}
        {...(optional ? { optional } : {})}
      >
        {(control) => <FieldControlInput {...{ field, value, onChange, control, label }} />}
      </Field>
    </div>
  );
}
