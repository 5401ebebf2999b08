import { lazy } from 'react';
import { LazyPopup } from './LazyPopup';
import type { MenuPopupProps } from './MenuPopup';

export type { MenuEntry } from './MenuPopup';

const load = () => import('./MenuPopup');
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })));

/** A button with a menu. The menu's code is not part of the first screen: it is loaded when the user points at the button. */
export function Menu({ trigger, entries, className }: MenuPopupProps) {
  return (
    <LazyPopup trigger={trigger} opens="menu" load={load}>
      <MenuPopup trigger={trigger} entries={entries} className={className} />
    </LazyPopup>
  );
}
