import { lazy, Suspense, useState } from 'react';
import { pickerFace, type OptionPickerProps } from './option-picker-face';

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
