import type { LucideIcon } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { OnDemand, type OnDemandTrigger } from './OnDemand';

export type MenuEntry =
  | { label: string; icon?: LucideIcon; onSelect: () => void; /** One of several choices: on or off. */ checked?: boolean }
  | { heading: ReactNode }
  | 'separator';

export interface MenuProps {
  /** The button that opens it. */
  trigger: OnDemandTrigger;
  entries: MenuEntry[];
  className?: string;
}

const load = () => import('./MenuPopup');
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })));

/** A button with a menu. Until somebody points at it there is only the button: the menu's code is not part of the first screen. */
export function Menu({ trigger, entries, className }: MenuProps) {
  return (
    <OnDemand trigger={trigger} opens="menu" load={load}>
      <MenuPopup trigger={trigger} entries={entries} className={className} />
    </OnDemand>
  );
}
