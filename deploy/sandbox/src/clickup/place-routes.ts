import { type Components, type Route, routesOf } from './route';
import { listShape, spaceShape, statusShapes, teamShape, userShape } from './shapes';
import type { Folder, List, Token } from './state';
import type { World } from './world';

/** Workspaces, spaces, folders and lists, and the people in them. None of these is paginated. */
export function placeRoutes(components: Components): Route[] {
  return [...spaceRoutes(components), ...listRoutes(components)];
}

function spaceRoutes({ world }: Components): Route[] {
  return routesOf({
    'GET /v2/user': ({ user }) => ({ user: userShape(user) }),
    'GET /v2/team': ({ token }) => ({
      teams: [...world.teams.values()].filter(({ id }) => world.reaches(token, id)).map((team) => teamShape(world, team)),
    }),
    'GET /v2/team/{team_id}/space': ({ token, params, query }) => {
      const team = world.teamFor(token, params.team_id ?? '');
      const spaces = [...world.spaces.values()].filter((space) => space.team_id === team.id && world.seesSpace(token, space));
      return { spaces: query.get('archived') === 'true' ? [] : spaces.map((space) => spaceShape(world, space)) };
    },
    'GET /v2/space/{space_id}/folder': ({ token, params, query }) => {
      const space = world.spaceFor(token, params.space_id ?? '');
      return { folders: foldersOf(world, space.id, query.get('archived') === 'true') };
    },
    'GET /v2/team/{team_id}/shared': ({ token, params }) => ({ shared: sharedWith(world, token, params.team_id ?? '') }),
    'GET /v2/space/{space_id}/tag': ({ token, params }) => ({ tags: world.spaceFor(token, params.space_id ?? '').tags }),
  });
}

function listRoutes({ world }: Components): Route[] {
  const one = (list: List) => listShape(world, list, tasksIn(world, list));
  const asked = (archived: string | null, lists: List[]) =>
    lists.filter((list) => isArchived(world, list) === (archived === 'true')).map(one);
  return routesOf({
    'GET /v2/folder/{folder_id}/list': ({ token, params, query }) => {
      const { id, space_id } = world.folderFor(token, params.folder_id ?? '');
      return {
        lists: asked(
          query.get('archived'),
          world.listsIn(space_id).filter((list) => list.folder_id === id),
        ),
      };
    },
    'GET /v2/space/{space_id}/list': ({ token, params, query }) => {
      const { id } = world.spaceFor(token, params.space_id ?? '');
      return {
        lists: asked(
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
    // Only people who were given access to this list itself: none, in a workspace where lists are open to all.
    'GET /v2/list/{list_id}/member': ({ token, params }) => {
      world.listFor(token, params.list_id ?? '');
      return { members: [] };
    },
  });
}

/** Archiving a folder also archives its lists. */
const isArchived = (world: World, list: List): boolean => (list.archived ?? false) || (world.folderOf(list).archived ?? false);

/** Everything that was shared with this user by name, in the shapes of the reference. */
function sharedWith(world: World, token: Token, team_id: string) {
  const team = world.teamFor(token, team_id);
  const isHere = ({ space_id }: Folder | List) => world.spaces.get(space_id)?.team_id === team.id;
  const isShared = (place: Folder | List) => isHere(place) && (place.shared_with?.includes(token.user_id) ?? false);
  const lists = [...world.lists.values()].filter((list) => isShared(list) && !list.deleted);
  const folders = [...world.folders.values()].filter(isShared);
  const nothing = { content: null, status: null, priority: null, assignee: null, due_date: null, start_date: null };
  return {
    tasks: [],
    lists: lists.map((list) => ({
      id: list.id,
      name: list.name,
      orderindex: list.orderindex,
      ...nothing,
      task_count: String(tasksIn(world, list)),
      archived: isArchived(world, list),
    })),
    folders: folders.map(({ id, name, archived }, orderindex) => ({
      id,
      name,
      orderindex,
      content: null,
      task_count: '0',
      due_date: null,
      archived: archived ?? false,
    })),
  };
}

/** The lists in a folder are included, even archived ones. */
function foldersOf(world: World, space_id: string, archived: boolean) {
  const folders = [...world.folders.values()].filter(
    (folder) => folder.space_id === space_id && !folder.hidden && (folder.archived ?? false) === archived,
  );
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
      archived,
      statuses: [],
      lists: shapes,
    };
  });
}

const tasksIn = (world: World, list: List): number =>
  [...world.tasks.values()].reduce((sum, task) => sum + (task.list_id === list.id && !task.deleted ? 1 : 0), 0);
