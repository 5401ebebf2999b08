import type { Ticket } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../../lib/notify';
import { fieldProblems, isProblem, messageOf } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { useLinkTaskMutation, type LinkChoice } from './task.api';

/** The contract's own words (`LinkTask`). */
const missingText = 'Paste the address or the id of the task';
const longest = 500;
/** These are about what was pasted, and stand beside it. */
const aboutTheTask = new Set(['task.not_found', 'task.linked_elsewhere']);

/** What went wrong, and where to say it. */
function problemOf(error: unknown): { beside?: string; above?: string } {
  if (!error) return {};
  const text = fieldProblems(error)[0]?.message ?? messageOf(error, 'The task could not be linked');
  return isProblem(error) && (aboutTheTask.has(error.code) || fieldProblems(error).length > 0) ? { beside: text } : { above: text };
}

/** Links a ticket to a task that exists, by what people have at hand: its address. */
export function LinkTaskDialog({ ticket, choices, onClose }: { ticket: Ticket; choices: LinkChoice[]; onClose: () => void }) {
  const form = useId();
  const [task, setTask] = useState('');
  const [choiceId, setChoiceId] = useState(choices[0]?.id ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const [link, { error, isLoading, reset }] = useLinkTaskMutation();
  const choice = choices.find(({ id }) => id === choiceId) ?? choices[0];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = task.trim();
    setIsMissing(wanted === '');
    if (wanted === '' || !choice) return;
    const { data } = await link({ ticket_id: ticket.id, choice, task: wanted });
    if (!data) return;
    notify.success('Task linked');
    onClose();
  };
  const { above, beside } = problemOf(error);
  const forget = () => {
    setIsMissing(false);
    if (error) reset();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Link an existing task"
      description={`From then on ${ticket.ticket_number} and the task follow each other.`}
      className="max-w-md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isLoading}>
            Link Task
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        {above && <Alert tone="destructive">{above}</Alert>}
        {choices.length > 1 && (
          <Field label="Integration">
            {(control) => (
              <Select
                {...control}
                value={choiceId}
                options={choices.map(({ id, tool_name, list_name }) => ({ value: id, label: `${tool_name} · ${list_name}` }))}
                onChange={(id) => {
                  setChoiceId(id);
                  forget();
                }}
              />
            )}
          </Field>
        )}
        <Field
          label="Address or id of the task"
          required
          error={isMissing ? missingText : beside}
          hint={`Open the task in ${choice?.tool_name ?? 'the task tool'} and copy its address.`}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              maxLength={longest}
              value={task}
              onChange={(event) => {
                setTask(event.target.value);
                forget();
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
