import { unescapeMarkdown } from '../markdown';
import { footerContains } from '../tandem-footer';
import { clocksDifferMs, readAnswer } from '../read';
import type { TaskSnapshot, ToolCall } from '../task-tool';
import { snapshotOf, type Task, Tasks, updatedAt } from './shapes';

/**
 * The start time, and the page of the changes since then. Pages after the first are used only if more than one page of tasks has the same
 * time.
 */
interface Position {
  after: number | null;
  page: number;
}
const firstPage = (since: string | null): Position => ({ after: since === null ? null : Date.parse(since), page: 0 });

interface Page {
  tasks: Task[];
  isLast: boolean;
}

/** Includes tasks whose home is another list. Archived tasks need a separate request, because `archived=true` excludes all others. */
async function read(
  call: ToolCall,
  list_id: string,
  { after, page }: Position,
  options: { archived: boolean; markdown: boolean },
): Promise<Page> {
  const query = new URLSearchParams({
    page: String(page),
    order_by: 'updated',
    reverse: 'true',
    subtasks: 'true',
    include_closed: 'true',
    include_timl: 'true',
    ...(options.archived && { archived: 'true' }),
    ...(after !== null && { date_updated_gt: String(after) }),
    ...(options.markdown && { include_markdown_description: 'true' }),
  });
  const answer = await call({ method: 'GET', path: `/v2/list/${encodeURIComponent(list_id)}/task?${query.toString()}` });
  const { tasks, last_page } = readAnswer(Tasks, answer);
  return { tasks, isLast: (last_page ?? tasks.length < 100) || tasks.length === 0 };
}

const timeOf = (task: Task): number => Date.parse(updatedAt(task));
const isOrdered = (tasks: Task[]): boolean => tasks.every((task, i) => i === 0 || timeOf(task) >= timeOf(tasks[i - 1]!));

/**
 * The next page starts at the time of the last task, not at a page number: a task that changes during the reading moves to the end, and
 * later tasks would move up across the page boundary and be missed. Active and archived tasks are two requests: both are complete only up
 * to the earlier of their end times, and the next page starts there.
 */
async function page(call: ToolCall, list_id: string, position: Position, markdown = false): Promise<{ tasks: Task[]; next?: Position }> {
  const pages = [
    await read(call, list_id, position, { archived: false, markdown }),
    await read(call, list_id, position, { archived: true, markdown }),
  ];
  const tasks = pages.flatMap((each) => each.tasks).sort((one, other) => timeOf(one) - timeOf(other));
  const unfinished = pages.filter(({ isLast }) => !isLast);
  if (unfinished.length === 0) return { tasks };
  const until = Math.min(...unfinished.map((each) => timeOf(each.tasks.at(-1)!)));
  const { after } = position;
  if (!unfinished.every((each) => isOrdered(each.tasks)) || until - 1 <= (after ?? 0))
    return { tasks, next: { after, page: position.page + 1 } };
  return { tasks: tasks.filter((task) => timeOf(task) <= until), next: { after: until - 1, page: 0 } };
}

export async function listChanged(
  call: ToolCall,
  list_id: string,
  since: string | null,
  cursor?: string,
): Promise<{ tasks: TaskSnapshot[]; cursor?: string }> {
  const { tasks, next } = await page(call, list_id, cursor === undefined ? firstPage(since) : (JSON.parse(cursor) as Position));
  return { tasks: tasks.map(snapshotOf), ...(next && { cursor: JSON.stringify(next) }) };
}

/** ClickUp's API has no search: the tasks since then are read, with their Markdown, because plain text omits URLs. */
export async function findTask(call: ToolCall, list_id: string, marker: string, since: string): Promise<TaskSnapshot | undefined> {
  let position: Position | undefined = firstPage(new Date(Date.parse(since) - clocksDifferMs).toISOString());
  while (position) {
    const { tasks, next }: { tasks: Task[]; next?: Position } = await page(call, list_id, position, true);
    const found = tasks.find((task) => hasMarker(task, marker));
    if (found) return snapshotOf(found);
    position = next;
  }
  return undefined;
}

function hasMarker({ text_content, description, markdown_description }: Task, marker: string): boolean {
  return footerContains([text_content, description, markdown_description, unescapeMarkdown(markdown_description ?? '')], marker);
}
