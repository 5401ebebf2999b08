import { unescapeMarkdown } from '../markdown';
import { ownLinesHave } from '../own-lines';
import { clocksDifferMs, readAnswer } from '../read';
import type { TaskSnapshot, ToolCall } from '../task-tool';
import { snapshotOf, type Task, Tasks, updatedAt } from './shapes';

/** From when on, and the page of what changed since then: pages are used only where more than a page has one and the same time. */
interface Position {
  after: number | null;
  page: number;
}
const firstPage = (since: string | null): Position => ({ after: since === null ? null : Date.parse(since), page: 0 });

/**
 * A page goes on from the time of the last task before it, not by its number: a task that changes meanwhile moves to the end, and what comes after
 * it would move a place forward, over the edge of a page.
 */
async function page(
  call: ToolCall,
  list_id: string,
  { after, page }: Position,
  markdown = false,
): Promise<{ tasks: Task[]; next?: Position }> {
  const query = new URLSearchParams({
    ...{ page: String(page), order_by: 'updated', reverse: 'true', subtasks: 'true', include_closed: 'true' },
    ...(after !== null && { date_updated_gt: String(after) }),
    ...(markdown && { include_markdown_description: 'true' }),
  });
  const answer = await call({ method: 'GET', path: `/v2/list/${encodeURIComponent(list_id)}/task?${query.toString()}` });
  const { tasks, last_page } = readAnswer(Tasks, answer);
  const times = tasks.map((task) => Date.parse(updatedAt(task)));
  const isLast = last_page ?? tasks.length < 100;
  tasks.sort((one, other) => Date.parse(updatedAt(one)) - Date.parse(updatedAt(other)));
  if (isLast || tasks.length === 0) return { tasks };
  const from = (times.at(-1) ?? 0) - 1;
  const isOrdered = times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0));
  return { tasks, next: isOrdered && from > (after ?? 0) ? { after: from, page: 0 } : { after, page: page + 1 } };
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

/** ClickUp cannot search: the tasks since then are looked through, with the addresses that plain text leaves out. */
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
  return ownLinesHave([text_content, description, markdown_description, unescapeMarkdown(markdown_description ?? '')], marker);
}
