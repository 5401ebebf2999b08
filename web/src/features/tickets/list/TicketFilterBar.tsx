import type { ListPreferences, Pagination } from '@tandem/contracts';
import type { ListDensity } from '@tandem/contracts/values';
import { ArrowDownWideNarrow, Rows2, Rows4, UserRound, UserRoundX, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { cn } from '../../../lib/cn';
import { memberOptions } from '../../../lib/member-options';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Button } from '../../../ui/Button';
import { MultiSelect } from '../../../ui/MultiSelect';
import { Select, type SelectOption } from '../../../ui/Select';
import { FilterChips } from './FilterChips';
import { ListLayout } from './ListLayout';
import { ListMenu } from './ListMenu';
import type { ChoosePreferences } from './list-preferences';
import { MoreFilters } from './MoreFilters';
import { isFiltered } from './ticket-filters';
import { useSortOptions } from './use-sort-options';
import { useFilters } from './use-filters';

/** Requests the members only when their names are needed, so that the list opens without that request. */
function useAssigneeOptions(isNeeded: boolean, short?: string): SelectOption[] {
  const { data: members = [] } = useListMembersQuery(undefined, { skip: !isNeeded });
  return [
    { value: 'all', label: t('tickets.list.all_assignees'), ...(short ? { short } : {}) },
    { value: 'me', label: t('tickets.list.assigned_to_me'), mark: <UserRound className="size-3.5 text-muted" aria-hidden /> },
    { value: 'unassigned', label: t('tickets.list.unassigned'), mark: <UserRoundX className="size-3.5 text-muted" aria-hidden /> },
    ...memberOptions(members),
  ];
}

/** The number of tickets, exact up to 10,000. */
function Total({ pagination, narrow }: { pagination: Pagination | undefined; narrow: boolean }) {
  const { total, total_is_capped: isCapped } = pagination ?? {};
  return (
    <p aria-live="polite" className={cn('tabular pl-1 text-xs whitespace-nowrap text-muted', narrow && 'sr-only')}>
      {total !== undefined && (isCapped ? t('tickets.list.total_at_least', { total }) : t('tickets.list.total', { total }))}
    </p>
  );
}

function CommonFilters({ narrow, isBesideTicket }: { narrow: boolean; isBesideTicket: boolean }) {
  const { filters, set } = useFilters();
  const [isChoosing, setIsChoosing] = useState(false);
  const namesMember = filters.assignee !== undefined && filters.assignee !== 'me' && filters.assignee !== 'unassigned';
  const assignees = useAssigneeOptions(isChoosing || namesMember, narrow ? t('tickets.list.assignee') : undefined);
  // Next to a ticket, the three fit into one line only without their arrows.
  const width = isBesideTicket ? 'max-w-36 flex-auto [&>svg]:hidden' : narrow ? 'min-w-0 max-w-36 flex-1' : 'max-w-44';
  return (
    <>
      <MultiSelect
        label={t('tickets.list.status')}
        all={t('tickets.list.all_statuses')}
        {...(narrow ? { short: t('tickets.list.status'), countsOnly: true } : {})}
        value={filters.status ?? []}
        options={statusOptions}
        onChange={(value) => set('status', value)}
        className={width}
      />
      <MultiSelect
        label={t('tickets.list.priority')}
        all={t('tickets.list.all_priorities')}
        {...(narrow ? { short: t('tickets.list.priority'), countsOnly: true } : {})}
        value={filters.priority ?? []}
        options={priorityOptions}
        onChange={(value) => set('priority', value)}
        className={width}
      />
      <Select
        look="filter"
        label={t('tickets.list.assignee')}
        value={filters.assignee ?? 'all'}
        active={filters.assignee !== undefined}
        options={assignees}
        onOpenChange={(isOpen) => isOpen && setIsChoosing(true)}
        onChange={(value) => set('assignee', value)}
        className={width}
      />
    </>
  );
}

const densities = [
  { value: 'comfortable', label: t('tickets.list.comfortable_rows'), icon: Rows2 },
  { value: 'compact', label: t('tickets.list.compact_rows'), icon: Rows4 },
] as const;

function DensitySwitch({ density, onChange }: { density: ListDensity; onChange: (density: ListDensity) => void }) {
  return (
    <div role="group" aria-label={t('tickets.list.row_height')} className="flex rounded-md border border-line-strong bg-surface p-px">
      {densities.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          aria-label={label}
          title={t('tickets.list.label_v', { label })}
          aria-pressed={density === value}
          onClick={() => onChange(value)}
          className={cn(
            'grid h-6 w-7 place-items-center rounded-sm touch:h-8 touch:w-9',
            density === value ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <Icon className="size-3.5" aria-hidden />
        </button>
      ))}
    </div>
  );
}

interface TicketFilterBarProps {
  pagination: Pagination | undefined;
  narrow: boolean;
  isBesideTicket: boolean;
  preferences: ListPreferences;
  onChoose: ChoosePreferences;
  /** The view menu, when there is no column for the views. */
  views: ReactNode;
}

/** The most common filters, with the others behind one button. Filters set there appear as chips below. */
export function TicketFilterBar({ pagination, narrow, isBesideTicket, preferences, onChoose, views }: TicketFilterBarProps) {
  const { filters, set, clear } = useFilters();
  const sorts = useSortOptions(filters.sort);
  return (
    <>
      <div
        role="group"
        aria-label={t('tickets.list.filters')}
        className={cn(
          'flex min-h-11 shrink-0 items-center gap-1.5 border-b px-4 py-1.5 max-md:px-3',
          narrow && !isBesideTicket && 'flex-wrap',
        )}
      >
        {views && <span className={cn('flex min-w-0', narrow && (isBesideTicket ? 'shrink-0' : 'basis-full'))}>{views}</span>}
        <CommonFilters narrow={narrow} isBesideTicket={isBesideTicket} />
        <MoreFilters narrow={narrow} />
        {narrow && !isBesideTicket && <ListLayout narrow preferences={preferences} onChoose={onChoose} />}
        {narrow && !isBesideTicket && <ListMenu />}
        {isFiltered(filters) && (
          <Button variant="ghost" size={narrow ? 'icon-sm' : 'sm'} aria-label={t('tickets.list.clear_filters')} onClick={clear}>
            {narrow ? <X aria-hidden /> : t('tickets.list.clear')}
          </Button>
        )}
        <div className={cn('ml-auto flex shrink-0 items-center gap-2', narrow && 'hidden')}>
          <Total pagination={pagination} narrow={narrow} />
          <Select
            look="filter"
            label={t('tickets.list.sort')}
            value={filters.sort ?? 'newest'}
            onOpenChange={sorts.onOpenChange}
            options={sorts.options.map((option) => ({
              ...option,
              mark: <ArrowDownWideNarrow className="size-3.5 text-muted" aria-hidden />,
            }))}
            onChange={(value) => set('sort', value === 'newest' ? undefined : value)}
          />
          <ListLayout preferences={preferences} onChoose={onChoose} />
          <DensitySwitch density={preferences.density} onChange={(density) => onChoose({ density })} />
          {!narrow && <ListMenu />}
        </div>
        {narrow && <Total pagination={pagination} narrow />}
      </div>
      <FilterChips />
    </>
  );
}
