import type { ListPreferences, SaveListPreferences } from '@tandem/contracts';
import { listColumns, listDensities, listGroups, type ListColumn } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { storage } from '../../../lib/storage';
import { oneOf, several } from './filter-parsers';
import { useCountViewsQuery, useSaveListPreferencesMutation } from './views.api';

/** The columns of users who have not chosen. */
export const defaultColumns: readonly ListColumn[] = ['status', 'priority', 'customer', 'due', 'assignee', 'flags', 'created', 'comments'];

const storageKey = 'list-preferences';

/** The last known choice, so that the list does not change its rows when the server's answer arrives. */
function remembered(): ListPreferences {
  const params = new URLSearchParams(storage.get(storageKey) ?? '');
  const columns = params.get('columns');
  return {
    density: oneOf(listDensities, params.get('density')) ?? 'comfortable',
    group_by: oneOf(listGroups, params.get('group_by')) ?? null,
    columns: columns === null ? null : several(columns).flatMap((name) => oneOf(listColumns, name) ?? []),
  };
}
const textOf = ({ density, group_by, columns }: ListPreferences): string =>
  new URLSearchParams({ density, ...(group_by && { group_by }), ...(columns && { columns: columns.join() }) }).toString();

const preferences = createExternalStore<ListPreferences>(remembered);

function show(chosen: ListPreferences): void {
  const text = textOf(chosen);
  if (text === textOf(preferences.get())) return;
  storage.set(storageKey, text);
  preferences.set(chosen);
}

/** The columns of a row after number and subject, in the user's order. */
export const useColumns = (): readonly ListColumn[] => preferences.use(({ columns }) => columns) ?? defaultColumns;

export type ChoosePreferences = (chosen: SaveListPreferences) => void;

/** How the user's lists look. The server stores it, for all devices, and sends it with the counts of the views. */
export function useListPreferences(): { preferences: ListPreferences; choose: ChoosePreferences } {
  const { data } = useCountViewsQuery();
  const [save] = useSaveListPreferencesMutation();
  useEffect(() => {
    if (data?.density) show({ density: data.density, group_by: data.group_by, columns: data.columns });
  }, [data]);
  const choose = (chosen: SaveListPreferences) => {
    show({ ...preferences.get(), ...chosen });
    void save(chosen);
  };
  return { preferences: preferences.use(), choose };
}
