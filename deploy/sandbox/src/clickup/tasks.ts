import { ClickUpError } from './errors';
import type { Events } from './events';
import type { Field, List, Priority, Status, Task, User } from './state';
import type { World } from './world';

/** The fields of a new task. Unlike in a change, tags and custom fields are applied. */
export interface TaskInput {
  name: string;
  description?: string;
  markdown_content?: string;
  status?: string;
  priority?: number | null;
  assignees?: number[];
  tags?: string[];
  due_date?: number | null;
  start_date?: number | null;
  time_estimate?: number | null;
  parent?: string | null;
  custom_fields?: { id: string; value: unknown }[];
}

/** The fields that a change applies. `tags` and `custom_fields` of a request are ignored, as in ClickUp. */
export interface TaskChange extends Omit<Partial<TaskInput>, 'assignees' | 'tags' | 'custom_fields'> {
  assignees?: { add?: number[]; rem?: number[] };
  archived?: boolean;
}

/** Changes to tasks, by the API, by a person in a test and by the page alike: each change is sent to the webhooks. */
export class Tasks {
  constructor(
    private readonly world: World,
    private readonly events: Events,
  ) {}

  create(list: List, input: TaskInput, by: User): Task {
    checkDescription(input);
    if (input.name.trim() === '') throw new ClickUpError(400, 'INPUT_005', 'Task name invalid');
    const at = this.world.now();
    const status = input.status === undefined ? firstStatus(list) : statusNamed(list, input.status);
    for (const id of input.assignees ?? []) this.member(list, id);
    const values = Object.fromEntries((input.custom_fields ?? []).map(({ id, value }) => [id, checkedValue(list, id, value)]));
    const task: Task = {
      id: this.world.ids.task(),
      list_id: list.id,
      name: input.name,
      description: input.markdown_content ?? input.description ?? '',
      markdown: input.markdown_content !== undefined,
      status: status.status,
      priority: priorityOf(input.priority),
      assignees: [...new Set(input.assignees ?? [])],
      tags: [...new Set((input.tags ?? []).map((name) => this.tagIn(list, name)))],
      due_date: input.due_date ?? null,
      start_date: input.start_date ?? null,
      time_estimate: input.time_estimate ?? null,
      parent: input.parent ?? null,
      values,
      archived: false,
      creator: by.id,
      date_created: at,
      date_updated: at,
      ...doneDates(status, at),
      deleted: false,
    };
    this.world.tasks.set(task.id, task);
    this.world.changed();
    this.events.created(task, by);
    return task;
  }

  /** Validates the whole change before applying it. A field that already has the requested value causes no change and no event. */
  change(task: Task, change: TaskChange, by: User): Task {
    checkDescription(change);
    const list = this.world.listOf(task);
    if (change.name?.trim() === '') throw new ClickUpError(400, 'INPUT_005', 'Task name invalid');
    const status = change.status === undefined ? undefined : statusNamed(list, change.status);
    const priority = change.priority === undefined ? undefined : priorityOf(change.priority);
    for (const id of change.assignees?.add ?? []) this.member(list, id);
    if (change.name !== undefined) this.rename(task, change.name, by);
    this.describe(task, change, by);
    if (status) this.setStatus(task, status, by);
    if (priority !== undefined) this.setPriority(task, priority, by);
    this.assign(task, change.assignees ?? {}, by);
    this.setDates(task, change, by);
    if (change.archived !== undefined && change.archived !== task.archived) {
      task.archived = change.archived;
      this.touch(task);
    }
    return task;
  }

  addTag(task: Task, name: string, by: User): void {
    const tag = this.tagIn(this.world.listOf(task), name);
    if (task.tags.includes(tag)) return;
    task.tags.push(tag);
    this.touch(task);
    this.events.tagsChanged(task, tag, true, by);
  }

  removeTag(task: Task, name: string, by: User): void {
    const tag = task.tags.find((each) => sameName(each, name));
    if (tag === undefined) return;
    task.tags = task.tags.filter((each) => each !== tag);
    this.touch(task);
    this.events.tagsChanged(task, tag, false, by);
  }

  setField(task: Task, field_id: string, value: unknown, by: User): void {
    const before = task.values[field_id];
    const after = checkedValue(this.world.listOf(task), field_id, value);
    if (JSON.stringify(before ?? null) === JSON.stringify(after)) return;
    task.values[field_id] = after;
    this.touch(task);
    this.events.fieldChanged(task, field_id, before, by);
  }

  remove(task: Task): void {
    task.deleted = true;
    this.touch(task);
    this.events.deleted(task);
  }

  /** In the user interface only: version 2 of the API cannot move tasks. A status that the other list lacks becomes its first one. */
  move(task: Task, to: List, by: User): void {
    const from = this.world.listOf(task);
    if (from.id === to.id) return;
    const status = to.statuses.find((each) => sameName(each.status, task.status)) ?? firstStatus(to);
    task.list_id = to.id;
    task.status = status.status;
    this.touch(task);
    this.events.moved(task, from, by);
  }

  /** Deletes its tasks too, without events for them. */
  removeList(list: List): void {
    for (const task of this.world.tasks.values()) if (task.list_id === list.id) task.deleted = true;
    this.events.listDeleted(list);
    list.deleted = true;
    this.world.changed();
  }

  touch(task: Task): void {
    task.date_updated = this.world.now();
    this.world.changed();
  }

  private rename(task: Task, name: string, by: User): void {
    const before = task.name;
    if (before === name) return;
    task.name = name;
    this.touch(task);
    this.events.renamed(task, before, by);
  }

  /** `markdown_content` takes precedence over `description`; a single space clears the description, an empty string changes nothing. */
  private describe(task: Task, { description, markdown_content }: TaskChange, by: User): void {
    const given = markdown_content ?? description;
    if (given === undefined || given === '') return;
    const before = task.description;
    const after = given === ' ' ? '' : given;
    if (before === after) return;
    task.description = after;
    task.markdown = markdown_content !== undefined;
    this.touch(task);
    this.events.described(task, before, by);
  }

  private setStatus(task: Task, status: Status, by: User): void {
    const before = task.status;
    if (before === status.status) return;
    task.status = status.status;
    Object.assign(task, doneDates(status, this.world.now()));
    this.touch(task);
    this.events.statusChanged(task, before, by);
  }

  private setPriority(task: Task, priority: Priority | null, by: User): void {
    const before = task.priority;
    if (before === priority) return;
    task.priority = priority;
    this.touch(task);
    this.events.priorityChanged(task, before, by);
  }

  private assign(task: Task, { add = [], rem = [] }: { add?: number[]; rem?: number[] }, by: User): void {
    for (const id of add.filter((each) => !task.assignees.includes(each))) {
      task.assignees.push(id);
      this.touch(task);
      this.events.assigneeChanged(task, id, true, by);
    }
    for (const id of rem.filter((each) => task.assignees.includes(each))) {
      task.assignees = task.assignees.filter((each) => each !== id);
      this.touch(task);
      this.events.assigneeChanged(task, id, false, by);
    }
  }

  private setDates(task: Task, { due_date, start_date, time_estimate }: TaskChange, by: User): void {
    const before = task.due_date;
    const others = { start_date: start_date ?? task.start_date, time_estimate: time_estimate ?? task.time_estimate };
    if (others.start_date !== task.start_date || others.time_estimate !== task.time_estimate) {
      Object.assign(task, others);
      this.touch(task);
    }
    if (due_date === undefined || due_date === before) return;
    task.due_date = due_date;
    this.touch(task);
    this.events.dueDateChanged(task, before, by);
  }

  private member(list: List, user_id: number): void {
    if (!this.world.teamOf(list).member_ids.includes(user_id)) throw new ClickUpError(400, 'SANDBOX_ASSIGNEE', 'Assignee is no member');
  }

  /** The space's spelling of a tag, which is created at its first use. */
  private tagIn(list: List, name: string): string {
    const { tags } = this.world.spaceOf(list);
    const there = tags.find((tag) => sameName(tag.name, name));
    if (!there) tags.push({ name, tag_fg: '#FFFFFF', tag_bg: '#7B68EE' });
    return there?.name ?? name;
  }
}

/** "Task descriptions cannot exceed 256 KB" (help.clickup.com, "Intro to tasks"); the error code is not documented. */
function checkDescription({ markdown_content, description }: Pick<TaskInput, 'markdown_content' | 'description'>): void {
  if (Buffer.byteLength(markdown_content ?? description ?? '') > 256 * 1_000)
    throw new ClickUpError(400, 'SANDBOX_DESCRIPTION', 'Task description exceeds 256 KB');
}

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function firstStatus(list: List): Status {
  const [first] = list.statuses;
  if (!first) throw new Error(`List ${list.name} has no statuses`);
  return first;
}

function statusNamed(list: List, name: string): Status {
  const status = list.statuses.find((each) => sameName(each.status, name));
  if (!status) throw new ClickUpError(400, 'CRTSK_001', 'Status not found');
  return status;
}

function priorityOf(priority: number | null | undefined): Priority | null {
  if (priority === undefined || priority === null) return null;
  if (![1, 2, 3, 4].includes(priority)) throw new ClickUpError(400, 'SANDBOX_PRIORITY', 'Priority invalid');
  return priority as Priority;
}

const doneDates = ({ type }: Status, at: number) => ({
  date_done: type === 'done' || type === 'closed' ? at : null,
  date_closed: type === 'closed' ? at : null,
});

const isText = (value: unknown): value is string => typeof value === 'string';
const isOption = ({ type_config }: Field, value: unknown): boolean => (type_config.options ?? []).some(({ id }) => id === value);
/** Whether a field of this type accepts a value, as the reference describes it. Other types accept every value. */
const accepts: Record<string, (value: unknown, field: Field) => boolean> = {
  text: isText,
  short_text: isText,
  email: (value) => isText(value) && /^[^\s@]+@[^\s@]+$/.test(value),
  url: (value) => isText(value) && URL.canParse(value),
  number: Number.isFinite,
  currency: Number.isFinite,
  date: Number.isInteger,
  checkbox: (value) => typeof value === 'boolean',
  drop_down: (value, field) => isOption(field, value),
  labels: (value, field) => Array.isArray(value) && value.every((each) => isOption(field, each)),
};

/** Null removes the value. ClickUp's code for an invalid value is documented for email addresses only. */
function checkedValue(list: List, field_id: string, value: unknown): unknown {
  const field = list.fields.find(({ id }) => id === field_id);
  if (!field) throw new ClickUpError(400, 'SANDBOX_FIELD', 'Custom field is not enabled for this task');
  if (value === null || (accepts[field.type]?.(value, field) ?? true)) return value;
  throw field.type === 'email'
    ? new ClickUpError(400, 'FIELD_011', 'Value is not a valid email')
    : new ClickUpError(400, 'FIELD_SANDBOX', `Value is not valid for a field of the type ${field.type}`);
}
