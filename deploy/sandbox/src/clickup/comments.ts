import { randomUUID } from 'node:crypto';
import type { Events } from './events';
import type { Comment, Task, User } from './state';
import type { Tasks } from './tasks';
import type { World } from './world';

const PAGE = 25;

/** Comments of tasks. */
export class Comments {
  constructor(
    private readonly world: World,
    private readonly events: Events,
    private readonly tasks: Tasks,
  ) {}

  post(
    task: Task,
    text: string,
    by: User,
    { parent_id = null, assignee = null }: { parent_id?: number | null; assignee?: number | null } = {},
  ): Comment {
    const comment: Comment = {
      id: this.world.ids.comment(),
      task_id: task.id,
      parent_id,
      text,
      user_id: by.id,
      assignee,
      resolved: false,
      date: this.world.now(),
      hist_id: randomUUID(),
      history_id: this.world.ids.history(),
    };
    this.world.addComment(comment);
    this.tasks.touch(task);
    this.events.commented('taskCommentPosted', task, comment, by);
    return comment;
  }

  edit(comment: Comment, change: { text?: string; assignee?: number | null; resolved?: boolean }, by: User): void {
    Object.assign(comment, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
    const task = this.world.tasks.get(comment.task_id);
    if (!task) return;
    this.tasks.touch(task);
    this.events.commented('taskCommentUpdated', task, comment, by);
  }

  /** Sends no webhook, because ClickUp has no such event. */
  remove(comment: Comment): void {
    this.world.removeComment(comment);
    this.world.changed();
  }

  /** 25 of a task's own comments, newest first; `start` and `start_id`, only together, identify the last comment of the previous page. */
  page(task_id: string, start?: number, start_id?: string): Comment[] {
    const newest = this.all(task_id, null).reverse();
    if (start === undefined || start_id === undefined) return newest.slice(0, PAGE);
    const older = ({ id, date }: Comment) => date < start || (date === start && id < Number(start_id));
    return newest.filter(older).slice(0, PAGE);
  }

  /** Oldest first. */
  all(task_id: string, parent_id: number | null): Comment[] {
    return this.world.commentsFor(task_id).filter((each) => each.parent_id === parent_id);
  }

  replies(comment: Comment): number {
    return this.all(comment.task_id, comment.id).length;
  }
}
