import { ClickUpError } from './errors';
import { statusOf } from './shapes';
import type { Task } from './state';
import { sameName } from './tasks';
import type { World } from './world';

const PAGE = 100;

const orders: Record<string, (task: Task) => number> = {
  created: (task) => task.date_created,
  updated: (task) => task.date_updated,
  due_date: (task) => task.due_date ?? 0,
  id: () => 0,
};

/** A page of tasks. Parameters that ClickUp ignores (`limit`, `query`) are ignored here too. */
export function pageOfTasks(
  world: World,
  candidates: (task: Task) => boolean,
  query: URLSearchParams,
): { tasks: Task[]; last_page: boolean } {
  const order = orders[query.get('order_by') ?? 'created'];
  // ClickUp's actual response to an unknown order, including `closed`.
  if (!order) throw new ClickUpError(500, 'ITEMV2_003', 'Internal server error');
  const found = [...world.tasks.values()].filter((task) => !task.deleted && candidates(task) && passes(world, task, query));
  // Default order: newest first. Equal dates are ordered by id, or pages would overlap.
  found.sort((one, other) => order(other) - order(one) || (one.id < other.id ? 1 : -1));
  if (query.get('reverse') === 'true') found.reverse();
  const from = Number(query.get('page') ?? 0) * PAGE;
  return { tasks: found.slice(from, from + PAGE), last_page: from + PAGE >= found.length };
}

function passes(world: World, task: Task, query: URLSearchParams): boolean {
  return (
    task.archived === (query.get('archived') === 'true') &&
    (task.parent === null || query.get('subtasks') === 'true') &&
    hasStatus(world, task, query) &&
    inTime(task, query) &&
    isAmong(query.getAll('assignees[]'), task.assignees.map(String)) &&
    isAmong(query.getAll('tags[]'), task.tags)
  );
}

/** By default closed tasks are hidden; a filter by status includes them. */
function hasStatus(world: World, task: Task, query: URLSearchParams): boolean {
  const named = query.getAll('statuses[]');
  if (named.length > 0) return named.some((name) => sameName(name, task.status));
  return query.get('include_closed') === 'true' || statusOf(world.listOf(task), task.status).type !== 'closed';
}

function inTime(task: Task, query: URLSearchParams): boolean {
  const dates = { due_date: task.due_date, date_created: task.date_created, date_updated: task.date_updated, date_done: task.date_done };
  return Object.entries(dates).every(([name, at]) => {
    const after = query.get(`${name}_gt`);
    const before = query.get(`${name}_lt`);
    if (after === null && before === null) return true;
    return at !== null && (after === null || at > Number(after)) && (before === null || at < Number(before));
  });
}

const isAmong = (wanted: string[], there: string[]): boolean =>
  wanted.length === 0 || wanted.some((each) => there.some((other) => sameName(each, other)));
