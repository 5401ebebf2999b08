import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to the element that had it before an overlay opened. Radix returns it only to the overlay's own trigger, and an
 * overlay that a shortcut opened has none. Pass the result as `onCloseAutoFocus`.
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) before.current = lasting(document.activeElement);
  }, [isOpen]);
  return useCallback((event: Event) => returnFocus(event, before.current), []);
}

/** An item of a menu no longer exists when the overlay closes: the menu's trigger, which names the menu, stands in for it. */
function lasting(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return trigger ? document.getElementById(trigger) : focused;
}

export function returnFocus(event: Event, to: Element | null): void {
  // Without a target Radix focuses the trigger.
  if (!to?.isConnected) return;
  event.preventDefault();
  // Radix calls this after a timeout. In the meantime the user may have moved the focus with another shortcut.
  if (document.activeElement === document.body && to instanceof HTMLElement && to !== document.body) to.focus({ preventScroll: true });
}
