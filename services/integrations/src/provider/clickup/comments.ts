import { isoOf, readAnswer } from '../read';
import type { ExternalComment, ToolCall } from '../task-tool';
import { type Comment, Comments, PostedComment, userOf } from './shapes';

const most = 100;
/** ClickUp's page of comments. */
const pageSize = 25;
/** Threads whose answers are read as well, the latest: each costs a call. */
const threads = 5;

/** Nobody is mailed about it but those who watch the task anyway. */
export async function addComment(call: ToolCall, task_id: string, text: string): Promise<{ id: string }> {
  const path = `/v2/task/${encodeURIComponent(task_id)}/comment`;
  const { id } = readAnswer(PostedComment, await call({ method: 'POST', path, body: { comment_text: text, notify_all: false } }));
  return { id };
}

/** Answers in a thread are comments like others, though ClickUp hands them out thread by thread. */
export async function listComments(call: ToolCall, task_id: string, since: string): Promise<ExternalComment[]> {
  const own = await pages(call, `/v2/task/${encodeURIComponent(task_id)}/comment`, Date.parse(since));
  const answered = own.filter(({ reply_count }) => (reply_count ?? 0) > 0).slice(0, threads);
  const replies: Comment[] = [];
  for (const { id } of answered)
    replies.push(...readAnswer(Comments, await call({ method: 'GET', path: `/v2/comment/${encodeURIComponent(id)}/reply` })).comments);
  return [...own, ...replies]
    .map((comment) => ({ ...commentOf(comment), time: Number(comment.date) }))
    .filter(({ time }) => time >= Date.parse(since))
    .sort((one, other) => other.time - one.time)
    .slice(0, most)
    .map(({ time: _, ...comment }) => comment);
}

/** The latest first, until one is older than `since`. */
async function pages(call: ToolCall, path: string, since: number): Promise<Comment[]> {
  const found: Comment[] = [];
  for (;;) {
    const last = found.at(-1);
    const query = last ? `?${new URLSearchParams({ start: String(last.date), start_id: last.id }).toString()}` : '';
    const { comments } = readAnswer(Comments, await call({ method: 'GET', path: path + query }));
    found.push(...comments);
    const oldest = Number(comments.at(-1)?.date ?? 0);
    if (comments.length < pageSize || oldest < since || found.length >= most) return found;
  }
}

const commentOf = ({ id, user, comment_text, date }: Comment): ExternalComment => ({
  id,
  author: userOf(user),
  text: (comment_text ?? '').trim(),
  at: isoOf(date) ?? new Date(0).toISOString(),
});
