import type { ListPreferences } from '@tandem/contracts';
import { SlidersHorizontal } from 'lucide-react';
import { lazy } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { LazyPopup } from '../../../ui/LazyPopup';
import type { ChoosePreferences } from './list-preferences';

const load = () => import('./ListLayoutPopup');
const ListLayoutPopup = lazy(() => load().then((module) => ({ default: module.ListLayoutPopup })));

interface ListLayoutProps {
  preferences: ListPreferences;
  onChoose: ChoosePreferences;
  /** Narrow rows have no columns. */
  narrow?: boolean;
}

/** The button for groups and columns. Their code loads when they are opened. */
export function ListLayout(props: ListLayoutProps) {
  const name = props.narrow ? t('tickets.list.groups') : t('tickets.list.groups_and_columns');
  const button = (
    <Button size="icon-sm" aria-label={name} title={name} aria-pressed={props.preferences.group_by !== null}>
      <SlidersHorizontal aria-hidden />
    </Button>
  );
  return (
    <LazyPopup trigger={button} opens="dialog" load={load}>
      <ListLayoutPopup {...props} trigger={button} />
    </LazyPopup>
  );
}
