import { lazy, Suspense, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { returnFocus } from '../lib/return-focus';
import { SelectFace, selectClasses, type SelectProps } from './SelectFace';

export type { SelectOption } from './SelectFace';

const load = () => import('./SelectPopup');
const preload = () => void load();
const SelectPopup = lazy(() => load().then((module) => ({ default: module.SelectPopup })));
const opensIt = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/**
 * Where the focus goes when the list closes: to the control if the user opened it there, otherwise (a shortcut) back to the element that
 * had the focus before.
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

/** Single choice. Only the closed control is rendered until the user opens it: the list's code is not part of the first screen. */
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
      // While the list loads, shortcuts are off (keyboard.ts): otherwise it would open on top of their result.
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
