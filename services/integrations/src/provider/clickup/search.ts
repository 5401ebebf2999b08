import { hasWords, maxFound, maxSearchPages, readAnswer } from '../read';
import type { TaskSnapshot, ToolCall } from '../task-tool';
import { snapshotOf, Tasks } from './shapes';

/** ClickUp's API has no text search: the tasks that changed last are read, 100 a page. */
export async function searchTasks(call: ToolCall, list_id: string, words: string): Promise<TaskSnapshot[]> {
  const found: TaskSnapshot[] = [];
  for (let page = 0; page < maxSearchPages && found.length < maxFound; page += 1) {
    const query = new URLSearchParams({ page: String(page), order_by: 'updated', subtasks: 'true', include_closed: 'true' });
    const answer = await call({ method: 'GET', path: `/v2/list/${encodeURIComponent(list_id)}/task?${query.toString()}` });
    const { tasks, last_page } = readAnswer(Tasks, answer);
    found.push(...tasks.map(snapshotOf).filter(({ title }) => hasWords(title, words)));
    if (last_page ?? tasks.length < 100) break;
  }
  return found.slice(0, maxFound);
}
