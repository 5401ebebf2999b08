import { t } from '../../lib/staff-texts';
import { SelectFace, selectClasses, type SelectOption, type SelectProps } from '../../ui/SelectFace';

/** Shorter lists need no search. */
export const searchesAbove = 8;

export interface OptionPickerProps {
  control: {
    id?: string | undefined;
    'aria-invalid'?: boolean | undefined;
    'aria-describedby'?: string | undefined;
  };
  /** Names the list. The label of the control is connected by its id. */
  label: string;
  options: readonly SelectOption[];
  value: readonly string[];
  /** Whether several options can be chosen: then the list stays open. */
  isMultiple: boolean;
  onChange: (value: string[]) => void;
  onClosed?: (() => void) | undefined;
  look?: Extract<SelectProps['look'], 'field' | 'quiet'>;
  placeholder?: string | undefined;
}

/** The closed control: its classes and its content. */
export function pickerFace({ options, value, look = 'field', placeholder }: OptionPickerProps) {
  const labels = options.filter((option) => value.includes(option.value)).map(({ label }) => label);
  const face = {
    look,
    value: 'chosen',
    options: labels.length > 0 ? [{ value: 'chosen', label: labels.join(', ') }] : [],
    placeholder: placeholder ?? t('app.fields.no_value'),
    onChange: () => undefined,
  };
  return { className: selectClasses(face), children: <SelectFace {...face} /> };
}
