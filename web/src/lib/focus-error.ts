import { useEffect } from 'react';

/** Focuses the first invalid input of a form when its errors change: in a long dialog it may be out of sight. */
export function useFocusFirstError(formId: string, errors: object): void {
  useEffect(() => {
    if (Object.keys(errors).length > 0) document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [formId, errors]);
}
