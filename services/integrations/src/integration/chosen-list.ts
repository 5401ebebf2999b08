import { AppError, type CreateIntegration, type ExternalStatus, type FieldMappings, type StatusMappings } from '@tandem/contracts';
import type { Choice, ListField, TaskTool, ToolCall } from '../provider/task-tool';
import { checkStatuses, emailFields, proposeEmailField, proposeStatuses, withEmailField } from './mapping';

/** A list with its workspace and space, all as returned by the tool, and the requested or proposed mappings. */
export interface ChosenList {
  provider: string;
  workspace_id: string;
  workspace_name: string;
  space_id: string | null;
  space_name: string | null;
  list_id: string;
  list_name: string;
  statuses: ExternalStatus[];
  list_fields: ListField[];
  field_mappings: FieldMappings;
  status_mappings: StatusMappings;
}

/**
 * Reads the workspace, the space and the list from the tool: webhooks are created for the workspace, and names must come from the tool, not
 * from the request.
 */
export async function listAsChosen(tool: TaskTool, call: ToolCall, wanted: CreateIntegration): Promise<ChosenList> {
  const hasSpaces = tool.levels.some(({ key }) => key === 'space');
  if (hasSpaces && wanted.space_id === null) throw refused('space_id', 'Please select workspace, space, and list');
  const { workspace_id } = wanted;
  const space_id = hasSpaces ? wanted.space_id! : undefined;
  const [workspaces, spaces, lists, description] = await Promise.all([
    tool.listWorkspaces(call),
    space_id === undefined ? [] : tool.listSpaces(call, workspace_id),
    tool.listLists(call, space_id === undefined ? { workspace_id } : { space_id }),
    tool.describeList(call, wanted.list_id),
  ]);
  const workspace = getChoice(workspaces, workspace_id);
  const space = space_id === undefined ? undefined : getChoice(spaces, space_id);
  const list = getChoice(lists, wanted.list_id);

  const { statuses, fields } = description;
  const { mappings, problems } = checkStatuses(wanted.status_mappings ?? proposeStatuses(statuses, tool.capabilities.statuses), statuses);
  if (problems.length > 0) throw new AppError('integration.status_unknown', { fields: problems });
  const field_id = wanted.field_mappings.customer_email?.field_id ?? null;
  if (field_id !== null && !emailFields(fields).some(({ id }) => id === field_id))
    throw refused('field_mappings.customer_email.field_id', 'The list has no such field for email addresses');
  return {
    provider: tool.key,
    workspace_id,
    workspace_name: workspace.name,
    space_id: space?.id ?? null,
    space_name: space?.name ?? null,
    list_id: list.id,
    list_name: list.name,
    statuses,
    list_fields: fields,
    field_mappings: withEmailField(wanted.field_mappings, proposeEmailField(fields)),
    status_mappings: mappings,
  };
}

function getChoice(choices: Choice[], id: string): Choice {
  const found = choices.find((choice) => choice.id === id);
  if (!found) throw new AppError('task_tool.list_not_found');
  return found;
}

const refused = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });
