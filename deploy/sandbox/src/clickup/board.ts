import { asksForLocalhost, comesFromOwnPage, type SandboxAnswer, type SandboxRequest } from '../http';
import { boardPage, htmlAnswer } from './board-page';
import { boardScript } from './board-script';
import { boardStyle } from './board-style';
import { ClickUpError } from './errors';
import type { Person } from './person';
import type { Components } from './route';
import { statusShapes } from './shapes';
import type { Field, List, Task } from './state';

/** Maximum number of cards per list, most recently changed first. */
const MOST_CARDS = 300;

interface Action {
  /** Email address of the user who does it. */
  as: string;
  do: string;
  task?: string;
  list?: string;
  value?: string;
}

/** The page at `/`, on which people see and change tasks, and the routes that it calls. */
export class Board {
  constructor(
    private readonly components: Components,
    private readonly as: (email: string) => Person,
    /** Returned by `/sandbox/instance`, so that a starter recognizes its own process. */
    private readonly directory: string,
  ) {}

  handle(request: SandboxRequest): SandboxAnswer {
    if (!asksForLocalhost(request)) return { status: 421, body: 'Use the host name localhost.' };
    const { method, url } = request;
    if (method === 'POST' && url.pathname === '/sandbox/do') return this.act(request);
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'Method not allowed' };
    if (url.pathname === '/') return htmlAnswer(boardPage);
    if (url.pathname === '/sandbox/page.css') return file('text/css', boardStyle);
    if (url.pathname === '/sandbox/page.js') return file('text/javascript', boardScript);
    if (url.pathname === '/sandbox/instance') return { status: 200, body: { directory: this.directory } };
    if (url.pathname === '/sandbox/board') return this.overview(url.searchParams.get('since'));
    const task = this.components.world.tasks.get(url.pathname.replace('/sandbox/tasks/', ''));
    return task && !task.deleted ? { status: 200, body: this.detail(task) } : { status: 404, body: 'Not found' };
  }

  private overview(since: string | null): SandboxAnswer {
    const { world } = this.components;
    if (since === String(world.version)) return { status: 204 };
    const byList = new Map<string, Task[]>();
    for (const task of world.tasks.values()) {
      if (task.deleted || task.archived) continue;
      const tasks = byList.get(task.list_id);
      if (tasks) tasks.push(task);
      else byList.set(task.list_id, [task]);
    }
    const lists = [...world.lists.values()].filter(({ deleted }) => !deleted).map((list) => this.listCard(list, byList.get(list.id) ?? []));
    const webhooks = [...world.webhooks.values()].map(({ id, health }) => ({ id, ...health }));
    return { status: 200, body: { version: world.version, people: [...world.users.values()], lists, webhooks } };
  }

  private listCard(list: List, tasks: Task[]) {
    const { world } = this.components;
    const folder = world.folderOf(list);
    const shown = tasks.sort((one, other) => other.date_updated - one.date_updated).slice(0, MOST_CARDS);
    return {
      id: list.id,
      name: list.name,
      place: [world.teamOf(list).name, world.spaceOf(list).name, ...(folder.hidden ? [] : [folder.name])].join(' / '),
      statuses: statusShapes(list),
      count: tasks.length,
      tasks: shown.map((task) => this.card(task)),
    };
  }

  private card({ id, name, status, priority, assignees, tags, date_updated }: Task) {
    return { id, name, status, priority, assignees, tags, date_updated, comments: this.components.world.commentsFor(id).length };
  }

  private detail(task: Task) {
    const { world } = this.components;
    const fields = world.listOf(task).fields.flatMap((field) => {
      const value = task.values[field.id];
      return value == null ? [] : [{ name: field.name, value: displayed(field, value) }];
    });
    const comments = world
      .commentsFor(task.id)
      .map(({ id, text, user_id, date }) => ({ id, text, by: world.user(user_id).username, date }));
    return {
      ...this.card(task),
      list_id: task.list_id,
      description: task.description,
      due_date: task.due_date,
      fields,
      conversation: comments,
    };
  }

  private act(request: SandboxRequest): SandboxAnswer {
    if (!comesFromOwnPage(request)) return { status: 403, body: 'Only this page may send this request.' };
    const action = actionOf(request.body);
    if (!action) return { status: 400, body: { error: 'Unknown action.' } };
    try {
      return { status: 200, body: { task: this.perform(this.as(action.as), action) } };
    } catch (error) {
      // A ClickUpError is shown to the user; any other error is a bug and is logged.
      if (!(error instanceof ClickUpError)) console.error(error);
      return { status: 400, body: { error: (error as Error).message } };
    }
  }

  /** Returns the task's id. */
  private perform(person: Person, { do: what, task = '', list = '', value = '' }: Action): string {
    if (what === 'create') return person.createTask(list, { name: value }).id;
    if (what === 'rename') person.rename(task, value);
    else if (what === 'describe') person.describe(task, value);
    else if (what === 'status') person.setStatus(task, value);
    else if (what === 'priority') person.setPriority(task, value === '' ? null : (Number(value) as 1));
    else if (what === 'assign') person.assign(task, Number(value));
    else if (what === 'unassign') person.unassign(task, Number(value));
    else if (what === 'comment') person.comment(task, value);
    else if (what === 'move') person.moveTask(task, value);
    else if (what === 'delete') person.deleteTask(task);
    else throw new ClickUpError(400, 'SANDBOX_ACTION', `Unknown action “${what}”.`);
    return task;
  }
}

const file = (type: string, body: string): SandboxAnswer => ({
  status: 200,
  body,
  headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
});

function actionOf(body: Buffer): Action | undefined {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const known = ['as', 'do', 'task', 'list', 'value'].filter((key) => parsed[key] !== undefined);
    const fits = known.every((key) => typeof parsed[key] === 'string') && parsed.as !== undefined && parsed.do !== undefined;
    return fits ? (parsed as unknown as Action) : undefined;
  } catch {
    return undefined;
  }
}

/** Options by their names. */
function displayed({ type, type_config }: Field, value: unknown): string {
  if (type === 'date') return new Date(value as number).toISOString().slice(0, 10);
  const nameOf = (each: unknown) => {
    const option = type_config.options?.find(({ id }) => id === each);
    return option?.name ?? option?.label ?? String(each);
  };
  return Array.isArray(value) ? value.map(nameOf).join(', ') : nameOf(value);
}
