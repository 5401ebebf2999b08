import { lazy, Suspense, useState } from 'react';
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

const load = () => import('./OptionPickerPopup');
const preload = () => void load();
const OptionPickerPopup = lazy(() => load().then((module) => ({ default: module.OptionPickerPopup })));
const opensIt = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/** One or several options out of many. As with Select, the list's code is loaded when the user opens the control. */
export function OptionPicker(props: OptionPickerProps) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <button
      type="button"
      aria-busy={wanted}
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      {...props.control}
      {...pickerFace(props)}
      onClick={() => setWanted(true)}
      onKeyDown={(event) => {
        if (!opensIt.has(event.key)) return;
        event.preventDefault();
        setWanted(true);
      }}
      onPointerEnter={preload}
      onFocus={preload}
    />
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OptionPickerPopup {...props} />
    </Suspense>
  );
}
