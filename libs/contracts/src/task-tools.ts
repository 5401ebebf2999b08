import * as z from 'zod';
import { event, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { closedMeanings, statusCategories, syncFields } from './values/task-sync';

const owner = 'integrations';

// ---- available tools ------------------------------------------------------------------------------------------

/** A field that ticket and task both have. */
export const SyncedField = z.enum(syncFields);

/** What a task tool supports. Screens and sync check this instead of the tool's name. */
export const TaskToolCapabilities = z.object({
  /** `named`: each list defines its statuses; `open_closed`: a task is open or closed. */
  statuses: z.enum(['named', 'open_closed']),
  /** The ticket fields that its tasks can store. */
  fields: z.array(SyncedField),
  comments: z.boolean(),
  /** Whether it has custom fields, one of which can store the customer's address. */
  custom_fields: z.boolean(),
});
export type TaskToolCapabilities = z.infer<typeof TaskToolCapabilities>;

/** A level of the selection of lists, the outermost first: ClickUp has all three, GitHub no `space`. */
export const TaskToolLevel = z.object({ key: z.enum(['workspace', 'space', 'list']), label: z.string() });

export const TaskTool = z.object({
  key: z.string(),
  name: z.string(),
  capabilities: TaskToolCapabilities,
  levels: z.array(TaskToolLevel),
  /** Where users create a personal token, and what the tool calls it. */
  personal_token: z.object({ label: z.string(), where: z.string() }),
  /** Whether this installation has the client id and secret for connecting by OAuth. */
  oauth_configured: z.boolean(),
});
export type TaskTool = z.infer<typeof TaskTool>;

export const listTaskTools = operation({
  name: 'integrations.listTaskTools',
  summary: 'List the task tools that can be connected.',
  owner,
  method: 'GET',
  path: '/task-tool/providers',
  allow: 'integration.write',
  output: z.array(TaskTool),
});

// ---- the connection -------------------------------------------------------------------------------------------

export const providerKey = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'Not the key of a task tool');

/** An organization's connection to one task tool. The token never leaves the server. */
export const TaskToolConnection = z.object({
  id: Id,
  provider: z.string(),
  /** `broken`: the tool rejects the token; syncing stops until an admin reconnects. */
  state: z.enum(['connected', 'broken']),
  kind: z.enum(['oauth', 'personal_token']),
  /** The name of the account in the task tool. */
  account_name: z.string(),
  connected_at: Timestamp,
  broken_at: Timestamp.nullable(),
});
export type TaskToolConnection = z.infer<typeof TaskToolConnection>;

export const readTaskToolConnections = operation({
  name: 'integrations.readConnections',
  summary: 'List the task tools that the organization has connected.',
  owner,
  method: 'GET',
  path: '/task-tool/connection',
  allow: 'integration.write',
  output: z.array(TaskToolConnection),
});
export const connectTaskTool = operation({
  name: 'integrations.connect',
  summary: 'Connect a task tool with a personal token; an existing connection continues with the new token.',
  owner,
  method: 'POST',
  path: '/task-tool/connection',
  allow: 'integration.write',
  status: 201,
  input: { body: z.strictObject({ provider: providerKey, token: requiredText(500, 'Paste the token') }) },
  output: TaskToolConnection,
  problems: ['task_tool.unknown', 'task_tool.token_refused', 'task_tool.unreachable'],
});
export const authorizeTaskTool = operation({
  name: 'integrations.authorize',
  summary: 'Start connecting by OAuth: returns the task tool’s URL for the browser, valid for 10 minutes and for this user only.',
  owner,
  method: 'POST',
  path: '/task-tool/connection/authorize',
  allow: 'integration.write',
  input: { body: z.strictObject({ provider: providerKey }) },
  output: z.object({ url: z.string() }),
  problems: ['task_tool.unknown', 'task_tool.not_configured'],
});
export const completeTaskToolAuthorization = operation({
  name: 'integrations.completeAuthorization',
  summary: 'Complete connecting by OAuth with the code and the state from the task tool; a state works once.',
  owner,
  method: 'POST',
  path: '/task-tool/connection/callback',
  allow: 'integration.write',
  input: {
    body: z.strictObject({
      provider: providerKey,
      code: requiredText(2_000, 'The code is missing'),
      state: requiredText(200, 'The state is missing'),
    }),
  },
  output: TaskToolConnection,
  problems: [
    'task_tool.unknown',
    'task_tool.not_configured',
    'task_tool.state_invalid',
    'task_tool.token_refused',
    'task_tool.unreachable',
  ],
});
export const disconnectTaskTool = operation({
  name: 'integrations.disconnect',
  summary: 'Disconnect a task tool: removes its token and its integrations; its tasks are not changed.',
  owner,
  method: 'DELETE',
  path: '/task-tool/connection/:provider',
  allow: 'integration.write',
  input: { params: z.object({ provider: providerKey }) },
  output: z.object({}),
  problems: ['task_tool.unknown', 'task_tool.not_connected'],
});

// ---- choosing a list ------------------------------------------------------------------------------------------

/** The tool's own ids as opaque strings: ClickUp's exceed 2^32. */
export const ExternalId = requiredText(200, 'Choose one');
const Choice = z.object({ id: z.string(), name: z.string() });
export type TaskToolChoice = z.infer<typeof Choice>;
const ofTool = { provider: providerKey.default('clickup') };
const choosing = [
  'task_tool.unknown',
  'task_tool.not_connected',
  'task_tool.broken',
  'task_tool.unreachable',
  'task_tool.list_not_found',
] as const;

export const listWorkspaces = operation({
  name: 'integrations.listWorkspaces',
  summary: 'List the workspaces that the connection can access.',
  owner,
  method: 'GET',
  path: '/task-tool/workspaces',
  allow: 'integration.write',
  input: { query: z.strictObject(ofTool) },
  output: z.array(Choice),
  problems: choosing,
});
export const listSpaces = operation({
  name: 'integrations.listSpaces',
  summary: 'List the spaces of a workspace; none for a tool without spaces.',
  owner,
  method: 'GET',
  path: '/task-tool/spaces',
  allow: 'integration.write',
  input: { query: z.strictObject({ ...ofTool, workspace_id: ExternalId }) },
  output: z.array(Choice),
  problems: choosing,
});
export const listTaskLists = operation({
  name: 'integrations.listLists',
  summary: 'List the lists of a space, those in folders as "Folder / List"; for a tool without spaces, the lists of a workspace.',
  owner,
  method: 'GET',
  path: '/task-tool/lists',
  allow: 'integration.write',
  input: {
    query: z
      .strictObject({ ...ofTool, space_id: ExternalId.optional(), workspace_id: ExternalId.optional() })
      .refine((query) => (query.space_id === undefined) !== (query.workspace_id === undefined), 'Send the space or the workspace'),
  },
  output: z.array(Choice),
  problems: choosing,
});

export const ExternalStatus = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(statusCategories),
  color: z.string().nullable(),
  /** The meaning that the tool reports for a final status; absent if it reports none. */
  meaning: z.enum(closedMeanings).optional(),
});
export type ExternalStatus = z.infer<typeof ExternalStatus>;
/** A custom field in the task tool. */
export const ExternalField = z.object({ id: z.string(), name: z.string(), type: z.string() });
export type ExternalField = z.infer<typeof ExternalField>;
export const TaskList = z.object({
  id: z.string(),
  name: z.string(),
  statuses: z.array(ExternalStatus),
  /** Only fields that can store an email address. */
  email_fields: z.array(ExternalField),
  /** For each ticket status the name of the matching status of the list; null if there is none, and an admin has to choose. */
  proposed_statuses: z.record(z.string(), z.string().nullable()),
  /** The id of the field that is probably for the customer's address ('Customer Email'). */
  proposed_email_field: z.string().nullable(),
});
export type TaskList = z.infer<typeof TaskList>;

export const readTaskList = operation({
  name: 'integrations.readList',
  summary: 'Read a list with its statuses and fields, and the suggested mapping.',
  owner,
  method: 'GET',
  path: '/task-tool/lists/:id',
  allow: 'integration.write',
  input: { params: z.object({ id: ExternalId }), query: z.strictObject(ofTool) },
  output: TaskList,
  problems: choosing,
});

// ---- events ---------------------------------------------------------------------------------------------------

/** Its subject is the organization. tickets then sends all existing tickets (`ticket.snapshot`), which the stream no longer contains. */
export const taskToolConnected = event('task.connected', owner, z.object({ connection_id: Id, provider: z.string() }));
