import { fittedComment } from '../fit';
import { readAnswer } from '../read';
import type { CommentEnding, ExternalComment, ToolCall } from '../task-tool';
import { issuePath } from './issues';
import { Comment, commentOf, Comments, pageIn, wholeSeconds } from './shapes';
import { escapeText, limits } from './text';

const most = 100;

export async function addComment(
  call: ToolCall,
  task_id: string,
  text: string,
  ending?: CommentEnding,
): Promise<{ id: string; at: string | null }> {
  const body = fittedComment(text, ending, limits.comment, escapeText);
  const answer = await call({ method: 'POST', path: `${issuePath(task_id)}/comments`, body: { body } });
  const { id, at } = commentOf(readAnswer(Comment, answer));
  return { id, at };
}

/** GitHub lists the oldest first, so this reads the last page, and the one before it if needed. */
export async function listComments(
  call: ToolCall,
  task_id: string,
  since: string,
  sought: readonly string[] = [],
): Promise<ExternalComment[]> {
  const get = (page: number) => {
    const query = new URLSearchParams({ since: wholeSeconds(since), per_page: String(most), page: String(page) });
    return call({ method: 'GET', path: `${issuePath(task_id)}/comments?${query.toString()}` });
  };
  const first = await get(1);
  const last = pageIn(first, 'last') ?? 1;
  let comments = readAnswer(Comments, last === 1 ? first : await get(last));
  if (last > 1 && comments.length < most) comments = [...readAnswer(Comments, last === 2 ? first : await get(last - 1)), ...comments];
  return (
    comments
      .sort((one, other) => Number(other.id) - Number(one.id))
      // GitHub's `since` refers to the last edit.
      .filter(({ id, created_at }) => Date.parse(created_at) >= Date.parse(wholeSeconds(since)) || sought.includes(id))
      .filter(({ id }, place) => place < most || sought.includes(id))
      .map(commentOf)
  );
}
