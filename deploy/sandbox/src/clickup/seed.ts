import type { Field, List, Status, User } from './state';
import type { World } from './world';

const people: [id: number, username: string, email: string, color: string][] = [
  [81_600_183, 'Grace Okafor', 'admin@demo.test', '#7b68ee'],
  [81_600_184, 'Tomas Lindqvist', 'manager@demo.test', '#0f9d9f'],
  [81_600_185, 'Priya Raman', 'agent@demo.test', '#d6409f'],
];

type StatusPlan = [status: string, type: Status['type'], color: string][];

const support: StatusPlan = [
  ['To Do', 'open', '#87909e'],
  ['In Progress', 'custom', '#5f55ee'],
  ['Review', 'custom', '#b660e0'],
  ['Complete', 'done', '#1f9d57'],
  ['Closed', 'closed', '#008844'],
];
const bugs: StatusPlan = [
  ['Open', 'open', '#87909e'],
  ['in progress', 'custom', '#1090e0'],
  ['Closed', 'closed', '#008844'],
];
const product: StatusPlan = support.filter(([status]) => status !== 'Review');

/** The content of a new sandbox: two workspaces, three people who are in both, and lists with different statuses. */
export function seedDemo(world: World): void {
  for (const [id, username, email, color] of people) world.users.set(id, person(id, username, email, color));
  const northwind = addTeam(world, 'Northwind');
  const supportSpace = addSpace(world, northwind, 'Support');
  const customerEmail = emailField(world, 'Customer Email');
  addList(world, supportSpace, 'Customer tickets', support, { fields: [customerEmail] });
  addList(world, supportSpace, 'Bugs', bugs, { folder: 'Engineering' });
  addList(world, addSpace(world, northwind, 'Product'), 'Ideas', product);
  addList(world, addSpace(world, addTeam(world, 'Other'), 'Elsewhere'), 'Other tasks', support);
}

export function person(id: number, username: string, email: string, color: string): User {
  const initials = username
    .split(' ')
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');
  return { id, username, email, color, initials, profilePicture: null };
}

export function addTeam(world: World, name: string): string {
  const id = world.ids.place();
  world.teams.set(id, { id, name, color: '#536cfe', member_ids: [...world.users.keys()] });
  return id;
}

export function addSpace(world: World, team_id: string, name: string): string {
  const id = world.ids.place();
  world.spaces.set(id, { id, team_id, name, tags: [] });
  return id;
}

/** Adds a list in a folder of this name, or in its own hidden folder. */
export function addList(
  world: World,
  space_id: string,
  name: string,
  plan: StatusPlan = support,
  { folder, fields = [] }: { folder?: string; fields?: Field[] } = {},
): List {
  const folder_id = folderNamed(world, space_id, folder);
  const id = world.ids.place();
  const statuses = plan.map(([status, type, color], orderindex) => ({ id: `sc${id}_${orderindex}`, status, type, orderindex, color }));
  const orderindex = world.listsIn(space_id).length;
  const list: List = { id, folder_id, space_id, name, orderindex, statuses, fields, deleted: false };
  world.lists.set(id, list);
  world.changed();
  return list;
}

function folderNamed(world: World, space_id: string, name: string | undefined): string {
  const there = [...world.folders.values()].find((each) => each.space_id === space_id && !each.hidden && each.name === name);
  if (there) return there.id;
  const id = world.ids.place();
  world.folders.set(id, { id, space_id, name: name ?? 'hidden', hidden: name === undefined });
  return id;
}

const emailField = (world: World, name: string): Field => aField(world, name, 'email', []);

/** A custom field; `options` are the names of those of a `drop_down` or of `labels`. */
export function aField(world: World, name: string, type: string, options: string[]): Field {
  const named = options.map((option, orderindex) => {
    const id = world.ids.uuid();
    return type === 'labels' ? { id, label: option, color: null } : { id, name: option, color: null, orderindex };
  });
  const type_config = options.length > 0 ? { options: named } : {};
  return { id: world.ids.uuid(), name, type, type_config, date_created: String(world.now()), hide_from_guests: false, required: false };
}
