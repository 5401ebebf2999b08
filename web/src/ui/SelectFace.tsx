import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

export interface SelectOption {
  value: string;
  label: string;
  /** Shorter label for the closed control, where space is limited. */
  short?: string;
  /** A dot, icon or avatar before the label. */
  mark?: ReactNode;
  /** The heading above this option and its neighbors of the same group. */
  group?: string;
}

export interface SelectProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption[];
  /** Accessible name, if no visible label refers to the control. */
  label?: string;
  id?: string;
  placeholder?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  disabled?: boolean;
  /** `quiet`: no border until hovered, for the fields of a side panel. */
  look?: 'field' | 'quiet' | 'filter';
  /** Highlights a filter that is set. */
  active?: boolean;
  className?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
}

const looks = {
  field: 'h-8 w-full border-control/60 bg-surface px-2.5 hover:border-control touch:h-10',
  quiet: 'h-8 w-full border-transparent px-2 hover:bg-hover data-[state=open]:bg-hover touch:h-10',
  filter: 'h-7 border-line-strong bg-surface px-2 text-xs hover:bg-hover touch:h-9',
};

export const selectClasses = ({ look = 'field', active, className }: SelectProps): string =>
  cn(
    'flex min-w-0 items-center gap-2 rounded-md border text-left transition-colors disabled:opacity-60',
    looks[look],
    active && 'border-accent-line bg-accent-soft text-accent-text',
    className,
  );

/** Content of the closed control. */
export function SelectFace({ value, options, placeholder }: SelectProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-2">
        {chosen?.mark}
        <span className={cn('truncate', !chosen && 'text-faint')}>{chosen ? (chosen.short ?? chosen.label) : placeholder}</span>
      </span>
      <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </>
  );
}
