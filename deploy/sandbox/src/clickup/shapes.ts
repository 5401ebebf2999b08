import { plainText } from './markdown';
import type { Comment, Folder, List, Priority, Space, Task, Team, User, Webhook } from './state';
import type { World } from './world';

/** Objects as a client gets them, with the keys and types of real responses (strings for some numbers, milliseconds as strings). */

const priorities: Record<Priority, { name: string; color: string }> = {
  1: { name: 'urgent', color: '#f50000' },
  2: { name: 'high', color: '#f8ae00' },
  3: { name: 'normal', color: '#6fddff' },
  4: { name: 'low', color: '#d8d8d8' },
};

export function priorityShape(priority: Priority | null) {
  if (priority === null) return null;
  const { name, color } = priorities[priority];
  return { color, id: String(priority), orderindex: String(priority), priority: name };
}

export function statusOf(list: List, name: string) {
  const status = list.statuses.find((each) => each.status === name);
  if (!status) throw new Error(`List ${list.name} has no status ${name}`);
  return status;
}

const date = (ms: number | null): string | null => (ms === null ? null : String(ms));
const folderShape = ({ id, name, hidden }: Folder) => ({ id, name, hidden, access: true });

export interface TaskView {
  markdown?: boolean;
  attachments?: boolean;
}

export function taskShape(world: World, task: Task, { markdown = false, attachments = false }: TaskView = {}) {
  const list = world.listOf(task);
  const space = world.spaceOf(list);
  const { id, status, color, orderindex, type } = statusOf(list, task.status);
  const creator = world.user(task.creator);
  const tags = task.tags.map((name) => ({ ...tagShape(space, name), creator: task.creator }));
  return {
    id: task.id,
    custom_id: task.custom_id ?? null,
    custom_item_id: 0,
    name: task.name,
    ...texts(task, markdown),
    status: { id, status, color, orderindex, type },
    orderindex: `${task.date_created}.00000000000000000000000000000000`,
    ...dates(task),
    archived: task.archived,
    creator,
    assignees: task.assignees.map((each) => world.user(each)),
    group_assignees: [],
    watchers: [creator],
    checklists: [],
    tags,
    parent: task.parent,
    top_level_parent: task.parent,
    priority: priorityShape(task.priority),
    points: null,
    time_estimate: task.time_estimate,
    time_spent: 0,
    custom_fields: list.fields.map((field) => withValue(field, task.values[field.id])),
    dependencies: [],
    linked_tasks: [],
    locations: world
      .listsOf(task)
      .slice(1)
      .map(({ id, name }) => ({ id, name })),
    team_id: space.team_id,
    url: `https://app.clickup.com/t/${task.id}`,
    sharing: { public: false, public_share_expires_on: null, public_fields: ['assignees', 'priority'], token: null, seo_optimized: false },
    permission_level: 'create',
    list: { id: list.id, name: list.name, access: true },
    project: folderShape(world.folderOf(list)),
    folder: folderShape(world.folderOf(list)),
    space: { id: space.id },
    ...(attachments ? { attachments: [] } : {}),
  };
}

function texts({ description, markdown }: Task, asMarkdown: boolean) {
  const text = markdown ? plainText(description) : description;
  return { text_content: text, description: text, ...(asMarkdown ? { markdown_description: description } : {}) };
}

const dates = (task: Task) => ({
  date_created: String(task.date_created),
  date_updated: String(task.date_updated),
  date_closed: date(task.date_closed),
  date_done: date(task.date_done),
  due_date: date(task.due_date),
  start_date: date(task.start_date),
});

/** A field without a value has no `value` key. A dropdown's value is set by the id of the option, and returned as its position. */
function withValue(field: List['fields'][number], value: unknown) {
  if (value === undefined || value === null) return { ...field };
  const option = field.type === 'drop_down' ? field.type_config.options?.find(({ id }) => id === value) : undefined;
  return { ...field, value: option?.orderindex ?? value };
}

export function tagShape(space: Space, name: string) {
  return space.tags.find((tag) => tag.name === name) ?? { name, tag_fg: '#FFFFFF', tag_bg: '#7B68EE' };
}

export function listShape(world: World, list: List, tasks: number) {
  const space = world.spaceOf(list);
  return {
    id: list.id,
    name: list.name,
    orderindex: list.orderindex,
    content: '',
    status: null,
    priority: null,
    assignee: null,
    task_count: tasks,
    due_date: null,
    start_date: null,
    folder: folderShape(world.folderOf(list)),
    space: { id: space.id, name: space.name, access: true },
    archived: list.archived ?? false,
    override_statuses: true,
    permission_level: 'create',
  };
}

export const statusShapes = (list: List) =>
  list.statuses.map(({ id, status, orderindex, color, type }) => ({ id, status, orderindex, color, type }));

export function teamShape(world: World, { id, name, color, member_ids }: Team) {
  return { id, name, color, avatar: null, members: member_ids.map((each) => ({ user: world.user(each) })) };
}

export function spaceShape(world: World, { id, name }: Space) {
  const statuses = world.listsIn(id)[0]?.statuses ?? [];
  return {
    id,
    name,
    private: false,
    color: null,
    avatar: null,
    admin_can_manage: true,
    archived: false,
    statuses: statuses.map(({ status, type, orderindex, color }) => ({ status, type, orderindex, color })),
    multiple_assignees: true,
    features: {
      due_dates: { enabled: true, start_date: true, remap_due_dates: false, remap_closed_due_date: false },
      tags: { enabled: true },
      custom_fields: { enabled: true },
      priorities: { enabled: true },
    },
  };
}

export const userShape = (user: User) => ({ ...user, week_start_day: 1, global_font_support: false, timezone: 'Europe/Berlin' });

export function commentShape(world: World, { id, text, user_id, resolved, assignee, date: at }: Comment, replies: number) {
  return {
    id: String(id),
    comment: [{ text }],
    comment_text: text,
    user: world.user(user_id),
    resolved,
    assignee: assignee === null ? null : world.user(assignee),
    assigned_by: null,
    reactions: [],
    date: String(at),
    reply_count: String(replies),
  };
}

/** Places are numbers in responses about webhooks, and only there. */
export function webhookShape({ id, user_id, team_id, endpoint, client_id, events, task_id, health, secret, ...places }: Webhook) {
  const number = (text: string | null) => (text === null ? null : Number(text));
  return {
    id,
    userid: user_id,
    team_id: Number(team_id),
    endpoint,
    client_id,
    events,
    task_id,
    list_id: number(places.list_id),
    folder_id: number(places.folder_id),
    space_id: number(places.space_id),
    health: { ...health },
    secret,
  };
}
