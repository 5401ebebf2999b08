import type { TaskTool, TaskToolChoice } from '@tandem/contracts';
import { useEffect, useState } from 'react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { useListSpacesQuery, useListTaskListsQuery, useListWorkspacesQuery } from './integration.api';

/** Shown if the form is submitted before a list is chosen. */
export const missingSelection = t('integration.select_workspace_space_and_list');

/** Ids of the choices; '' if not chosen. */
export interface ListChoice {
  workspace: string;
  space: string;
  list: string;
}
export type Level = keyof ListChoice;
const nowhere: ListChoice = { workspace: '', space: '', list: '' };

/** Choosing an outer level clears the choices of the inner levels. */
const cleared: Record<Level, Partial<ListChoice>> = { workspace: { space: '', list: '' }, space: { list: '' }, list: {} };

/** Shows a toast for a failed load; the reason is shown at the field. */
function useFailureToast(isError: boolean, sentence: string): void {
  useEffect(() => {
    if (isError) notify.error(sentence);
  }, [isError, sentence]);
}

/** Workspace, then space, then list: each choice loads the next choices. For a tool without spaces, the workspace loads its lists. */
export function useListChoice({ key: provider, levels }: TaskTool) {
  const [choice, setPlace] = useState(nowhere);
  const { workspace, space } = choice;
  const hasSpaces = levels.some(({ key }) => key === 'space');
  const within = hasSpaces ? { space_id: space } : { workspace_id: workspace };
  const workspaces = useListWorkspacesQuery({ provider });
  const spaces = useListSpacesQuery({ provider, workspace_id: workspace }, { skip: !hasSpaces || workspace === '' });
  const lists = useListTaskListsQuery({ provider, ...within }, { skip: (hasSpaces ? space : workspace) === '' });
  useFailureToast(spaces.isError, t('integration.failed_to_load_spaces'));
  useFailureToast(lists.isError, t('integration.failed_to_load_lists'));
  const loaded = { workspace: workspaces, space: spaces, list: lists };
  const nameOf = (level: Level) => loaded[level].currentData?.find(({ id }: TaskToolChoice) => id === choice[level])?.name;
  return {
    choice,
    loaded,
    nameOf,
    choose: (level: Level, id: string) => setPlace((current) => ({ ...current, ...cleared[level], [level]: id })),
    clear: () => setPlace(nowhere),
  };
}
export type ChosenList = ReturnType<typeof useListChoice>;
