import type { KeyboardEvent, SelectHTMLAttributes } from 'react';

/** Some browsers send the keys that belong to the open list to the select as well. */
const isOpen = (select: HTMLSelectElement) =>
  (CSS as Partial<typeof CSS>).supports?.('selector(:open)') === true && select.matches(':open');

/** Opens the list instead of letting a letter choose an option. Space opens it in every browser; the names of other keys are longer. */
function openByLetter(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select } = event;
  if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey || isOpen(select)) return;
  event.preventDefault();
  // Missing in Safari: there the letter does nothing.
  (select as Partial<HTMLSelectElement>).showPicker?.();
}

/**
 * The browser's own select, for pages that customers open: phones show their own list, and it needs no code. A letter typed on it while it
 * is closed never changes its value.
 */
export function NativeSelect(props: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onKeyDown'>) {
  return <select {...props} onKeyDown={openByLetter} />;
}
