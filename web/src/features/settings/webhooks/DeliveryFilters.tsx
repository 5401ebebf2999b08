import { Button } from '../../../ui/Button';
import { Select, type SelectOption } from '../../../ui/Select';
import { eventOptions, periods, stateOptions } from './delivery-labels';
import type { DeliveryQuery } from './deliveries.api';

export interface Filters {
  state?: NonNullable<DeliveryQuery['state']>;
  event?: NonNullable<DeliveryQuery['event']>;
  period?: (typeof periods)[number]['value'];
}

const all = (label: string): SelectOption => ({ value: 'all', label });

/** The deliveries can be filtered by state, event and time. */
export function DeliveryFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const choice = (name: keyof Filters, label: string, options: readonly SelectOption[]) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? 'all'}
      active={filters[name] !== undefined}
      options={options}
      onChange={(value) => {
        const { [name]: _, ...others } = filters;
        onChange(value === 'all' ? others : { ...others, [name]: value });
      }}
      className="max-w-48"
    />
  );
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {choice('state', 'State', [all('All states'), ...stateOptions])}
      {choice('event', 'Event', [all('All events'), ...eventOptions])}
      {choice('period', 'Time', [all('Last 30 days'), ...periods])}
      {Object.keys(filters).length > 0 && (
        <Button variant="ghost" size="sm" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}
