import type { Comments } from './comments';
import type { Comment, List, Task, User } from './state';
import type { TaskInput, Tasks } from './tasks';
import type { World } from './world';

/** A person who works in ClickUp's user interface: every change takes effect immediately and is sent to the webhooks. */
export class Person {
  constructor(
    readonly user: User,
    private readonly components: { world: World; tasks: Tasks; comments: Comments },
    private readonly listNamed: (name: string) => List,
  ) {}

  /** In the list with this name or id. */
  createTask(list: string, input: TaskInput): Task {
    return this.components.tasks.create(this.listNamed(list), input, this.user);
  }

  setStatus(task_id: string, status: string): void {
    this.components.tasks.change(this.task(task_id), { status }, this.user);
  }

  /** 1 urgent, 2 high, 3 normal, 4 low, null none. */
  setPriority(task_id: string, priority: 1 | 2 | 3 | 4 | null): void {
    this.components.tasks.change(this.task(task_id), { priority }, this.user);
  }

  rename(task_id: string, name: string): void {
    this.components.tasks.change(this.task(task_id), { name }, this.user);
  }

  /** An empty string clears the description. */
  describe(task_id: string, markdown: string): void {
    this.components.tasks.change(this.task(task_id), { markdown_content: markdown === '' ? ' ' : markdown }, this.user);
  }

  setDueDate(task_id: string, due_date: number | null): void {
    this.components.tasks.change(this.task(task_id), { due_date }, this.user);
  }

  setField(task_id: string, field_id: string, value: unknown): void {
    this.components.tasks.setField(this.task(task_id), field_id, value, this.user);
  }

  /** By email address or id. */
  assign(task_id: string, whom: string | number): void {
    this.components.tasks.change(this.task(task_id), { assignees: { add: [this.id(whom)] } }, this.user);
  }

  unassign(task_id: string, whom: string | number): void {
    this.components.tasks.change(this.task(task_id), { assignees: { rem: [this.id(whom)] } }, this.user);
  }

  addTag(task_id: string, name: string): void {
    this.components.tasks.addTag(this.task(task_id), name, this.user);
  }

  removeTag(task_id: string, name: string): void {
    this.components.tasks.removeTag(this.task(task_id), name, this.user);
  }

  /** Returns the comment's id. */
  comment(task_id: string, text: string, { replyTo }: { replyTo?: number } = {}): number {
    return this.components.comments.post(this.task(task_id), text, this.user, { parent_id: replyTo ?? null }).id;
  }

  editComment(id: number, text: string): void {
    this.components.comments.edit(this.findComment(id), { text }, this.user);
  }

  deleteComment(id: number): void {
    this.components.comments.remove(this.findComment(id));
  }

  /** The custom task id in the workspace: `DEV-12`. */
  setCustomId(task_id: string, custom_id: string): void {
    this.task(task_id).custom_id = custom_id;
  }

  deleteTask(task_id: string): void {
    this.components.tasks.remove(this.task(task_id));
  }

  /** Archived tasks keep their state; lists return them only if the archive is requested. */
  archive(task_id: string): void {
    this.components.tasks.change(this.task(task_id), { archived: true }, this.user);
  }

  /** Shows the task in another list as well; its home list does not change. */
  addToList(task_id: string, list: string): void {
    const task = this.task(task_id);
    task.also_in = [...(task.also_in ?? []), this.listNamed(list).id];
    this.components.tasks.touch(task);
  }

  /** Moves the task to the list with this name or id. */
  moveTask(task_id: string, list: string): void {
    this.components.tasks.move(this.task(task_id), this.listNamed(list), this.user);
  }

  deleteList(list: string): void {
    this.components.tasks.removeList(this.listNamed(list));
  }

  private task(id: string): Task {
    const task = this.components.world.tasks.get(id);
    if (!task || task.deleted) throw new Error(`There is no task ${id}`);
    return task;
  }

  private findComment(id: number): Comment {
    const comment = this.components.world.comments.get(id);
    if (!comment) throw new Error(`There is no comment ${id}`);
    return comment;
  }

  private id(whom: string | number): number {
    const user = [...this.components.world.users.values()].find(({ id, email }) => id === whom || email === whom);
    if (!user) throw new Error(`Unknown user ${whom}`);
    return user.id;
  }
}
