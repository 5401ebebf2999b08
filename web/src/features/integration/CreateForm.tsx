import type { TaskTool } from '@tandem/contracts';
import { lazy, Suspense, useId, useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { Select } from '../../ui/Select';
import { missingSelection, useListChoice } from './use-list-choice';
import { ListChoiceFields } from './ListChoiceFields';

/** The mapping depends on the list, so its code is loaded once a list is chosen. */
const ListForm = lazy(() => import('./ListForm').then((module) => ({ default: module.ListForm })));

/** Placeholder until a list is chosen. */
function NotYet({ hint }: { hint?: string }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    notify.error(missingSelection);
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button type="submit" variant="primary" disabled>
        {t('integration.create_integration')}
      </Button>
      {hint && <span className="text-muted">{hint}</span>}
    </form>
  );
}

function ToolForm({ tool }: { tool: TaskTool }) {
  const chosen = useListChoice(tool);
  const { list } = chosen.choice;
  return (
    <div className="flex flex-col gap-5 p-4">
      <ListChoiceFields tool={tool} chosen={chosen} />
      {list === '' ? (
        <NotYet hint={t('integration.each_new_ticket_becomes_task')} />
      ) : (
        <Suspense fallback={<NotYet />}>
          <ListForm key={list} tool={tool} chosen={chosen} />
        </Suspense>
      )}
    </div>
  );
}

/** Creates an integration: choose the list first; the suggested settings appear below. */
export function CreateForm({ tools }: { tools: TaskTool[] }) {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const tool = tools.find(({ key }) => key === chosen) ?? tools[0];
  if (!tool) return null;
  const choice = tools.length > 1 && (
    <Select
      look="filter"
      label={t('integration.task_tool')}
      value={tool.key}
      options={tools.map(({ key, name }) => ({ value: key, label: name }))}
      onChange={setChosen}
      className="w-32"
    />
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('integration.create_integration')} actions={choice} />
      <ToolForm key={tool.key} tool={tool} />
    </Card>
  );
}
