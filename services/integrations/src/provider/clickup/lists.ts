import { readAnswer } from '../read';
import { usableFields } from './custom-fields';
import { ToolError, type Choice, type ExternalUser, type ListDescription, type ToolCall } from '../task-tool';
import {
  type Archivable,
  byOrder,
  Fields,
  Folders,
  List,
  Lists,
  SharedHierarchy,
  Spaces,
  statusOf,
  Teams,
  UserAnswer,
  userOf,
} from './shapes';

const at = encodeURIComponent;
const get = (call: ToolCall, path: string) => call({ method: 'GET', path });
const choice = ({ id, name }: Choice): Choice => ({ id, name });
const inUse = <Place extends Archivable>(places: Place[]): Place[] => places.filter(({ archived }) => !archived);

/** Prefix of a placeholder space, for lists shared with a guest who cannot see their spaces. */
const sharedPrefix = 'shared:';

export async function whoAmI(call: ToolCall): Promise<ExternalUser> {
  return userOf(readAnswer(UserAnswer, await get(call, '/v2/user')).user);
}

export async function listWorkspaces(call: ToolCall): Promise<Choice[]> {
  return readAnswer(Teams, await get(call, '/v2/team')).teams.map(choice);
}

/** Individually shared lists and folders have no space that this account can see: they are offered as one additional space. */
export async function listSpaces(call: ToolCall, workspace_id: string): Promise<Choice[]> {
  const { spaces } = readAnswer(Spaces, await get(call, `/v2/team/${at(workspace_id)}/space?archived=false`));
  const { lists, folders } = await sharedIn(call, workspace_id).catch(noneWhereRefused);
  const shared = lists.length + folders.length > 0 ? [{ id: sharedPrefix + workspace_id, name: 'Shared with me' }] : [];
  return [...spaces.map(choice), ...shared];
}

async function sharedIn(call: ToolCall, workspace_id: string) {
  const { shared } = readAnswer(SharedHierarchy, await get(call, `/v2/team/${at(workspace_id)}/shared`));
  return { lists: inUse(shared.lists), folders: inUse(shared.folders) };
}

/** Lists of a space are directly in it or in one of its folders. */
export async function listLists(call: ToolCall, { space_id }: { space_id?: string }): Promise<Choice[]> {
  if (space_id === undefined) throw new ToolError('refused', 'Choose a space: ClickUp’s lists are in spaces');
  if (space_id.startsWith(sharedPrefix)) return listShared(call, space_id.slice(sharedPrefix.length));
  const { folders } = readAnswer(Folders, await get(call, `/v2/space/${at(space_id)}/folder?archived=false`));
  const { lists } = readAnswer(Lists, await get(call, `/v2/space/${at(space_id)}/list?archived=false`));
  const inFolders = inUse(folders).flatMap(({ name: folder, hidden, lists: inside }) =>
    inUse(inside ?? []).map(({ id, name }) => ({ id, name: hidden ? name : `${folder} / ${name}` })),
  );
  return once([...inUse(lists).map(choice), ...inFolders]);
}

/** The spaces have been read: if the account may not read shared items, the spaces are returned without them. */
function noneWhereRefused(error: unknown): { lists: Archivable[]; folders: Archivable[] } {
  if (error instanceof ToolError && error.problem !== 'unreachable' && error.problem !== 'rate_limited') return { lists: [], folders: [] };
  throw error;
}

/** Each shared folder needs one more call, because the response does not include its lists. */
async function listShared(call: ToolCall, workspace_id: string): Promise<Choice[]> {
  const { lists, folders } = await sharedIn(call, workspace_id);
  const all = lists.map(choice);
  for (const { id, name: folder } of folders) {
    const inside = readAnswer(Lists, await get(call, `/v2/folder/${at(id)}/list?archived=false`)).lists;
    all.push(...inUse(inside).map(({ id, name }) => ({ id, name: `${folder} / ${name}` })));
  }
  return once(all);
}

/** A list that can be reached in two ways is offered once. */
const once = (lists: Choice[]): Choice[] => [...new Map(lists.map((list) => [list.id, list])).values()];

/** The statuses are the list's own; the space's may differ. */
export async function describeList(call: ToolCall, list_id: string): Promise<ListDescription> {
  const { id, name, statuses } = readAnswer(List, await get(call, `/v2/list/${at(list_id)}`));
  const { fields } = readAnswer(Fields, await get(call, `/v2/list/${at(list_id)}/field`));
  return {
    id,
    name,
    statuses: (statuses ?? []).sort(byOrder).map(statusOf),
    fields: usableFields(fields),
  };
}

/** Members of the whole workspace: a list's own members are only those who were added to it individually. */
export async function listMembers(call: ToolCall, { workspace_id }: { workspace_id: string }): Promise<ExternalUser[]> {
  const { teams } = readAnswer(Teams, await get(call, '/v2/team'));
  return (teams.find(({ id }) => id === workspace_id)?.members ?? []).map(({ user }) => userOf(user));
}
