import { ListFilter } from 'lucide-react';
import { lazy } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { LazyPopup } from '../../../ui/LazyPopup';

const load = () => import('./MoreFiltersPopup');
const MoreFiltersPopup = lazy(() => load().then((module) => ({ default: module.MoreFiltersPopup })));

/** The button for less common filters. Their code loads when they are opened. */
export function MoreFilters({ narrow }: { narrow: boolean }) {
  const button = (
    <Button size={narrow ? 'icon-sm' : 'sm'} aria-label={t('tickets.list.more_filters')}>
      <ListFilter aria-hidden />
      {!narrow && t('tickets.list.filters')}
    </Button>
  );
  return (
    <LazyPopup trigger={button} opens="dialog" load={load}>
      <MoreFiltersPopup narrow={narrow} trigger={button} />
    </LazyPopup>
  );
}
