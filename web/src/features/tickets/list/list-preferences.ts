import type { ListPreferences, SaveListPreferences } from '@tandem/contracts';
import { listColumns, listDensities, listGroups, type ListColumn } from '@tandem/contracts/values';
import { useEffect, useRef } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { isProblem } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
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
  // Choices made during a request, which are saved after it: of two concurrent requests, the earlier one could be stored last.
  const waiting = useRef<SaveListPreferences>(undefined);
  const saveInTurn = async (chosen: SaveListPreferences) => {
    if (waiting.current) {
      waiting.current = { ...waiting.current, ...chosen };
      return;
    }
    let next = chosen;
    while (Object.keys(next).length > 0) {
      waiting.current = {};
      const { error } = await save(next);
      if (error) {
        // Otherwise the end of the session has aborted the request.
        if (isProblem(error)) notify.problem(error, t('tickets.list.couldnt_save_your_list_settings'));
        break;
      }
      next = waiting.current;
    }
    waiting.current = undefined;
  };
  useEffect(() => {
    // While a choice is being saved, the server may still send the previous one.
    if (data?.density && !waiting.current) show({ density: data.density, group_by: data.group_by, columns: data.columns });
  }, [data]);
  const choose = (chosen: SaveListPreferences) => {
    show({ ...preferences.get(), ...chosen });
    void saveInTurn(chosen);
  };
  return { preferences: preferences.use(), choose };
}
