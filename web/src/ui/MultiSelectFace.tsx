import { ChevronDown } from 'lucide-react';
import { selectClasses, type SelectOption, type SelectProps } from './SelectFace';

export interface MultiSelectProps {
  /** Accessible name. */
  label: string;
  /** Label while nothing is selected, and of the option that clears the selection. */
  all: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  options: readonly SelectOption[];
  /** Shorter form of `all` for the closed control, where space is limited. */
  short?: string;
  /** The closed control shows the number of several values after its own label, instead of theirs. */
  countsOnly?: boolean;
  /** `filter` highlights a selection. */
  look?: Extract<SelectProps['look'], 'field' | 'filter'>;
  className?: string;
}

/** Content of the closed control: as many labels of the selected values as fit. */
export function MultiSelectFace({ value, options, label, all, short, countsOnly }: MultiSelectProps) {
  const chosen = options.filter((option) => value.includes(option.value));
  const labels = chosen.map(({ label }) => label);
  const text = labels.length === 0 ? (short ?? all) : labels.length > 1 && countsOnly ? label : labels.join(', ');
  return (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-2">
        {chosen.length === 1 && chosen[0]?.mark}
        <span className="truncate">{text}</span>
        {chosen.length > 1 && <span className="tabular rounded-xs bg-accent px-1 text-2xs text-accent-ink">{chosen.length}</span>}
      </span>
      <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </>
  );
}

export const multiSelectClasses = ({ value, look = 'filter', className }: MultiSelectProps): string =>
  selectClasses({
    look,
    active: look === 'filter' && value.length > 0,
    ...(className ? { className } : {}),
    value: '',
    options: [],
    onChange: () => undefined,
  });
