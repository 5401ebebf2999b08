import { taskFilterLabels } from '@tandem/contracts/values';
import { lazy, Suspense } from 'react';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { rangeText } from './created-range';
import { FilterChip } from './FilterChip';
import { figureChips } from './figure-chips';
import { chipNames, type TicketFilters } from './ticket-filters';
import { useFilters } from './use-filters';
import { isBuiltIn } from './views.api';

const ConditionChips = lazy(() => import('./ConditionChips').then((module) => ({ default: module.ConditionChips })));

type Change = Parameters<ReturnType<typeof useFilters>['change']>[0];
interface Chip {
  name: string;
  value: string;
  without: Change;
}
type ChipName = keyof typeof chipNames;

const valueLabels: Partial<Record<ChipName, Record<string, string>>> = {
  task: taskFilterLabels,
  snoozed: { true: t('tickets.list.only'), false: t('tickets.list.hidden') },
};

/** A filter with several values has a chip for each. */
function popupChips(filters: TicketFilters, timeZone: string): Chip[] {
  const range = filters.created_from ?? filters.created_to;
  return (Object.keys(chipNames) as ChipName[]).flatMap((filter): Chip[] => {
    const name = chipNames[filter];
    if (filter === 'created_from')
      return range ? [{ name, value: rangeText(filters, timeZone), without: { created_from: undefined, created_to: undefined } }] : [];
    const value = filters[filter];
    if (Array.isArray(value))
      return value.map((one) => ({ name, value: one, without: { [filter]: value.filter((each) => each !== one) } }));
    return value ? [{ name, value: valueLabels[filter]?.[value] ?? value, without: { [filter]: undefined } }] : [];
  });
}

/**
 * The filters set in the popup or by the analytics page, each with a button that removes it. Hidden for a built-in view, whose name
 * describes its filters.
 */
export function FilterChips() {
  const { filters, change } = useFilters();
  const timeZone = useSession().organization?.time_zone ?? 'UTC';
  const chips = isBuiltIn(filters) ? [] : [...popupChips(filters, timeZone), ...figureChips(filters, timeZone)];
  if (chips.length === 0 && filters.condition === undefined) return null;
  return (
    <ul aria-label={t('tickets.list.active_filters')} className="flex shrink-0 flex-wrap gap-1.5 border-b px-4 py-1.5 max-md:px-3">
      {chips.map(({ name, value, without }) => (
        <FilterChip
          key={`${name} ${value}`}
          removeLabel={t('tickets.list.remove_filter_name_value', { name, value })}
          onRemove={() => change(without)}
        >
          <span>{name}:</span> <span className="font-medium">{value}</span>
        </FilterChip>
      ))}
      {filters.condition !== undefined && (
        <Suspense fallback={null}>
          <ConditionChips text={filters.condition} onChange={(condition) => change({ condition })} />
        </Suspense>
      )}
    </ul>
  );
}
