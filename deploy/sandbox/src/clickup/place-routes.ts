import { notAuthorized } from './errors';
import { type House, type Route, routesOf } from './route';
import { listShape, spaceShape, statusShapes, teamShape, userShape } from './shapes';
import type { List, Token } from './state';
import type { World } from './world';

/** Workspaces, spaces, folders and lists, and the people in them. None of these is paginated. */
export function placeRoutes(house: House): Route[] {
  return [...spaceRoutes(house), ...listRoutes(house)];
}

function spaceRoutes({ world }: House): Route[] {
  return routesOf({
    'GET /v2/user': ({ user }) => ({ user: userShape(user) }),
    'GET /v2/team': ({ token }) => ({
      teams: [...world.teams.values()].filter(({ id }) => world.reaches(token, id)).map((team) => teamShape(world, team)),
    }),
    'GET /v2/team/{team_id}/space': ({ token, params, query }) => {
      const team = world.teamFor(token, params.team_id ?? '');
      const spaces = [...world.spaces.values()].filter((space) => space.team_id === team.id);
      return { spaces: query.get('archived') === 'true' ? [] : spaces.map((space) => spaceShape(world, space)) };
    },
    'GET /v2/space/{space_id}/folder': ({ token, params, query }) => {
      const space = world.spaceFor(token, params.space_id ?? '');
      return { folders: query.get('archived') === 'true' ? [] : foldersOf(world, space.id) };
    },
    'GET /v2/space/{space_id}/tag': ({ token, params }) => ({ tags: world.spaceFor(token, params.space_id ?? '').tags }),
  });
}

function listRoutes({ world }: House): Route[] {
  const one = (list: List) => listShape(world, list, tasksIn(world, list));
  const open = (archived: string | null, lists: List[]) => (archived === 'true' ? [] : lists.map(one));
  return routesOf({
    'GET /v2/folder/{folder_id}/list': ({ token, params, query }) => {
      const { id, space_id } = folderFor(world, token, params.folder_id ?? '');
      return {
        lists: open(
          query.get('archived'),
          world.listsIn(space_id).filter((list) => list.folder_id === id),
        ),
      };
    },
    'GET /v2/space/{space_id}/list': ({ token, params, query }) => {
      const { id } = world.spaceFor(token, params.space_id ?? '');
      return {
        lists: open(
          query.get('archived'),
          world.listsIn(id).filter((list) => world.folderOf(list).hidden),
        ),
      };
    },
    'GET /v2/list/{list_id}': ({ token, params }) => {
      const list = world.listFor(token, params.list_id ?? '');
      const inbound_address = `add.task.${list.id}.sandbox@tasks.clickup.test`;
      return { ...one(list), inbound_address, statuses: statusShapes(list) };
    },
    'GET /v2/list/{list_id}/field': ({ token, params }) => ({ fields: world.listFor(token, params.list_id ?? '').fields }),
    // Only people who were given this very list: nobody, in a workspace where lists are open to all.
    'GET /v2/list/{list_id}/member': ({ token, params }) => {
      world.listFor(token, params.list_id ?? '');
      return { members: [] };
    },
  });
}

function folderFor(world: World, token: Token, id: string) {
  const folder = world.folders.get(id);
  if (!folder) throw notAuthorized();
  world.spaceFor(token, folder.space_id);
  return folder;
}

function foldersOf(world: World, space_id: string) {
  const folders = [...world.folders.values()].filter((folder) => folder.space_id === space_id && !folder.hidden);
  return folders.map(({ id, name, hidden }, orderindex) => {
    const lists = world.listsIn(space_id).filter((list) => list.folder_id === id);
    const tasks = lists.reduce((sum, list) => sum + tasksIn(world, list), 0);
    const space = { id: space_id, name: world.spaces.get(space_id)?.name, access: true };
    const shapes = lists.map((list) => ({ ...listShape(world, list, tasksIn(world, list)), statuses: statusShapes(list) }));
    return {
      id,
      name,
      orderindex,
      override_statuses: false,
      hidden,
      space,
      task_count: String(tasks),
      archived: false,
      statuses: [],
      lists: shapes,
    };
  });
}

const tasksIn = (world: World, list: List): number =>
  [...world.tasks.values()].reduce((sum, task) => sum + (task.list_id === list.id && !task.deleted ? 1 : 0), 0);
