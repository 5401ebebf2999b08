import type { CreateIntegration, TaskTool } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { keyPerText } from '../../lib/unique';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { useCreateIntegrationMutation, useReadTaskListQuery } from './integration.api';
import { usePlace, type ChosenPlace } from './place';
import { PlaceFields } from './PlaceFields';
import { draftOfList, settingsOf, type SettingsDraft } from './settings-draft';
import { SettingsFields } from './SettingsFields';

const missingSelection = 'Please select workspace, space, and list';

/** What is chosen, as it is sent; undefined while something is missing. */
function placeOf(tool: TaskTool, { place, nameOf }: ChosenPlace) {
  const isChosen = tool.levels.every(({ key }) => place[key] !== '' && nameOf(key) !== undefined);
  if (!isChosen) return undefined;
  return {
    provider: tool.key,
    workspace_id: place.workspace,
    workspace_name: nameOf('workspace') ?? '',
    space_id: place.space || null,
    space_name: nameOf('space') ?? null,
    list_id: place.list,
    list_name: nameOf('list') ?? '',
  };
}

/** What somebody changed of what is proposed. Another list has other statuses and fields: what was chosen of them goes. */
function useEdits(list: string) {
  const [edits, setEdits] = useState<{ list: string; changes: Partial<SettingsDraft> }>({ list, changes: {} });
  if (edits.list !== list) {
    const { statuses: _, email_field: __, ...changes } = edits.changes;
    setEdits({ list, changes });
  }
  return {
    edits: edits.changes,
    change: (changes: Partial<SettingsDraft>) => setEdits((current) => ({ ...current, changes: { ...current.changes, ...changes } })),
    forget: () => setEdits({ list: '', changes: {} }),
  };
}

function useCreate(tool: TaskTool, chosen: ChosenPlace, onCreated: () => void) {
  const [keyOf] = useState(keyPerText);
  const [create, { isLoading, error, reset }] = useCreateIntegrationMutation();
  const submit = async (draft: SettingsDraft, isListKnown: boolean) => {
    const place = placeOf(tool, chosen);
    if (!place) return notify.error(missingSelection);
    const { status_mappings, ...settings } = settingsOf(draft, tool.capabilities.fields, { onlyChangedFields: true });
    // A list that could not be read is mapped by the server.
    const body: CreateIntegration = { ...place, ...settings, ...(isListKnown ? { status_mappings } : {}) };
    const answer = await create({ body, key: keyOf(JSON.stringify(body)) });
    if (!answer.data) return notify.error('Failed to create integration');
    notify.success('Success', 'Integration created successfully');
    onCreated();
  };
  return { submit, isLoading, error, reset };
}

function ToolForm({ tool }: { tool: TaskTool }) {
  const chosen = usePlace(tool);
  const { list } = chosen.place;
  const description = useReadTaskListQuery({ provider: tool.key, id: list }, { skip: list === '' });
  const { edits, change, forget } = useEdits(list);
  const clear = () => {
    chosen.clear();
    forget();
  };
  const { submit, isLoading, error, reset } = useCreate(tool, chosen, clear);
  const taskList = description.currentData;
  const draft = { ...draftOfList(taskList), ...edits };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit(draft, taskList !== undefined);
  };
  return (
    <form noValidate className="flex flex-col gap-5 p-4" onSubmit={onSubmit} onChange={error ? reset : undefined}>
      <PlaceFields tool={tool} chosen={chosen} />
      {list !== '' && description.isError && (
        <ErrorNote
          title="The statuses of the list could not be loaded"
          detail={`${messageOf(description.error, '')} You can create the integration anyway and look at its mapping later.`}
          busy={description.isFetching}
          onRetry={() => void description.refetch()}
        />
      )}
      {list !== '' && !taskList && !description.isError && <Skeleton className="h-64" />}
      {taskList && <SettingsFields key={taskList.id} tool={tool} list={taskList} draft={draft} set={change} />}
      {error && <Alert tone="destructive">{messageOf(error, 'Failed to create integration')}</Alert>}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={isLoading} disabled={list === ''}>
          Create integration
        </Button>
        {list === '' && <span className="text-muted">Each new ticket becomes a task of the list that you choose.</span>}
      </div>
    </form>
  );
}

/** New integrations: the place first, and what is proposed for it below. */
export function CreateForm({ tools }: { tools: TaskTool[] }) {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const tool = tools.find(({ key }) => key === chosen) ?? tools[0];
  if (!tool) return null;
  const choice = tools.length > 1 && (
    <Select
      look="filter"
      label="Task tool"
      value={tool.key}
      options={tools.map(({ key, name }) => ({ value: key, label: name }))}
      onChange={setChosen}
      className="w-32"
    />
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Create integration" actions={choice} />
      <ToolForm key={tool.key} tool={tool} />
    </Card>
  );
}
