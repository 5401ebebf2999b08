import type { SyncField } from '@tandem/contracts';
import { fittedDescription, fittedLines, fittedTitle } from '../fit';
import { markdownOf, footerContains, withFooter } from '../tandem-footer';
import { clocksDifferMs, readAnswer } from '../read';
import { ToolError, type PatchResult, type TaskDraft, type TaskPatch, type TaskSnapshot, type TaskText, type ToolCall } from '../task-tool';
import { repositoryPath } from './places';
import { Issue, Issues, pageIn, Repository, snapshotOf, stateOf, wholeSeconds } from './shapes';
import { escapeText, limits, lineEnd, readText } from './text';

const bodyOf = (description: TaskText): string =>
  fittedDescription(description, limits.description, (each) => markdownOf(each, escapeText, lineEnd, (below) => below));
const titleOf = (title: string): string => fittedTitle(title, limits.title);
const noSuchStatus = 'An issue is open, closed as completed, or closed as not planned';

/** A task's id is the id of its repository and the issue number. */
export function issuePath(task_id: string): string {
  const [, repository, number] = /^(\d+)\/(\d+)$/.exec(task_id) ?? [];
  if (!repository || !number) throw new ToolError('missing', 'This is not the ID of an issue');
  return `${repositoryPath(repository)}/issues/${number}`;
}
const repositoryOf = (task_id: string): string => task_id.split('/')[0] ?? '';

const read = (task_id: string, issue: Issue): TaskSnapshot => {
  if (issue.pull_request) throw new ToolError('missing', 'This is a pull request, not an issue', { code: 'pull_request' });
  return snapshotOf(repositoryOf(task_id), issue);
};

/** GitHub always creates an issue as open: another state needs a second call. */
export async function createTask(call: ToolCall, list_id: string, draft: TaskDraft): Promise<TaskSnapshot> {
  const state = draft.status === undefined ? { state: 'open' } : stateOf(draft.status);
  if (!state) throw new ToolError('refused', noSuchStatus, { field: 'status' });
  const body = { title: titleOf(draft.title), body: bodyOf(draft.description), ...(draft.tags.length > 0 && { labels: draft.tags }) };
  const made = readAnswer(Issue, await call({ method: 'POST', path: `${repositoryPath(list_id)}/issues`, body }));
  const task = snapshotOf(list_id, made);
  if (state.state === 'open') return task;
  try {
    return snapshotOf(list_id, readAnswer(Issue, await call({ method: 'PATCH', path: issuePath(task.id), body: state })));
  } catch (error) {
    // The issue exists, regardless of the error. Only after `unreachable` is it searched for instead of being created again.
    throw new ToolError('unreachable', 'The issue was created in GitHub, but its state could not be set', { cause: error });
  }
}

/** `owner/repository#number`; undefined for anything else, including `.` and `..` as a path segment. */
export function issueNamed(text: string): { name: string; number: string } | undefined {
  const [, owner, repository, number] = /^([\w.-]+)\/([\w.-]+)#(\d+)$/.exec(text) ?? [];
  const isName = (part: string | undefined) => part !== undefined && part !== '.' && part !== '..';
  return isName(owner) && isName(repository) && number ? { name: `${owner}/${repository}`, number } : undefined;
}

/** GitHub answers "not found" for a repository that the token cannot see. */
function asHidden(error: unknown): never {
  if (!(error instanceof ToolError) || error.problem !== 'missing') throw error;
  throw new ToolError('missing', error.message, { ...error.details, code: 'repository_hidden', cause: error });
}

/** The path of the repository and the number of an issue that a person named; undefined for an id. */
function placeNamed(text: string): { path: string; number: string } | undefined {
  const [, repository, short] = /^(\d+)#(\d+)$/.exec(text) ?? [];
  if (repository && short) return { path: repositoryPath(repository), number: short };
  const named = issueNamed(text);
  return named && { path: `/repos/${named.name}`, number: named.number };
}

/**
 * By id, or as `taskIdOf` reads it from what a person typed: `owner/repository#number`, or `#number` after the repository's id. The returned
 * task has its id. The repository is read only for typed names, because an issue does not show that its repository is archived.
 */
export async function getTask(call: ToolCall, task_id: string): Promise<TaskSnapshot> {
  const named = placeNamed(task_id);
  if (!named) return read(task_id, readAnswer(Issue, await call({ method: 'GET', path: issuePath(task_id) })));
  const { id, archived } = readAnswer(Repository, await call({ method: 'GET', path: named.path }).catch(asHidden));
  return { ...(await getTask(call, `${id}/${named.number}`)), ...(archived && { archived }) };
}

/** GitHub returns a body exactly as it was written, so the text around our lines is preserved. */
export async function writeLines(
  call: ToolCall,
  task_id: string,
  lines: TaskText['lines'],
  shorter: TaskText['lines'][] = [],
): Promise<TaskSnapshot> {
  const path = issuePath(task_id);
  const issue = readAnswer(Issue, await call({ method: 'GET', path }));
  const body = fittedLines([lines, ...shorter], limits.description, (each) => withFooter(issue.body ?? '', each, escapeText, lineEnd));
  return read(task_id, readAnswer(Issue, await call({ method: 'PATCH', path, body: { body } })));
}

/** One call for all new labels, one for each removed label, and one for the other fields: last, so that its response shows all changes. */
export async function updateTask(call: ToolCall, task_id: string, patch: TaskPatch): Promise<PatchResult> {
  const path = issuePath(task_id);
  const refused: PatchResult['refused'] = [];
  await changeLabels(call, path, patch.tags ?? { add: [], remove: [] }, refused);
  const state = patch.status === undefined ? undefined : stateOf(patch.status);
  if (patch.status !== undefined && !state) refused.push({ field: 'status', message: noSuchStatus });
  const parts = new Map<SyncField, object>();
  if (patch.title !== undefined) parts.set('title', { title: titleOf(patch.title) });
  if (patch.description) parts.set('description', { body: bodyOf(patch.description) });
  if (state) parts.set('status', state);
  for (const field of ['priority', 'assignees', 'due_at', 'customer_email'] as const)
    if (patch[field] !== undefined)
      refused.push({ field: field === 'assignees' ? 'assignee' : field, message: 'GitHub issues do not have this field' });
  return { task: await change(call, task_id, parts, refused), refused };
}

/** GitHub refuses an update as a whole and does not name our field, so each field is then sent separately. */
async function change(
  call: ToolCall,
  task_id: string,
  parts: Map<SyncField, object>,
  refused: PatchResult['refused'],
): Promise<TaskSnapshot | null> {
  if (parts.size === 0) return null;
  try {
    const body = Object.assign({}, ...parts.values()) as object;
    return read(task_id, readAnswer(Issue, await call({ method: 'PATCH', path: issuePath(task_id), body })));
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (parts.size === 1) {
      refused.push(...[...parts.keys()].map((field) => ({ field, message: error.message })));
      return null;
    }
    let task: TaskSnapshot | null = null;
    for (const part of parts) task = (await change(call, task_id, new Map([part]), refused)) ?? task;
    return task;
  }
}

async function changeLabels(
  call: ToolCall,
  path: string,
  { add, remove }: { add: string[]; remove: string[] },
  refused: PatchResult['refused'],
) {
  const calls = [
    ...(add.length > 0 ? [() => call({ method: 'POST', path: `${path}/labels`, body: { labels: add } })] : []),
    ...remove.map((name) => () => call({ method: 'DELETE', path: `${path}/labels/${encodeURIComponent(name)}` })),
  ];
  for (const make of calls) {
    try {
      await make();
    } catch (error) {
      if (error instanceof ToolError && error.details.code === 'label_missing') continue;
      // GitHub also answers 404 for operations that are not allowed: only reading the issue shows whether it still exists.
      if (!isRefused(error) && !(error instanceof ToolError && error.details.status === 404)) throw error;
      if (!refused.some(({ field }) => field === 'tags')) refused.push({ field: 'tags', message: error.message });
    }
  }
}

const isRefused = (error: unknown): error is ToolError => error instanceof ToolError && error.problem === 'refused';

interface Position {
  since: string | null;
  page: number;
}

/**
 * As for ClickUp: the next page starts at the time of the last issue, and page numbers are used only if more than one page has the same
 * second.
 */
async function page(call: ToolCall, list_id: string, { since, page }: Position): Promise<{ issues: Issue[]; next?: Position }> {
  const query = new URLSearchParams({
    state: 'all',
    sort: 'updated',
    direction: 'asc',
    per_page: '100',
    page: String(page),
    ...(since !== null && { since: wholeSeconds(since) }),
  });
  const answer = await call({ method: 'GET', path: `${repositoryPath(list_id)}/issues?${query.toString()}` });
  const issues = readAnswer(Issues, answer);
  const last = issues.at(-1)?.updated_at;
  if (pageIn(answer, 'next') === undefined || last === undefined) return { issues };
  const further = since === null || Date.parse(last) > Date.parse(since);
  return { issues, next: further && last !== issues[0]?.updated_at ? { since: last, page: 1 } : { since, page: page + 1 } };
}

/** `since` includes its own second, and the list includes pull requests. */
export async function listChanged(call: ToolCall, list_id: string, since: string | null, cursor?: string) {
  const { issues, next } = await page(call, list_id, cursor === undefined ? { since, page: 1 } : (JSON.parse(cursor) as Position));
  const kept = issues.filter(
    ({ pull_request, updated_at }) => !pull_request && (since === null || Date.parse(updated_at) > Date.parse(since)),
  );
  return { tasks: kept.map((issue) => snapshotOf(list_id, issue)), ...(next && { cursor: JSON.stringify(next) }) };
}

/** GitHub's search index lags by minutes, so the issues since then are read instead. */
export async function findTask(call: ToolCall, list_id: string, marker: string, since: string): Promise<TaskSnapshot | undefined> {
  let position: Position | undefined = { since: new Date(Date.parse(since) - clocksDifferMs).toISOString(), page: 1 };
  while (position) {
    const { issues, next }: { issues: Issue[]; next?: Position } = await page(call, list_id, position);
    const found = issues.find(({ body, pull_request }) => !pull_request && footerContains([body, readText(body ?? '')], marker));
    if (found) return snapshotOf(list_id, found);
    position = next;
  }
  return undefined;
}
