import { randomUUID } from 'node:crypto';
import { priorityShape, statusOf, tagShape } from './shapes';
import type { Comment, List, Task, User } from './state';
import type { Webhooks, EventPlace } from './webhooks';
import type { World } from './world';

interface HistoryItem {
  id: string;
  date: string;
  field: string;
  data?: Record<string, unknown>;
  before?: unknown;
  after?: unknown;
  comment?: unknown;
  custom_field?: unknown;
  parent_comment?: unknown;
}

/** Sends webhooks for each change, with the bodies and sequences of ClickUp's documentation ("Webhook task payloads"). */
export class Events {
  constructor(
    private readonly world: World,
    private readonly webhooks: Webhooks,
  ) {}

  /** A new task causes two events, which share the history item of its status. */
  created(task: Task, by: User): void {
    const after = this.status(task, task.status);
    const before = { status: null, color: '#000000', type: 'removed', orderindex: -1 };
    const date = String(task.date_created);
    const status = { id: this.world.ids.history(), date, field: 'status', data: { status_type: after.type }, before, after };
    const creation = { id: this.world.ids.history(), date, field: 'task_creation', before: null, after: null };
    this.publish('taskCreated', task, by, [status, creation]);
    this.publish('taskStatusUpdated', task, by, [status]);
  }

  statusChanged(task: Task, before: string, by: User): void {
    const after = this.status(task, task.status);
    this.twins('taskStatusUpdated', task, by, {
      field: 'status',
      data: { status_type: after.type },
      before: this.status(task, before),
      after,
    });
  }

  priorityChanged(task: Task, before: Task['priority'], by: User): void {
    const shapes = { before: priorityShape(before), after: priorityShape(task.priority) };
    this.twins('taskPriorityUpdated', task, by, { field: 'priority', ...shapes });
  }

  /** Only `after` is set, even for a removed assignee, as in captured webhooks. */
  assigneeChanged(task: Task, user_id: number, added: boolean, by: User): void {
    this.twins('taskAssigneeUpdated', task, by, { field: added ? 'assignee_add' : 'assignee_rem', after: this.world.user(user_id) });
  }

  tagsChanged(task: Task, name: string, added: boolean, by: User): void {
    const tag = [{ ...tagShape(this.world.spaceOf(this.world.listOf(task)), name), creator: by.id }];
    const item = added ? { field: 'tag', before: null, after: tag } : { field: 'tag_removed', before: tag, after: null };
    this.twins('taskTagUpdated', task, by, item);
  }

  dueDateChanged(task: Task, before: number | null, by: User): void {
    const text = (ms: number | null) => (ms === null ? null : String(ms));
    const data = { due_date_time: true, old_due_date_time: before !== null };
    this.twins('taskDueDateUpdated', task, by, { field: 'due_date', data, before: text(before), after: text(task.due_date) });
  }

  renamed(task: Task, before: string, by: User): void {
    this.publish('taskUpdated', task, by, [this.item(task, { field: 'name', before, after: task.name })]);
  }

  /** The description is a Quill delta: JSON as a string inside the JSON. */
  described(task: Task, before: string, by: User): void {
    const delta = (text: string) => (text === '' ? null : JSON.stringify({ ops: [{ insert: `${text}\n` }] }));
    this.publish('taskUpdated', task, by, [this.item(task, { field: 'content', before: delta(before), after: delta(task.description) })]);
  }

  fieldChanged(task: Task, field_id: string, before: unknown, by: User): void {
    const custom_field = this.world.listOf(task).fields.find(({ id }) => id === field_id);
    const values = { before: before ?? null, after: task.values[field_id] ?? null };
    this.publish('taskUpdated', task, by, [this.item(task, { field: 'custom_field', ...values, custom_field })]);
  }

  commented(event: 'taskCommentPosted' | 'taskCommentUpdated', task: Task, comment: Comment, by: User): void {
    const parent = comment.parent_id === null ? undefined : this.world.comments.get(comment.parent_id);
    const item = {
      ...this.item(task, { field: 'comment', before: null, after: String(comment.id), comment: this.comment(comment) }),
      // An edit has the id and the date of the original comment, as documented: only the event and the text differ.
      id: comment.history_id,
      date: String(comment.date),
      ...(parent ? { parent_comment: this.comment(parent) } : {}),
    };
    this.publish(event, task, by, [item]);
    this.publish('taskUpdated', task, by, [item]);
  }

  moved(task: Task, from: List, by: User): void {
    const to = this.world.listOf(task);
    const data = { mute_notifications: true };
    const item = this.item(task, { field: 'section_moved', data, before: this.place(from), after: this.place(to) });
    this.publish('taskMoved', task, by, [item], from);
    this.publish('taskUpdated', task, by, [item], from);
    // An event of the space, so webhooks of a list in it do not receive it.
    const { team_id } = this.placeOf(to);
    for (const { id } of new Set([this.world.spaceOf(from), this.world.spaceOf(to)]))
      this.webhooks.publish('spaceUpdated', { team_id, space_ids: [id], folder_ids: [], list_ids: [] }, { space_id: id });
  }

  /** Without history and user: ClickUp does not report who deleted it. */
  deleted(task: Task): void {
    this.webhooks.publish('taskDeleted', this.placeOf(this.world.listOf(task), task), { task_id: task.id });
  }

  listDeleted(list: List): void {
    this.webhooks.publish('listDeleted', this.placeOf(list), { list_id: list.id });
  }

  /** Sends the event of the change, and `taskUpdated` with the same history item. */
  private twins(event: string, task: Task, by: User, change: Omit<HistoryItem, 'id' | 'date'>): void {
    const item = this.item(task, change);
    this.publish(event, task, by, [item]);
    this.publish('taskUpdated', task, by, [item]);
  }

  /** Has the same time as the change on the task, so that a client that has read the task since recognizes the event as known. */
  private item(task: Task, change: Omit<HistoryItem, 'id' | 'date'>): HistoryItem {
    return { id: this.world.ids.history(), date: String(task.date_updated), ...change };
  }

  private publish(event: string, task: Task, user: User, items: HistoryItem[], alsoIn?: List): void {
    const list = this.world.listOf(task);
    const history_items = items.map(({ id, date, field, data = {}, ...values }) => ({
      id,
      type: 1,
      date,
      field,
      parent_id: list.id,
      data,
      source: null,
      user,
      ...values,
    }));
    this.webhooks.publish(event, this.placeOf(list, task, alsoIn), { history_items, task_id: task.id });
  }

  private placeOf(list: List, task?: Task, alsoIn: List = list): EventPlace {
    const lists = [list, alsoIn];
    return {
      team_id: this.world.teamOf(list).id,
      space_ids: lists.map(({ space_id }) => space_id),
      folder_ids: lists.map(({ folder_id }) => folder_id),
      list_ids: lists.map(({ id }) => id),
      task_id: task?.id,
    };
  }

  private status(task: Task, name: string) {
    const { status, color, orderindex, type } = statusOf(this.world.listOf(task), name);
    return { status, color, orderindex, type };
  }

  /** With ClickUp's former names: category for the folder, project for the space. */
  private place(list: List) {
    const { id, name, hidden } = this.world.folderOf(list);
    const space = this.world.spaceOf(list);
    return { id: list.id, name: list.name, category: { id, name, hidden }, project: { id: space.id, name: space.name } };
  }

  private comment(comment: Comment) {
    const user = this.world.user(comment.user_id);
    const replies = this.world.commentsFor(comment.task_id).filter((each) => each.parent_id === comment.id);
    const nothing = ['x', 'y', 'image_y', 'image_x', 'page', 'comment_number', 'page_id', 'page_name', 'view_id', 'view_name', 'team'];
    return {
      id: String(comment.id),
      date: String(comment.date),
      parent: comment.parent_id === null ? comment.task_id : String(comment.parent_id),
      type: comment.parent_id === null ? 1 : 2,
      comment: [
        { text: comment.text, attributes: {} },
        { text: '\n', attributes: { 'block-id': `block-${randomUUID()}` } },
      ],
      text_content: `${comment.text}\n`,
      ...Object.fromEntries(nothing.map((key) => [key, null])),
      user,
      new_thread_count: 0,
      new_mentioned_thread_count: 0,
      email_attachments: [],
      threaded_users: [],
      threaded_replies: replies.length,
      threaded_assignees: 0,
      threaded_assignees_members: [],
      threaded_unresolved_count: 0,
      thread_followers: [user],
      group_thread_followers: [],
      reactions: [],
      emails: [],
    };
  }
}
