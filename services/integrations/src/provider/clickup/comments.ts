import { fittedComment } from '../fit';
import { isoOf, readAnswer } from '../read';
import { ToolError, type CommentEnding, type ExternalComment, type ToolCall } from '../task-tool';
import { type Comment, Comments, PostedComment, userOf } from './shapes';
import { limits } from './tasks';

const most = 100;
/** The number of comments on one page of ClickUp's API. */
const pageSize = 25;
/** Maximum number of threads that are read for replies: each costs a call. */
const maxThreads = 25;

/** `notify_all: false` notifies only those who watch the task anyway. */
export async function addComment(
  call: ToolCall,
  task_id: string,
  text: string,
  ending?: CommentEnding,
): Promise<{ id: string; at: string | null }> {
  const comment_text = fittedComment(text, ending, limits.comment, (comment) => comment);
  const path = `/v2/task/${encodeURIComponent(task_id)}/comment`;
  const { id, date } = readAnswer(PostedComment, await call({ method: 'POST', path, body: { comment_text, notify_all: false } }));
  return { id, at: isoOf(date) };
}

/** Replies in a thread count as comments, although ClickUp returns them per thread. */
export async function listComments(call: ToolCall, task_id: string, since: string, sought?: readonly string[]): Promise<ExternalComment[]> {
  const isSought = (id: string) => sought?.includes(id) ?? false;
  const hasAll = (found: Comment[]) => sought?.every((id) => found.some((comment) => comment.id === id)) ?? false;
  const path = `/v2/task/${encodeURIComponent(task_id)}/comment`;
  const found = await pages(call, path, Date.parse(since), (own) => sought === undefined || hasAll(own));
  const threads = found.filter(({ reply_count }) => (reply_count ?? 0) > 0).slice(0, maxThreads);
  for (const { id } of threads) {
    if (hasAll(found)) break;
    found.push(...(await repliesTo(call, id)));
  }
  return found
    .map((comment) => ({ ...commentOf(comment), time: Number(comment.date) }))
    .filter(({ id, time }) => time >= Date.parse(since) || isSought(id))
    .sort((one, other) => other.time - one.time)
    .filter(({ id }, place) => place < most || isSought(id))
    .map(({ time: _, ...comment }) => comment);
}

/** A comment that was deleted in the meantime has no replies. */
async function repliesTo(call: ToolCall, id: string): Promise<Comment[]> {
  try {
    return readAnswer(Comments, await call({ method: 'GET', path: `/v2/comment/${encodeURIComponent(id)}/reply` })).comments;
  } catch (error) {
    if (error instanceof ToolError && error.problem === 'missing') return [];
    throw error;
  }
}

/** Reads pages, the latest comment first, until one is older than `since` and `isEnough` is met. */
async function pages(call: ToolCall, path: string, since: number, isEnough: (found: Comment[]) => boolean): Promise<Comment[]> {
  const found: Comment[] = [];
  for (;;) {
    const last = found.at(-1);
    const query = last ? `?${new URLSearchParams({ start: String(last.date), start_id: last.id }).toString()}` : '';
    const { comments } = readAnswer(Comments, await call({ method: 'GET', path: path + query }));
    found.push(...comments);
    const oldest = Number(comments.at(-1)?.date ?? 0);
    if (comments.length < pageSize || (oldest < since && isEnough(found)) || found.length >= most) return found;
  }
}

const commentOf = ({ id, user, comment_text, date }: Comment): ExternalComment => ({
  id,
  author: userOf(user),
  text: (comment_text ?? '').trim(),
  at: isoOf(date) ?? new Date(0).toISOString(),
});
