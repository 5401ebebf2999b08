import { lazy, Suspense, useState } from 'react';
import { MultiSelectFace, multiSelectClasses, type MultiSelectProps } from './MultiSelectFace';

const load = () => import('./MultiSelectPopup');
const preload = () => void load();
const MultiSelectPopup = lazy(() => load().then((module) => ({ default: module.MultiSelectPopup })));
const opensIt = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/** Multiple choice. As with Select, the list's code is loaded when the user opens the control. */
export function MultiSelect(props: MultiSelectProps) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-label={props.label}
      className={multiSelectClasses(props)}
      onClick={() => setWanted(true)}
      onKeyDown={(event) => {
        if (!opensIt.has(event.key)) return;
        event.preventDefault();
        setWanted(true);
      }}
      onPointerEnter={preload}
      onFocus={preload}
    >
      <MultiSelectFace {...props} />
    </button>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MultiSelectPopup {...props} />
    </Suspense>
  );
}
