import type { CreateIntegration, TaskList, TaskTool } from '@tandem/contracts';
import { useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { keyPerText } from '../../lib/unique';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { useCreateIntegrationMutation, useReadTaskListQuery } from './integration.api';
import { missingSelection, type ChosenList } from './use-list-choice';
import { draftOfList, settingsOf, type SettingsDraft } from './settings-draft';
import { SettingsFields } from './SettingsFields';

/** The chosen list in the request format; undefined while the choice is incomplete. */
function chosenListOf(tool: TaskTool, { choice, nameOf }: ChosenList) {
  const isChosen = tool.levels.every(({ key }) => choice[key] !== '' && nameOf(key) !== undefined);
  if (!isChosen) return undefined;
  return {
    provider: tool.key,
    workspace_id: choice.workspace,
    workspace_name: nameOf('workspace') ?? '',
    space_id: choice.space || null,
    space_name: nameOf('space') ?? null,
    list_id: choice.list,
    list_name: nameOf('list') ?? '',
  };
}

function useCreate(tool: TaskTool, chosen: ChosenList) {
  const [keyOf] = useState(keyPerText);
  const [create, { isLoading, error }] = useCreateIntegrationMutation();
  const submit = async (edits: Partial<SettingsDraft>, list: TaskList | undefined) => {
    const listIds = chosenListOf(tool, chosen);
    if (!listIds) return notify.error(missingSelection);
    const proposed = draftOfList(list);
    const { status_mappings, ...settings } = settingsOf({ ...proposed, ...edits }, tool.capabilities.fields, proposed);
    // If the list could not be read, the server maps its statuses.
    const body: CreateIntegration = { ...listIds, ...settings, ...(list ? { status_mappings } : {}) };
    const answer = await create({ body, key: keyOf(JSON.stringify(body)) });
    if (!answer.data) return notify.error(t('integration.failed_to_create_integration'));
    notify.success(t('integration.success'), t('integration.integration_created_successfully'));
    chosen.clear();
  };
  return { submit, isLoading, error };
}

/** The suggested settings for the chosen list, the user's changes, and the submit button. */
export function ListForm({ tool, chosen }: { tool: TaskTool; chosen: ChosenList }) {
  const list = useReadTaskListQuery({ provider: tool.key, id: chosen.choice.list });
  const [edits, setEdits] = useState<Partial<SettingsDraft>>({});
  const { submit, isLoading, error } = useCreate(tool, chosen);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit(edits, list.currentData);
  };
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={onSubmit}>
      {list.isError && !list.currentData && (
        <ErrorNote
          title={t('integration.couldnt_load_lists_statuses')}
          detail={t('integration.create_integration_anyway', { messageOf: messageOf(list.error, '') })}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {!list.currentData && !list.isError && <Skeleton className="h-64" />}
      {list.currentData && (
        <SettingsFields
          tool={tool}
          list={list.currentData}
          draft={{ ...draftOfList(list.currentData), ...edits }}
          set={(changes) => setEdits((current) => ({ ...current, ...changes }))}
        />
      )}
      {error && <Alert tone="destructive">{messageOf(error, t('integration.failed_to_create_integration'))}</Alert>}
      <Button type="submit" variant="primary" busy={isLoading} className="self-start">
        {t('integration.create_integration')}
      </Button>
    </form>
  );
}
