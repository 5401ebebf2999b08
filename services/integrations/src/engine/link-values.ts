import { sql } from 'kysely';

/** 0: a person waits for it, 1: a change, 2: a new ticket, 3: backfill. */
export type Urgency = 0 | 1 | 2 | 3;

/** Used in `links.pending_comment_ids` for a comment that the webhook did not name: the task's comments are to be read. */
export const anyComment = '*';

/** Makes a link due now, with at least this urgency. */
export const dueNow = <U extends Urgency>(urgency: U) => ({
  next_sync_at: sql<string>`least(links.next_sync_at, now())`,
  urgency: sql<U>`case when links.next_sync_at is null then ${urgency}::int else least(links.urgency, ${urgency}::int) end`,
});

/** Makes the task count as unread: later than every state read so far, by the tool's clock too. */
export const taskUnread = {
  task_notified_at: sql<string>`greatest(now(), links.task_read_at + interval '1 millisecond', links.task_notified_at)`,
};

/** Makes the comments of the task count as unread. */
export const commentsUnread = {
  pending_comment_ids: sql<string[]>`array_append(array_remove(links.pending_comment_ids, ${anyComment}), ${anyComment})`,
};

/** Restarts the detection of loops. */
export const writesCleared = { writes: 0, write_window_start: null, hour_writes: 0, hour_window_start: null };

/** The values of a link that starts again: nothing of its previous task is left. */
export const initialValues = {
  task_id: null,
  task_url: null,
  task: null,
  shadow: '{}',
  is_primary: true,
  listed_tickets: '',
  task_read_at: null,
  task_notified_at: null,
  pending_comment_ids: sql<string[]>`'{}'`,
  comments_read_until: null,
  ticket_sequence: 0,
  attempts: 0,
  create_started_at: null,
  retry_search_at: null,
  ...writesCleared,
  problem: null,
  synced_at: null,
  finished_at: null,
  deleted_list_id: null,
  created_at: sql<string>`now()`,
};
