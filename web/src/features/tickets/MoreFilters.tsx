import { ListFilter } from 'lucide-react';
import { cloneElement, lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/Button';

const load = () => import('./MoreFiltersPopup');
const preload = () => void load();
const MoreFiltersPopup = lazy(() => load().then((module) => ({ default: module.MoreFiltersPopup })));

/** The button of the less frequent filters; they are loaded when somebody wants them. */
export function MoreFilters({ narrow }: { narrow: boolean }) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <Button size={narrow ? 'icon-sm' : 'sm'} aria-label="More filters">
      <ListFilter aria-hidden />
      {!narrow && 'Filters'}
    </Button>
  );
  const closed = cloneElement(button, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MoreFiltersPopup narrow={narrow} trigger={button} />
    </Suspense>
  );
}
