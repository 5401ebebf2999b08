import type { SyncField } from '@tandem/contracts';
import { fittedDescription, fittedLines, fittedTitle } from '../fit';
import { escapeMarkdown } from '../markdown';
import { markdownOf, withFooter } from '../tandem-footer';
import { readAnswer } from '../read';
import { taskFieldName, type FieldName } from '../field-names';
import {
  ToolError,
  type PatchResult,
  type TaskDraft,
  type TaskFieldChange,
  type TaskPatch,
  type TaskSnapshot,
  type TaskText,
  type ToolCall,
} from '../task-tool';
import { priorityNumbers, snapshotOf, Task } from './shapes';

/** Two spaces at the end keep a line break in Markdown. */
const lineEnd = '  \n';
export const written = (text: string): string => escapeMarkdown(text, lineEnd);
/** "Task descriptions cannot exceed 256 KB" (help.clickup.com, "Intro to tasks"); no limit is documented for names and comments. */
export const limits = { title: null, description: { most: 256_000, unit: 'bytes' }, comment: null } as const;
const textOf = (description: TaskText): string =>
  fittedDescription(description, limits.description, (each) => markdownOf(each, written, lineEnd));
const titleOf = (title: string): string => fittedTitle(title, limits.title);
const at = encodeURIComponent;

export async function createTask(call: ToolCall, list_id: string, draft: TaskDraft): Promise<TaskSnapshot> {
  const markdown_content = textOf(draft.description);
  const fields = [...(draft.customer_email ? [draft.customer_email] : []), ...(draft.custom_fields ?? [])];
  const body = {
    name: titleOf(draft.title),
    ...(markdown_content && { markdown_content }),
    ...(draft.status !== undefined && { status: draft.status }),
    ...(draft.priority && { priority: priorityNumbers[draft.priority] }),
    ...(draft.tags.length > 0 && { tags: draft.tags }),
    ...(draft.assignee_ids.length > 0 && { assignees: draft.assignee_ids.map(Number) }),
    ...(draft.due_at && { due_date: Date.parse(draft.due_at), due_date_time: true }),
    ...(fields.length > 0 && { custom_fields: fields.map(({ field_id, value }) => ({ id: field_id, value })) }),
  };
  return snapshotOf(readAnswer(Task, await call({ method: 'POST', path: `/v2/list/${at(list_id)}/task`, body })));
}

/** ClickUp returns a description with its formatting only on request. */
export async function writeLines(
  call: ToolCall,
  task_id: string,
  lines: TaskText['lines'],
  shorter: TaskText['lines'][] = [],
): Promise<TaskSnapshot> {
  const path = `/v2/task/${at(task_id)}`;
  const task = readAnswer(Task, await call({ method: 'GET', path: `${path}?include_markdown_description=true` }));
  const markdown_content = fittedLines([lines, ...shorter], limits.description, (each) =>
    withFooter(task.markdown_description ?? '', each, written, lineEnd),
  );
  return snapshotOf(readAnswer(Task, await call({ method: 'PUT', path, body: { markdown_content } })));
}

/** A custom task id of a workspace: a prefix and a number. */
export const customId = /^[a-z][a-z0-9]{0,19}-\d{1,12}$/i;
/** The form of a custom id that `getTask` accepts; undefined without the workspace, which ClickUp requires for it. */
export const customTask = (team_id: string | undefined, id: string): string | undefined =>
  team_id && /^\d+$/.test(team_id) ? `${team_id}/${id}` : undefined;

/** By id, or by workspace and custom id: the returned task has its id. */
export async function getTask(call: ToolCall, task_id: string): Promise<TaskSnapshot> {
  const [team_id, id] = task_id.includes('/') ? task_id.split('/') : [];
  const path = id ? `/v2/task/${at(id)}?custom_task_ids=true&team_id=${at(team_id ?? '')}` : `/v2/task/${at(task_id)}`;
  return snapshotOf(readAnswer(Task, await call({ method: 'GET', path })));
}

/**
 * One PUT, and one call for each tag and each custom field, which a PUT ignores. The PUT comes last, so that its response shows all
 * changes and is later than their webhooks.
 */
export async function updateTask(call: ToolCall, task_id: string, patch: TaskPatch): Promise<PatchResult> {
  const refused: PatchResult['refused'] = [];
  const path = `/v2/task/${at(task_id)}`;
  for (const name of patch.tags?.add ?? [])
    await orRefused(refused, 'tags', () => call({ method: 'POST', path: `${path}/tag/${at(name)}` }));
  for (const name of patch.tags?.remove ?? [])
    await orRefused(refused, 'tags', () => ignoreMissing(() => call({ method: 'DELETE', path: `${path}/tag/${at(name)}` })));
  const { customer_email } = patch;
  if (customer_email) await orRefused(refused, 'customer_email', () => setField(call, path, customer_email));
  for (const change of patch.custom_fields ?? [])
    await orRefused(refused, taskFieldName(change.field_id), () => setField(call, path, change));
  return { task: await put(call, path, partsOf(patch), refused), refused };
}

async function setField(call: ToolCall, path: string, { field_id, value }: TaskFieldChange): Promise<void> {
  const field = `${path}/field/${at(field_id)}`;
  if (value === null) await ignoreMissing(() => call({ method: 'DELETE', path: field }));
  else await call({ method: 'POST', path: field, body: { value } });
}

type Parts = Map<SyncField, Record<string, unknown>>;

/** Each field's part of a PUT body. */
function partsOf({ title, description, status, priority, assignees, due_at }: TaskPatch): Parts {
  const ids = (texts: string[]) => texts.map(Number);
  const parts: [SyncField, Record<string, unknown> | undefined][] = [
    ['title', title === undefined ? undefined : { name: titleOf(title) }],
    // An empty text is ignored; a single space clears the description.
    ['description', description && { markdown_content: textOf(description) || ' ' }],
    ['status', status === undefined ? undefined : { status }],
    ['priority', priority && { priority: priorityNumbers[priority] }],
    ['assignee', assignees && { assignees: { add: ids(assignees.add), rem: ids(assignees.remove) } }],
    [
      'due_at',
      due_at === undefined ? undefined : due_at === null ? { due_date: null } : { due_date: Date.parse(due_at), due_date_time: true },
    ],
  ];
  return new Map(parts.filter((part): part is [SyncField, Record<string, unknown>] => part[1] !== undefined));
}

/** ClickUp refuses a PUT as a whole: it is repeated without the field that ClickUp named, or field by field if it named none. */
async function put(call: ToolCall, path: string, parts: Parts, refused: PatchResult['refused']): Promise<TaskSnapshot | null> {
  if (parts.size === 0) return null;
  try {
    const body = Object.assign({}, ...parts.values()) as Record<string, unknown>;
    return snapshotOf(readAnswer(Task, await call({ method: 'PUT', path, body })));
  } catch (error) {
    if (!(error instanceof ToolError) || error.problem !== 'refused') throw error;
    const [only] = parts.size === 1 ? parts.keys() : [];
    const field = only ?? error.details.field;
    if (field && parts.delete(field)) {
      refused.push({ field, message: error.message });
      return put(call, path, parts, refused);
    }
    let task: TaskSnapshot | null = null;
    for (const part of parts) task = (await put(call, path, new Map([part]), refused)) ?? task;
    return task;
  }
}

/** A missing tag or field does not mean that the task is missing, unless ClickUp names the task itself. */
const isPartMissing = (error: unknown): boolean =>
  error instanceof ToolError && error.problem === 'missing' && error.details.code !== 'ITEM_013';

async function ignoreMissing(make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!isPartMissing(error)) throw error;
  }
}

async function orRefused(refused: PatchResult['refused'], field: FieldName, make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof ToolError) || (error.problem !== 'refused' && !isPartMissing(error))) throw error;
    const { isPlanLimit } = error.details;
    if (!refused.some((each) => each.field === field)) refused.push({ field, message: error.message, ...(isPlanLimit && { isPlanLimit }) });
  }
}
