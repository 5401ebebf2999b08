import { Search, UserRound, UserRoundX, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { ticketLimits } from '@tandem/contracts/values';
import { useListMembersQuery } from '../../app/api';
import { cn } from '../../lib/cn';
import { nameOf } from '../../lib/names';
import { priorityOptions, statusOptions } from '../../lib/ticket-badges';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Kbd } from '../../ui/Kbd';
import { Select, type SelectOption } from '../../ui/Select';
import { filtersOf, isFiltered, withFilter, type TicketFilters } from './ticket-filters';

/** Long enough to type on, short enough to feel immediate. */
const searchPauseMs = 180;

/** The search box: what is typed goes into the address, and what the address says stands in the box. */
export function TicketSearch({ onSearch, className }: { onSearch: (search: string) => void; className?: string }) {
  const [params] = useSearchParams();
  const inAddress = params.get('search') ?? '';
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const { state, key } = useLocation() as { state: unknown; key: string };
  // Back, a link or 'Clear' changed the address: the box follows, unless the change is what was typed.
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (text.trim() !== inAddress) setText(inAddress);
  }
  useEffect(() => {
    if ((state as { focus?: string } | null)?.focus === 'search') input.current?.focus();
  }, [state, key]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (value: string, pauseMs = searchPauseMs) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), pauseMs);
  };
  return (
    <div role="search" className={cn('relative w-full max-w-md min-w-0', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label="Search tickets"
        placeholder="Search tickets"
        maxLength={ticketLimits.search}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') change('', 0);
          else if (event.key === 'Escape') event.currentTarget.blur();
          else if (event.key === 'Enter') change(text, 0);
        }}
        className="peer h-8 w-full rounded-md border border-transparent bg-hover pr-9 pl-8 hover:border-line-strong focus-visible:border-focus focus-visible:bg-surface focus-visible:outline-1 focus-visible:outline-offset-0 touch:h-10 touch:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' ? (
        <span aria-hidden className="pointer-events-none absolute top-1/2 right-2 flex -translate-y-1/2 peer-focus:hidden touch:hidden">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => change('', 0)}
          className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-md text-muted hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}

const all = (label: string, short?: string): SelectOption => ({ value: 'all', label, ...(short ? { short } : {}) });

function useAssigneeOptions(short?: string): SelectOption[] {
  const { data: members = [] } = useListMembersQuery();
  return [
    all('All assignees', short),
    { value: 'me', label: 'Assigned to me', mark: <UserRound className="size-3.5 text-muted" aria-hidden /> },
    { value: 'unassigned', label: 'Unassigned', mark: <UserRoundX className="size-3.5 text-muted" aria-hidden /> },
    ...members.map((member) => ({ value: member.user_id, label: nameOf(member), mark: <Avatar name={nameOf(member)} size="xs" /> })),
  ];
}

export function TicketFilterBar({ total, isCapped, narrow }: { total: number | undefined; isCapped: boolean; narrow: boolean }) {
  const [params, setParams] = useSearchParams();
  // The state says that a ticket is open beside the list: a filter must not close it.
  const { state } = useLocation() as { state: unknown };
  const filters = filtersOf(params);
  const assignees = useAssigneeOptions(narrow ? 'Assignee' : undefined);
  const set = (name: keyof TicketFilters) => (value: string) => setParams(withFilter(params, name, value), { replace: true, state });
  const filter = (name: 'status' | 'priority' | 'assignee', label: string, options: SelectOption[]) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? 'all'}
      active={filters[name] !== undefined}
      options={options}
      onChange={set(name)}
      className={narrow ? 'max-w-36 flex-1' : 'max-w-44'}
    />
  );
  return (
    <div role="group" aria-label="Filters" className="flex min-h-11 shrink-0 items-center gap-1.5 border-b px-4 py-1.5 max-md:px-3">
      {filter('status', 'Status', [all('All statuses', narrow ? 'Status' : undefined), ...statusOptions])}
      {filter('priority', 'Priority', [all('All priorities', narrow ? 'Priority' : undefined), ...priorityOptions])}
      {filter('assignee', 'Assignee', assignees)}
      {isFiltered(filters) && (
        <Button
          variant="ghost"
          size={narrow ? 'icon-sm' : 'sm'}
          aria-label="Clear filters"
          onClick={() => setParams({}, { replace: true, state })}
        >
          {narrow ? <X aria-hidden /> : 'Clear'}
        </Button>
      )}
      <p aria-live="polite" className={cn('tabular ml-auto pl-2 text-xs whitespace-nowrap text-muted', narrow && 'sr-only')}>
        {total !== undefined && `${total.toLocaleString('en-US')}${isCapped ? '+' : ''} ${total === 1 ? 'ticket' : 'tickets'}`}
      </p>
    </div>
  );
}
