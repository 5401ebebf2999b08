import * as z from 'zod';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { draftText, Id, requiredText, Timestamp } from './scalars';
import { ExternalId, ExternalStatus, providerKey, SyncedField } from './task-tools';
import { Tags, TicketPriority, TicketStatus } from './tickets';
import {
  closedMeanings,
  commentSyncs,
  conflictRules,
  directionsOf,
  finishedTaskRules,
  integrationHealths,
  pauseReasons,
  syncDirections,
  syncProblemKinds,
  taskRules,
  type SyncField,
} from './values/task-sync';
import { ticketLimits } from './values/tickets';

const owner = 'integrations';

// ---- shapes ---------------------------------------------------------------------------------------------------

/** The sync direction of a field that tasks can change. */
export const FieldMapping = z.strictObject({ direction: z.enum(syncDirections) });
const mapping = (field: SyncField) =>
  directionsOf[field] === syncDirections ? FieldMapping : z.strictObject({ direction: z.enum(directionsOf[field]) });
/** The sync direction of each field; fields that are not listed use `defaultDirections`. */
export const FieldMappings = z
  .strictObject({
    status: mapping('status'),
    priority: mapping('priority'),
    title: mapping('title'),
    description: mapping('description'),
    tags: mapping('tags'),
    assignee: mapping('assignee'),
    /** The custom field for the address; without one the address is written to the description. */
    customer_email: mapping('customer_email').extend({ field_id: ExternalId.nullable().default(null) }),
    due_at: mapping('due_at'),
  })
  .partial();
export type FieldMappings = z.infer<typeof FieldMappings>;

/** For each ticket status, the name of the list's status. Null: the status is not synced, and the sync log reports it. */
export const StatusMappings = z.record(TicketStatus, ExternalId.nullable());
export type StatusMappings = z.infer<typeof StatusMappings>;

/** The meaning of statuses of type done or closed, by id. Others have the meaning reported by the tool, or else `finished`. */
export const ClosedMeanings = z
  .record(z.string().max(200), z.enum(closedMeanings))
  .refine((meanings) => Object.keys(meanings).length <= 100, 'Too many statuses');
export type ClosedMeanings = z.infer<typeof ClosedMeanings>;

/** Which new tickets get a task automatically. `matching`: for each non-empty kind of condition, the ticket has one of the values. */
export const TaskRules = z.strictObject({
  create: z.enum(taskRules),
  categories: z.array(requiredText(ticketLimits.category, 'A category must not be blank')).max(50).default([]),
  tags: Tags.default([]),
  priorities: z.array(TicketPriority).max(4).default([]),
});
export type TaskRules = z.infer<typeof TaskRules>;

const place = {
  provider: providerKey,
  workspace_id: z.string(),
  workspace_name: z.string(),
  /** Null if the tool has no spaces. */
  space_id: z.string().nullable(),
  space_name: z.string().nullable(),
  list_id: z.string(),
  list_name: z.string(),
};
const settings = {
  field_mappings: FieldMappings,
  status_mappings: StatusMappings,
  rules: TaskRules,
  comment_sync: z.enum(commentSyncs),
  conflict_rule: z.enum(conflictRules),
  on_task_finished: z.enum(finishedTaskRules),
  closed_meanings: ClosedMeanings,
  /** The drafted reply when a task is finished; null: `defaultFinishedReply`. */
  finished_reply: z.string().nullable(),
};

/** Syncs tickets of an organization with the tasks of one list. */
export const Integration = z.object({
  id: Id,
  organization_id: Id,
  ...place,
  ...settings,
  is_active: z.boolean(),
  /** Null while the integration is active. */
  pause_reason: z.enum(pauseReasons).nullable(),
  health: z.enum(integrationHealths),
  /** The problem and what to do about it, in a sentence; null if there is none. */
  health_detail: z.string().nullable(),
  /** All problems, the most important first; `health_detail` is the first of them. */
  health_problems: z.array(z.string()),
  /** The list's statuses, as last read from the tool. */
  statuses: z.array(ExternalStatus),
  linked_count: z.number().int(),
  /** Tickets and tasks with changes that have not been synced yet. */
  pending_count: z.number().int(),
  /** Tickets whose last sync failed permanently. */
  failed_count: z.number().int(),
  /** Linked tickets whose task rejected a field. */
  differing_count: z.number().int(),
  last_sync_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type Integration = z.infer<typeof Integration>;

const missingSelection = 'Please select workspace, space, and list';
const chosen = requiredText(200, missingSelection);
export const CreateIntegration = z.strictObject({
  provider: providerKey.default('clickup'),
  workspace_id: chosen,
  workspace_name: chosen,
  space_id: chosen.nullable(),
  space_name: chosen.nullable(),
  list_id: chosen,
  list_name: chosen,
  /** Fields that are not listed use `defaultDirections`. */
  field_mappings: FieldMappings.default({}),
  /** Omitted: the best matches among the list's statuses. */
  status_mappings: StatusMappings.optional(),
  rules: TaskRules.default({ create: 'all', categories: [], tags: [], priorities: [] }),
  comment_sync: settings.comment_sync.default('both'),
  conflict_rule: settings.conflict_rule.default('latest'),
  on_task_finished: settings.on_task_finished.default('tell_customer'),
  closed_meanings: ClosedMeanings.optional(),
  finished_reply: draftText(5_000).nullable().default(null),
});
export type CreateIntegration = z.infer<typeof CreateIntegration>;

export const UpdateIntegration = z
  .strictObject({ ...settings, finished_reply: draftText(5_000).nullable(), is_active: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateIntegration = z.infer<typeof UpdateIntegration>;

/** In the state `not_begun`, `matching` is the number of tickets that the backfill would include. */
export const Backfill = z.object({
  state: z.enum(['not_begun', 'running', 'done']),
  /** Tickets without a task that match the integration's rules, except resolved and closed ones. */
  matching: z.number().int(),
  /** False while the tickets from before the connection are still being imported; `matching` grows until then. */
  is_complete: z.boolean(),
  total: z.number().int(),
  created: z.number().int(),
  failed: z.number().int(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
});
export type Backfill = z.infer<typeof Backfill>;

export const SyncLogEntry = z.object({
  id: Id,
  /** Null for entries about the whole integration. */
  ticket_id: Id.nullable(),
  ticket_number: z.string().nullable(),
  level: z.enum(['info', 'warning', 'error']),
  /** The direction of the change; null if the entry is not about one. */
  direction: z.enum(['to_task', 'to_ticket']).nullable(),
  field: SyncedField.nullable(),
  /** A sentence for people. Never contains a token or the text of a comment. */
  message: z.string(),
  created_at: Timestamp,
});
export type SyncLogEntry = z.infer<typeof SyncLogEntry>;

/** A ticket of an integration that is out of sync with its task, and the reason. */
export const SyncProblem = z.object({
  ticket_id: Id,
  /** Null for a ticket that this service has not received yet. */
  ticket_number: z.string().nullable(),
  subject: z.string().nullable(),
  kind: z.enum(syncProblemKinds),
  /** Fields that the task rejected; empty if nothing syncs. */
  fields: z.array(SyncedField),
  /** A sentence for people. */
  reason: z.string(),
  task_url: z.string().nullable(),
  synced_at: Timestamp.nullable(),
});
export type SyncProblem = z.infer<typeof SyncProblem>;

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };

export const listIntegrations = operation({
  name: 'integrations.list',
  summary: 'The integrations of the organization in order: a new ticket goes to the first one whose rules it matches.',
  owner,
  method: 'GET',
  path: '/task-tool/integrations',
  allow: 'integration.write',
  output: z.array(Integration),
});
export const createIntegration = operation({
  name: 'integrations.create',
  summary: 'Create an integration, which syncs tickets with a list.',
  owner,
  method: 'POST',
  path: '/task-tool/integrations',
  allow: 'integration.write',
  status: 201,
  idempotent: true,
  input: { body: CreateIntegration },
  output: Integration,
  problems: [
    'task_tool.unknown',
    'task_tool.not_connected',
    'task_tool.broken',
    'task_tool.unreachable',
    'task_tool.list_not_found',
    'integration.exists',
    'integration.too_many',
    'integration.status_unknown',
  ],
});
export const updateIntegration = operation({
  name: 'integrations.update',
  summary: 'Change the settings of an integration, pause it or resume it.',
  owner,
  method: 'PATCH',
  path: '/task-tool/integrations/:id',
  allow: 'integration.write',
  input: { ...byId, body: UpdateIntegration },
  output: Integration,
  problems: ['integration.not_found', 'integration.status_unknown', 'task_tool.broken'],
});
export const orderIntegrations = operation({
  name: 'integrations.order',
  summary: 'Save the order of the integrations. Those with rules stay before those for all tickets.',
  owner,
  method: 'PUT',
  path: '/task-tool/integrations/order',
  allow: 'integration.write',
  input: { body: z.strictObject({ ids: z.array(Id).min(1).max(200) }) },
  output: z.array(Integration),
  problems: ['integration.order_incomplete'],
});
export const deleteIntegration = operation({
  name: 'integrations.delete',
  summary: 'Remove an integration with its links; tickets and tasks are not changed.',
  owner,
  method: 'DELETE',
  path: '/task-tool/integrations/:id',
  allow: 'integration.write',
  input: byId,
  output: z.object({}),
  problems: ['integration.not_found'],
});
export const readBackfill = operation({
  name: 'integrations.readBackfill',
  summary: 'Count the tickets without a task, and read the progress of the backfill.',
  owner,
  method: 'GET',
  path: '/task-tool/integrations/:id/backfill',
  allow: 'integration.write',
  input: byId,
  output: Backfill,
  problems: ['integration.not_found'],
});
export const startBackfill = operation({
  name: 'integrations.startBackfill',
  summary: 'Create tasks for tickets without one; a second call while it runs has no effect.',
  owner,
  method: 'POST',
  path: '/task-tool/integrations/:id/backfill',
  allow: 'integration.write',
  status: 202,
  input: byId,
  output: Backfill,
  problems: ['integration.not_found', 'integration.paused'],
});
export const listSyncProblems = operation({
  name: 'integrations.listProblems',
  summary: 'List the tickets of an integration that are not in sync with their task, newest first.',
  owner,
  method: 'GET',
  path: '/task-tool/integrations/:id/problems',
  allow: 'integration.write',
  input: { ...byId, query: PageQuery.extend({ kind: z.enum(syncProblemKinds).optional() }).strict() },
  output: SyncProblem,
  paginated: true,
  problems: ['integration.not_found'],
});
export const retryIntegration = operation({
  name: 'integrations.retry',
  summary: 'Retry everything of an integration that failed, was stopped or was refused.',
  owner,
  method: 'POST',
  path: '/task-tool/integrations/:id/retry',
  allow: 'integration.write',
  status: 202,
  input: byId,
  output: z.object({ retried: z.number().int() }),
  problems: ['integration.not_found', 'integration.paused'],
});
export const readSyncLog = operation({
  name: 'integrations.readSyncLog',
  summary: 'Read the sync log, newest first; entries are kept for 30 days.',
  owner,
  method: 'GET',
  path: '/task-tool/integrations/:id/sync-log',
  allow: 'integration.write',
  input: { ...byId, query: PageQuery.extend({ level: z.enum(['info', 'warning', 'error']).optional() }).strict() },
  output: SyncLogEntry,
  paginated: true,
  problems: ['integration.not_found'],
});

/**
 * A webhook from a task tool, unparsed: the gateway forwards the body; the owner verifies and stores it, and responds.
 * Never 401 or 410: ClickUp suspends a webhook after these responses.
 */
export const receiveWebhook = operation({
  name: 'integrations.receiveWebhook',
  summary: 'Receive a webhook of a task tool; responds once it is stored.',
  owner,
  method: 'POST',
  path: '/hooks/task-tool/:provider/:connectionId',
  allow: 'gateway',
  handwritten: true,
  status: 202,
  input: {
    params: z.object({ provider: z.string().max(40), connectionId: Id }),
    body: z.strictObject({ headers: z.record(z.string(), z.string()), body_base64: z.string() }),
  },
  output: z.object({ stored: z.boolean() }),
  problems: ['task_tool.unknown', 'webhook.refused'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/**
 * A problem that an admin has to fix. Its subject is the integration, or the connection if all of its integrations are affected. The
 * integration's page receives it live.
 */
export const taskSyncFailed = event(
  'task.sync_failed',
  owner,
  z.object({
    problem: z.enum(['connection_broken', 'list_gone', 'loop']),
    provider: z.string(),
    /** The problem and what to do about it, as a sentence for admins. */
    message: z.string(),
    /** Null if it concerns the connection. */
    integration_id: Id.nullable(),
    /** The ticket whose changes were synced back and forth in a loop. */
    ticket_id: Id.nullable(),
  }),
  { live: true },
);

/** For the organization's audit log. Its subject is the connection or the integration. */
export const taskToolChanged = event(
  'task.settings_changed',
  owner,
  z.object({
    what: z.enum(['task_tool.connected', 'task_tool.disconnected', 'integration.created', 'integration.updated', 'integration.deleted']),
    /** The tool with its account, or the list. */
    target: z.string(),
    changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  }),
  { audited: true },
);

/** Processes a connection's webhooks in batches. The rows in `inbound_webhooks` are the source of truth; the job only triggers the work. */
export const processWebhook = job({
  type: 'process_webhook',
  owner,
  queue: 'task-webhooks',
  data: z.object({ connection_id: Id }),
  attempts: 10,
  backoffMs: [1_000, 5_000, 30_000, 120_000, 600_000],
});
/** Syncs the pending changes of one connection, in one process at a time. The rows are the source of truth; the job only triggers the work. */
export const syncTasks = job({
  type: 'sync_tasks',
  owner,
  queue: 'task-sync',
  data: z.object({ connection_id: Id }),
  attempts: 3,
  backoffMs: [1_000, 5_000],
});
/** Deletes sync log entries and stored webhooks after their retention time. */
export const pruneSyncLog = job({
  type: 'prune_sync_log',
  owner,
  queue: 'task-webhooks',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
