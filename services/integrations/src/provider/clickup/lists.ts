import { readAnswer } from '../read';
import { ToolError, type Choice, type ExternalUser, type ListDescription, type ToolCall } from '../task-tool';
import { byOrder, Fields, Folders, List, Lists, Spaces, statusOf, Teams, UserAnswer, userOf } from './shapes';

const at = encodeURIComponent;
const get = (call: ToolCall, path: string) => call({ method: 'GET', path });
const choice = ({ id, name }: Choice): Choice => ({ id, name });

export async function whoAmI(call: ToolCall): Promise<ExternalUser> {
  return userOf(readAnswer(UserAnswer, await get(call, '/v2/user')).user);
}

export async function listWorkspaces(call: ToolCall): Promise<Choice[]> {
  return readAnswer(Teams, await get(call, '/v2/team')).teams.map(choice);
}

export async function listSpaces(call: ToolCall, workspace_id: string): Promise<Choice[]> {
  return readAnswer(Spaces, await get(call, `/v2/team/${at(workspace_id)}/space?archived=false`)).spaces.map(choice);
}

/** Lists of a space stand in it or in one of its folders. */
export async function listLists(call: ToolCall, { space_id }: { space_id?: string }): Promise<Choice[]> {
  if (space_id === undefined) throw new ToolError('refused', 'ClickUp’s lists are in spaces');
  const { folders } = readAnswer(Folders, await get(call, `/v2/space/${at(space_id)}/folder?archived=false`));
  const { lists } = readAnswer(Lists, await get(call, `/v2/space/${at(space_id)}/list?archived=false`));
  const inFolders = folders.flatMap(({ name: folder, hidden, lists: inside }) =>
    (inside ?? []).map(({ id, name }) => ({ id, name: hidden ? name : `${folder} / ${name}` })),
  );
  const all = new Map([...lists.map(choice), ...inFolders].map((list) => [list.id, list]));
  return [...all.values()];
}

/** Statuses are the list's own, not the space's: those may be others. */
export async function describeList(call: ToolCall, list_id: string): Promise<ListDescription> {
  const { id, name, statuses } = readAnswer(List, await get(call, `/v2/list/${at(list_id)}`));
  const { fields } = readAnswer(Fields, await get(call, `/v2/list/${at(list_id)}/field`));
  return {
    id,
    name,
    statuses: (statuses ?? []).sort(byOrder).map(statusOf),
    fields: fields.map(({ id, name, type }) => ({ id, name, type })),
  };
}

/** Of the whole workspace: a list's own members are only those to whom it was opened by name. */
export async function listMembers(call: ToolCall, { workspace_id }: { workspace_id: string }): Promise<ExternalUser[]> {
  const { teams } = readAnswer(Teams, await get(call, '/v2/team'));
  return (teams.find(({ id }) => id === workspace_id)?.members ?? []).map(({ user }) => userOf(user));
}
