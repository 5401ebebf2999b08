import type { SaveListPreferences, View, ViewFilter } from '@tandem/contracts';
import { countViews, createView, deleteView, saveListPreferences, updateView } from '@tandem/contracts/endpoints';
import { taskFilterLabels, type TicketStatus } from '@tandem/contracts/values';
import { api } from '../../../app/api';
import { conditionFromText, conditionText } from '../../../app/conditions/condition-text';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { t } from '../../../lib/staff-texts';
import { figureParsers } from './figure-filters';
import { sameFilters, type TicketFilters } from './ticket-filters';

export interface Counted {
  count: number;
  is_capped: boolean;
}
export type BuiltInView = 'all' | 'open' | 'mine' | 'unassigned' | 'snoozed' | 'finished_task';
interface NewView {
  name: string;
  filter: ViewFilter;
  is_shared: boolean;
}

const stillToDo: TicketStatus[] = ['open', 'in_progress', 'waiting_for_customer'];
/** The views available to everyone. 'Open' counts open and in progress, as the dashboard does. */
export const builtInViews: { key: BuiltInView; name: string; filters: TicketFilters }[] = [
  { key: 'all', name: t('tickets.list.all_tickets'), filters: {} },
  { key: 'open', name: t('tickets.list.open'), filters: { status: ['open', 'in_progress'], snoozed: 'false' } },
  { key: 'mine', name: t('tickets.list.assigned_to_me'), filters: { assignee: 'me', status: stillToDo, snoozed: 'false' } },
  { key: 'unassigned', name: t('tickets.list.unassigned'), filters: { assignee: 'unassigned', status: stillToDo, snoozed: 'false' } },
  { key: 'snoozed', name: t('tickets.list.snoozed'), filters: { snoozed: 'true' } },
  { key: 'finished_task', name: taskFilterLabels.finished, filters: { task: 'finished' } },
];

/** Whether the filters are exactly those of a built-in view, in any order of the tickets. */
export const isBuiltIn = ({ sort: _, ...filters }: TicketFilters): boolean =>
  builtInViews.some((view) => sameFilters(view.filters, filters));

/**
 * The filters that a view stores. Date ranges and single customers are left out, because such a view would soon be empty, and so are the
 * filters behind figures.
 */
export function viewFilterOf({
  customer_email: _,
  created_from: __,
  created_to: ___,
  condition: text,
  ...filter
}: TicketFilters): ViewFilter {
  const stored = Object.entries(filter).filter(([name]) => !(name in figureParsers));
  const condition = text === undefined ? undefined : conditionFromText(text);
  return { ...Object.fromEntries(stored), ...(condition ? { condition } : {}) };
}
/** A view as filters. Empty lists and texts in a view do not filter. */
export const filtersOfView = ({ filter: { condition, ...filter } }: Pick<View, 'filter'>): TicketFilters => ({
  ...Object.fromEntries(Object.entries(filter).filter(([name, value]) => value.length > 0 && !(name === 'sort' && value === 'newest'))),
  ...(condition ? { condition: conditionText(condition) } : {}),
});

export const countText = ({ count, is_capped }: Counted): string => `${count.toLocaleString('en-US')}${is_capped ? '+' : ''}`;

export const viewsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    countViews: build.query({ ...endpoint(() => call(countViews)), providesTags: ['Views', 'ViewCounts'] }),
    createView: build.mutation({
      ...endpoint(({ key, ...body }: NewView & { key: string }) => call(createView, { body, headers: { 'idempotency-key': key } })),
      invalidatesTags: ['Views', 'ViewCounts'],
    }),
    updateView: build.mutation({
      ...endpoint(({ id, ...body }: Partial<NewView> & { id: string }) => call(updateView, { params: { id }, body })),
      invalidatesTags: (_result, _error, { filter }) => (filter ? ['Views', 'ViewCounts'] : ['Views']),
    }),
    saveListPreferences: build.mutation({
      ...endpoint((body: SaveListPreferences) => call(saveListPreferences, { body })),
      onQueryStarted: (chosen, { dispatch }) => {
        dispatch(viewsApi.util.updateQueryData('countViews', undefined, (counts) => void Object.assign(counts, chosen)));
      },
    }),
    deleteView: build.mutation({
      ...endpoint((id: string) => call(deleteView, { params: { id } })),
      invalidatesTags: ['Views'],
    }),
  }),
});

export const { useCountViewsQuery, useCreateViewMutation, useUpdateViewMutation, useDeleteViewMutation, useSaveListPreferencesMutation } =
  viewsApi;
