import type { LucideIcon } from 'lucide-react';
import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react';

export type MenuEntry =
  | { label: string; icon?: LucideIcon; onSelect: () => void; /** One of several choices: on or off. */ checked?: boolean }
  | { heading: ReactNode }
  | 'separator';

interface TriggerProps {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?: () => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
}
export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<TriggerProps>;
  entries: MenuEntry[];
  className?: string;
}

const load = () => import('./MenuPopup');
const preload = () => void load();
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })));

/** A button with a menu. Until somebody points at it there is only the button: the menu's code is not part of the first screen. */
export function Menu({ trigger, entries, className }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup trigger={trigger} entries={entries} className={className} />
    </Suspense>
  );
}
