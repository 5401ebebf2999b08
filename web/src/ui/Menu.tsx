import type { LucideIcon } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { LazyPopup, type LazyPopupTrigger } from './LazyPopup';

export type MenuEntry =
  | { label: string; icon?: LucideIcon; onSelect: () => void; /** One of several choices: whether it is set. */ checked?: boolean }
  | { heading: ReactNode }
  | 'separator';

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: LazyPopupTrigger;
  entries: MenuEntry[];
  className?: string;
}

const load = () => import('./MenuPopup');
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })));

/** A button with a menu. The menu's code is not part of the first screen: it is loaded when the user points at the button. */
export function Menu({ trigger, entries, className }: MenuProps) {
  return (
    <LazyPopup trigger={trigger} opens="menu" load={load}>
      <MenuPopup trigger={trigger} entries={entries} className={className} />
    </LazyPopup>
  );
}
