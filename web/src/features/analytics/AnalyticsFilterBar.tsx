import type { Analytics } from '@tandem/contracts';
import { channelLabels, ticketChannels } from '@tandem/contracts/values';
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useListMembersQuery } from '../../app/api';
import { formerMember, memberOptions } from '../../lib/member-options';
import type { CohortFilters } from '../../lib/metric-links';
import { nameOf } from '../../lib/names';
import { t } from '../../lib/staff-texts';
import { priorityOptions } from '../../lib/ticket-badges';
import { Button } from '../../ui/Button';
import { Select, type SelectOption } from '../../ui/Select';
import { isFiltered, type AnalyticsView } from './analytics-view';
import { RangePicker } from './RangePicker';

const channelOptions = ticketChannels.map((value) => ({ value, label: channelLabels[value] }));

/** All names that this page has shown: once a filter is set, the figures contain only the chosen name. */
function useSeen(names: (string | null)[] | undefined, chosen: string | undefined): SelectOption[] {
  const [seen, setSeen] = useState<string[]>([]);
  const fresh = [...(names ?? []), chosen ?? null].filter((name): name is string => name !== null && !seen.includes(name));
  if (fresh.length > 0) setSeen([...seen, ...new Set(fresh)]);
  return [...seen].sort((one, other) => one.localeCompare(other)).map((value) => ({ value, label: value }));
}

const personMark = <UserRoundX className="size-3.5 text-muted" aria-hidden />;

/** The members, and the chosen assignee if they are no longer a member: links outlive memberships. */
function useAssignees(chosen: string | undefined, team: Analytics['team'] | undefined): SelectOption[] {
  const { data: members } = useListMembersQuery();
  const options = [{ value: 'unassigned', label: t('analytics.unassigned'), mark: personMark }, ...memberOptions(members ?? [])];
  if (!members || chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  const former = team?.find(({ user_id }) => user_id === chosen);
  return [...options, { value: chosen, label: nameOf(former, formerMember), mark: personMark }];
}

/** The value of 'all', which cannot be a category or tag. */
const all = ' ';

interface AnalyticsFilterBarProps {
  view: AnalyticsView;
  onChange: (view: AnalyticsView) => void;
  analytics: Analytics | undefined;
}

/** The range and the filters, stored in the URL. */
export function AnalyticsFilterBar({ view, onChange, analytics }: AnalyticsFilterBarProps) {
  const { range, filters } = view;
  const categories = useSeen(
    analytics?.by_category.items.map(({ key }) => key),
    filters.category,
  );
  const tags = useSeen(
    analytics?.by_tag.items.map(({ key }) => key),
    filters.tag,
  );
  const assignees = useAssignees(filters.assignee, analytics?.team);
  const set = (name: keyof CohortFilters, value: string) => {
    const { [name]: _, ...others } = filters;
    onChange({ range, filters: value === all ? others : { ...others, [name]: value } });
  };
  const choice = (name: keyof CohortFilters, label: string, allLabel: string, options: readonly SelectOption[]) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? all}
      active={filters[name] !== undefined}
      options={[{ value: all, label: allLabel, short: label }, ...options]}
      onChange={(value) => set(name, value)}
      className="max-w-44"
    />
  );
  return (
    <div
      role="group"
      aria-label={t('analytics.range_and_filters')}
      className="sticky top-0 z-20 flex min-h-11 flex-wrap items-center gap-1.5 border-b bg-surface px-6 py-1.5 max-md:static max-md:px-4 print:hidden"
    >
      <RangePicker range={range} shown={analytics?.period} onChange={(next) => onChange({ range: next, filters })} />
      {choice('priority', t('analytics.priority'), t('analytics.all_priorities'), priorityOptions)}
      {choice('channel', t('analytics.channel'), t('analytics.all_channels'), channelOptions)}
      {choice('category', t('analytics.category'), t('analytics.all_categories'), categories)}
      {choice('assignee', t('analytics.assignee'), t('analytics.all_assignees'), assignees)}
      {choice('tag', t('analytics.tag'), t('analytics.all_tags'), tags)}
      {isFiltered(view) && (
        <Button variant="ghost" size="sm" onClick={() => onChange({ range, filters: {} })}>
          {t('analytics.clear_filters')}
        </Button>
      )}
    </div>
  );
}
