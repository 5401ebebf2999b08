import { cloneElement, Suspense, useState, type ReactElement, type ReactNode } from 'react';

interface TriggerProps {
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  onClick?: () => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
}

export type LazyPopupTrigger = ReactElement<TriggerProps>;

interface OnDemandProps {
  trigger: LazyPopupTrigger;
  opens: 'menu' | 'dialog';
  /** Loads the popup's code: called when the user points at the trigger. */
  load: () => Promise<unknown>;
  /** The popup, a lazy component that renders the trigger itself. */
  children: ReactNode;
}

/** A button whose popup's code is not part of the first screen: only the button is rendered until the user points at it. */
export function LazyPopup({ trigger, opens, load, children }: OnDemandProps) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void load();
  const closed = cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  return wanted ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}
