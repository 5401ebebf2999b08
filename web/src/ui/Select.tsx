import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { cn } from '../lib/cn';
import { returnFocus } from '../lib/return-focus';

export interface SelectOption {
  value: string;
  label: string;
  /** What the closed control says where there is little room. */
  short?: string;
  /** A dot, an icon, an avatar before the label. */
  mark?: ReactNode;
}

export interface SelectProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption[];
  /** Its accessible name, where no visible label points at it. */
  label?: string;
  id?: string;
  placeholder?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  disabled?: boolean;
  /** `quiet`: no frame until it is pointed at, for the fields of a side panel. */
  look?: 'field' | 'quiet' | 'filter';
  /** A filter that is set stands out. */
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

/** What the closed control shows. */
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

const load = () => import('./SelectPopup');
const preload = () => void load();
const SelectPopup = lazy(() => load().then((module) => ({ default: module.SelectPopup })));
const opensIt = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/**
 * Where the focus goes when the list closes: to the control if it was opened there, otherwise (a shortcut) back to the element that had the
 * focus before.
 */
function useFocusAfter(open: boolean | undefined) {
  const isOwn = useRef(false);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open && !isOwn.current) before.current = document.activeElement;
    if (!open) isOwn.current = false;
  }, [open]);
  return {
    openedHere: () => {
      isOwn.current = true;
      before.current = null;
    },
    onCloseAutoFocus: useCallback((event: Event) => returnFocus(event, before.current), []),
  };
}

/** One of several. Until somebody wants to choose there is only the closed control: the choices' code is not part of the first screen. */
export function Select(props: SelectProps) {
  const {
    label,
    open,
    onOpenChange,
    disabled,
    id,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
    'aria-required': required,
  } = props;
  const [wanted, setWanted] = useState(false);
  const { openedHere, onCloseAutoFocus } = useFocusAfter(open);
  if (open && !wanted) setWanted(true);
  const want = () => {
    openedHere();
    setWanted(true);
    onOpenChange?.(true);
  };
  const changeOpen = (isOpen: boolean) => {
    if (isOpen) openedHere();
    onOpenChange?.(isOpen);
  };
  const closed = (
    <button
      type="button"
      // While the choices load, shortcuts are off: the list would open over whatever they do (keyboard.ts).
      aria-busy={wanted}
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-required={required}
      id={id}
      disabled={disabled}
      className={selectClasses(props)}
      onClick={want}
      onKeyDown={(event) => {
        if (!opensIt.has(event.key)) return;
        event.preventDefault();
        want();
      }}
      onPointerEnter={preload}
      onFocus={preload}
    >
      <SelectFace {...props} />
    </button>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <SelectPopup {...props} onOpenChange={changeOpen} onCloseAutoFocus={onCloseAutoFocus} />
    </Suspense>
  );
}
