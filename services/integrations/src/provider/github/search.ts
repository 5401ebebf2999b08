import { hasWords, maxFound, maxSearchPages, readAnswer } from '../read';
import type { TaskSnapshot, ToolCall } from '../task-tool';
import { repositoryPath } from './places';
import { Issues, pageIn, snapshotOf } from './shapes';

/**
 * GitHub's search has its own limit of 30 calls a minute, and its index lags by minutes: the issues that changed last are read instead, 100
 * a page.
 */
export async function searchTasks(call: ToolCall, list_id: string, words: string): Promise<TaskSnapshot[]> {
  const found: TaskSnapshot[] = [];
  for (let page: number | undefined = 1; page !== undefined && page <= maxSearchPages && found.length < maxFound;) {
    const query = new URLSearchParams({ state: 'all', sort: 'updated', direction: 'desc', per_page: '100', page: String(page) });
    const answer = await call({ method: 'GET', path: `${repositoryPath(list_id)}/issues?${query.toString()}` });
    const issues = readAnswer(Issues, answer).filter(({ pull_request }) => !pull_request);
    found.push(...issues.map((issue) => snapshotOf(list_id, issue)).filter(({ title }) => hasWords(title, words)));
    page = pageIn(answer, 'next');
  }
  return found.slice(0, maxFound);
}
