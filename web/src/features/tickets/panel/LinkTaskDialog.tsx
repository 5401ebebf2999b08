import type { TaskChoice, Ticket } from '@tandem/contracts';
import { Search } from 'lucide-react';
import { useId, useState, type ComponentProps, type FormEvent } from 'react';
import { cn } from '../../../lib/cn';
import { fieldProblems, isProblem, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { categoryDots, ticketCount } from './linked-task-labels';
import { LinkPreview } from './LinkPreview';
import { useFindTasksToLinkQuery, usePreviewTaskLinkQuery, type LinkChoice } from './task.api';

const longest = 200;
const missingText = t('tickets.panel.enter_words_or_url');
/** Errors about the pasted text, shown next to the field. */
const aboutTheTask = /^task\./;

/** Task URLs and ids (`DEV-12`, `#12`, `owner/repository#12`, `86abc1x`). Any other text is a search. */
const looksLikeReference = (text: string): boolean =>
  /^(https?:\/\/|app\.clickup\.com\/|(www\.)?github\.)/i.test(text) ||
  /^(#[\w-]+|\d+|[a-z][a-z0-9]*-\d+|[\w.-]+\/[\w.-]+#\d+|(?=\w*\d)[a-z0-9]{6,12})$/i.test(text);

function Result({ task, onChoose }: { task: TaskChoice; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left hover:bg-hover touch:min-h-11"
      >
        <span
          aria-hidden
          className={cn('size-2 shrink-0 rounded-full', !task.status.color && categoryDots[task.status.category])}
          style={task.status.color ? { backgroundColor: task.status.color } : undefined}
        />
        <span className="min-w-0 flex-1 truncate" dir="auto" title={task.title}>
          {task.title}
        </span>
        <span className="shrink-0 text-xs text-muted">
          <span className="sr-only">, </span>
          {[task.status.name, ticketCount(task.tickets)].filter(Boolean).join(' · ')}
        </span>
      </button>
    </li>
  );
}

interface ResultsProps {
  listName: string | undefined;
  isSearching: boolean;
  results: TaskChoice[] | undefined;
  onChoose: (taskId: string) => void;
}
function Results({ listName = '', isSearching, results, onChoose }: ResultsProps) {
  return (
    <div aria-live="polite" className="mt-2">
      {isSearching && <Skeleton className="h-9" />}
      {results?.length === 0 && <p className="text-muted">{t('tickets.panel.no_task_found_in_list', { listName })}</p>}
      {results && results.length > 0 && (
        <ul aria-label={t('tickets.panel.tasks_found')} className="-mx-2.5 flex max-h-72 flex-col overflow-y-auto">
          {results.map((task) => (
            <Result key={task.id} task={task} onChoose={() => onChoose(task.id)} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ListFieldProps {
  choices: LinkChoice[];
  value: string;
  onChange: (id: string) => void;
}
function ListField({ choices, value, onChange }: ListFieldProps) {
  return (
    <Field label={t('tickets.panel.list')}>
      {(control) => (
        <Select
          {...control}
          value={value}
          options={choices.map(({ id, tool_name, list_name }) => ({ value: id, label: `${tool_name} · ${list_name}` }))}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

function SearchInput(props: ComponentProps<typeof Input>) {
  return (
    <div className="relative">
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" aria-hidden />
      <Input {...props} autoComplete="off" spellCheck={false} maxLength={longest} className="pl-8" />
    </div>
  );
}

/** Errors about the text go next to the field, all others above the form. */
function problemOf(error: unknown): { fieldError?: string; above?: string } {
  if (!error) return {};
  const text = fieldProblems(error)[0]?.message ?? messageOf(error, t('tickets.panel.couldnt_find_task'));
  return isProblem(error) && (aboutTheTask.test(error.code) || fieldProblems(error).length > 0) ? { fieldError: text } : { above: text };
}

interface SearchRequest {
  integration_id: string;
  words?: string;
  task?: string;
}

/** The result of the latest request: a search for tasks, or a preview of one task by its URL or id. */
function useSearchRequest(ticket: Ticket, request: SearchRequest | undefined) {
  const { integration_id = '', words = '', task = '' } = request ?? {};
  const of = { ticket_id: ticket.id, integration_id };
  const found = useFindTasksToLinkQuery({ ...of, words }, { skip: words === '' });
  const preview = usePreviewTaskLinkQuery({ ...of, task }, { skip: task === '', refetchOnMountOrArgChange: true });
  const shown = task === '' ? found : preview;
  return {
    isLoading: shown.isFetching,
    error: request && !shown.isFetching ? shown.error : undefined,
    results: task === '' && !found.isFetching ? found.currentData : undefined,
    preview: preview.isFetching || preview.isError ? undefined : preview.currentData,
  };
}

/** The form's input, and the answer to its latest request, which any change to the input makes obsolete. */
function useLinkTask(ticket: Ticket, choices: LinkChoice[]) {
  const [{ text, choiceId }, setInput] = useState({ text: '', choiceId: choices[0]?.id ?? '' });
  const [isMissing, setIsMissing] = useState(false);
  const [request, setRequest] = useState<SearchRequest>();
  const choice = choices.find(({ id }) => id === choiceId) ?? choices[0];
  const answer = useSearchRequest(ticket, request);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    setIsMissing(wanted === '');
    if (wanted !== '' && choice)
      setRequest({ integration_id: choice.id, ...(looksLikeReference(wanted) ? { task: wanted } : { words: wanted }) });
  };
  const forget = () => {
    setIsMissing(false);
    setRequest(undefined);
  };
  const change = (input: { text?: string; choiceId?: string }) => {
    setInput((current) => ({ ...current, ...input }));
    forget();
  };
  return { text, choice, isMissing, request, ...answer, submit, ask: setRequest, change, forget };
}

/** Finds a task by its title, URL or id, shows how it differs from the ticket, and links the two. */
export function LinkTaskDialog({ ticket, choices, onClose }: { ticket: Ticket; choices: LinkChoice[]; onClose: () => void }) {
  const form = useId();
  const { text, choice, isMissing, request, isLoading, error, results, preview, submit, ask, change, forget } = useLinkTask(
    ticket,
    choices,
  );
  if (preview && request && choice)
    return <LinkPreview ticket={ticket} choice={choice} preview={preview} onBack={forget} onClose={onClose} />;
  const { above, fieldError } = problemOf(error);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('tickets.panel.link_a_task')}
      description={t('tickets.panel.link_to_existing_task', { ticket_number: ticket.ticket_number })}
      className="max-w-md"
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.panel.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={isLoading}>
            {t('tickets.panel.find')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
        {above && <Alert tone="destructive">{above}</Alert>}
        {choices.length > 1 && <ListField choices={choices} value={choice?.id ?? ''} onChange={(choiceId) => change({ choiceId })} />}
        <Field
          label={t('tickets.panel.title_url_or_id')}
          required
          error={isMissing ? missingText : fieldError}
          hint={choice ? t('tickets.panel.words_or_url_from_tool', { tool_name: choice.tool_name }) : t('tickets.panel.words_or_url')}
        >
          {(control) => <SearchInput {...control} value={text} onChange={(event) => change({ text: event.target.value })} />}
        </Field>
      </form>
      <Results
        listName={choice?.list_name}
        isSearching={request?.words !== undefined && isLoading}
        results={results}
        onChoose={(task) => ask({ integration_id: request?.integration_id ?? '', task })}
      />
    </Dialog>
  );
}
