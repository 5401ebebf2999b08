import { flushSync } from 'react-dom';

/** Puts errors on the page and the focus into the first wrong control, so that nobody has to look for it. */
export function showErrors(form: HTMLFormElement | null, set: () => void): void {
  flushSync(set);
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  // A group cannot be focused itself: its first control can.
  (wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong)?.focus();
}
