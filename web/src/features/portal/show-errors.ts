import { flushSync } from 'react-dom';

/** Shows errors and focuses the first invalid control. */
export function showErrors(form: HTMLFormElement | null, set: () => void): void {
  flushSync(set);
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  // A fieldset cannot be focused: focus its first input.
  (wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong)?.focus();
}
