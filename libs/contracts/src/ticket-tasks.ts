import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { ExternalStatus, SyncedField } from './task-tools';
import { byTicket, Ticket, TicketPriority, TicketStatus } from './tickets';
import { closedMeanings, linkStates, syncDirections } from './values/task-sync';
import { ticketLimits } from './values/tickets';

const owner = 'integrations';

/** The task that a ticket is linked to, and their sync state. */
export const TicketTask = z.object({
  state: z.enum(linkStates),
  provider: z.string(),
  /** The tool's display name: ClickUp. */
  tool_name: z.string(),
  integration_id: Id,
  list_name: z.string(),
  /** Null until the task exists. */
  task_id: z.string().nullable(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  status: ExternalStatus.nullable(),
  assignees: z.array(z.string()),
  /** Whether a change has not been synced yet. */
  is_pending: z.boolean(),
  /** Fields whose value the tool rejected, so that the task differs, with the reason; they are sent again automatically. */
  differs: z.array(z.object({ field: SyncedField, reason: z.string() })),
  /** Why the sync is delayed or failed, as a sentence for people. */
  problem: z.string().nullable(),
  synced_at: Timestamp.nullable(),
  /** The reply that informs the customer of the finished work; null until then, and for work that will not be done. */
  drafted_reply: z.string().nullable(),
  /** The tickets that share the task, including this one. */
  sharing: z.object({
    /** All fields sync with the primary ticket; the others get only the status and the comments of the task. */
    is_primary: z.boolean(),
    tickets: z.number().int(),
    customers: z.number().int(),
    /** The first 20 of the other tickets, the primary one first. */
    others: z.array(z.object({ id: Id, ticket_number: z.string(), subject: z.string(), is_primary: z.boolean() })),
  }),
});
export type TicketTask = z.infer<typeof TicketTask>;

/** An integration in which a task can be linked or created. */
const LinkChoice = z.object({ id: Id, provider: z.string(), tool_name: z.string(), list_name: z.string() });

export const readTicketTask = operation({
  name: 'integrations.readTicketTask',
  summary: 'Read the task of a ticket with its sync state, and the integrations that can create one.',
  owner,
  method: 'GET',
  path: '/tickets/:id/task',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: z.object({ task: TicketTask.nullable(), integrations: z.array(LinkChoice) }),
  problems: ['ticket.not_found'],
});
const taskReference = requiredText(500, 'Paste the URL or ID of the task');
/** Without `task` a new task is created; with it, an existing one is linked by its address or id. */
export const LinkTask = z.strictObject({
  integration_id: Id,
  task: taskReference.optional(),
  /** The side whose values win where they differ; omitted: both keep their values until one of them changes. */
  winner: z.enum(['ticket', 'task']).optional(),
});
export type LinkTask = z.infer<typeof LinkTask>;

/** A task of a connected list that a ticket could be linked to. */
export const TaskChoice = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  status: ExternalStatus,
  /** How many tickets are linked to the task. */
  tickets: z.number().int(),
});
export type TaskChoice = z.infer<typeof TaskChoice>;

export const searchTasks = operation({
  name: 'integrations.searchTasks',
  summary: 'Search the tasks of one connected list by words of their title, most recently changed first; at most 20.',
  owner,
  method: 'GET',
  path: '/tickets/:id/task/search',
  allow: 'task.link',
  input: {
    ...byTicket,
    query: z.strictObject({ integration_id: Id, words: requiredText(200, 'Type some words of the title') }),
  },
  output: z.array(TaskChoice),
  problems: ['ticket.not_found', 'integration.not_found', 'integration.paused', 'task_tool.broken', 'task_tool.unreachable'],
});

export const TaskLinkPreview = z.object({
  task: TaskChoice.extend({ integration_id: Id, tool_name: z.string(), list_name: z.string() }),
  /** Fields that would sync and have different values, with the value of each side; empty if other tickets already share the task. */
  differences: z.array(
    z.object({
      field: SyncedField,
      direction: z.enum(syncDirections),
      ticket: z.string().nullable(),
      task: z.string().nullable(),
    }),
  ),
});
export type TaskLinkPreview = z.infer<typeof TaskLinkPreview>;
const reasonsAgainstTask = [
  'task.reference_invalid',
  'task.not_found',
  'task.no_access',
  'task.not_in_list',
  'task.archived',
  'task.too_many_tickets',
] as const;

export const previewTaskLink = operation({
  name: 'integrations.previewTaskLink',
  summary: 'Find a task by its URL or ID, and its differences from the ticket. Changes nothing.',
  owner,
  method: 'GET',
  path: '/tickets/:id/task/preview',
  allow: 'task.link',
  input: { ...byTicket, query: z.strictObject({ integration_id: Id, task: taskReference }) },
  output: TaskLinkPreview,
  problems: [
    'ticket.not_found',
    'integration.not_found',
    'integration.paused',
    'task.already_linked',
    ...reasonsAgainstTask,
    'task_tool.broken',
    'task_tool.unreachable',
  ],
});
export const linkTicketTask = operation({
  name: 'integrations.linkTicketTask',
  summary: 'Create a task for a ticket, or link it to an existing one.',
  owner,
  method: 'POST',
  path: '/tickets/:id/task',
  allow: 'task.link',
  token: 'tickets:write',
  status: 201,
  idempotent: true,
  input: { ...byTicket, body: LinkTask },
  output: TicketTask,
  problems: [
    'ticket.not_found',
    'integration.not_found',
    'integration.paused',
    'task.already_linked',
    ...reasonsAgainstTask,
    'task_tool.broken',
    'task_tool.unreachable',
  ],
});
export const unlinkTicketTask = operation({
  name: 'integrations.unlinkTicketTask',
  summary: 'Unlink a ticket from its task; both are unchanged, and no new task is created automatically.',
  owner,
  method: 'DELETE',
  path: '/tickets/:id/task',
  allow: 'task.link',
  token: 'tickets:write',
  input: byTicket,
  output: z.object({}),
  problems: ['task.not_linked'],
});
export const syncTicketTask = operation({
  name: 'integrations.syncTicketTask',
  summary: 'Sync a ticket with its task now, ahead of other work; also retries a failed or stopped sync.',
  owner,
  method: 'POST',
  path: '/tickets/:id/task/sync',
  allow: 'ticket.write',
  status: 202,
  input: byTicket,
  output: TicketTask,
  problems: ['task.not_linked', 'integration.paused'],
});

// ---- events: their subject is the ticket ------------------------------------------------------------------------

const ofTicket = { ticket_id: Id };
/** The task exists: the tickets service stores its address. */
export const taskLinked = event(
  'task.linked',
  owner,
  z.object({ ...ofTicket, provider: z.string(), task_id: z.string(), url: z.string() }),
  {
    live: true,
  },
);
export const taskUnlinked = event(
  'task.unlinked',
  owner,
  z.object({
    ...ofTicket,
    task_id: z.string().nullable(),
    reason: z.enum(['by_hand', 'task_deleted', 'list_deleted', 'integration_removed', 'disconnected']),
  }),
  { live: true },
);
/** The task or its sync state, as shown in the ticket's panel, has changed. */
export const taskSynced = event('task.synced', owner, z.object(ofTicket), { live: true });

const change = <S extends z.ZodType>(value: S) => z.object({ from: value, to: value }).optional();
/**
 * The task was changed in the task tool. `from` is the ticket's value when the change was detected: if the ticket has changed since, it
 * keeps its value, and the conflict rule is applied when its `ticket.updated` arrives. `finished`: the task was finished (true) or
 * reopened (false).
 */
export const taskChangeProposed = event(
  'task.change_proposed',
  owner,
  z.object({
    ...ofTicket,
    /** The tool's display name. */
    tool_name: z.string(),
    changes: z.object({
      status: change(TicketStatus),
      priority: change(TicketPriority),
      subject: change(z.string()),
      description: change(z.string().nullable()),
      tags: change(z.array(z.string())),
      /** A member's email address, compared case-insensitively; null for unassigned. */
      assignee_email: change(z.string().nullable()),
    }),
    finished: z.boolean().nullable(),
    /** If `finished` is true: whether the work was done, or will not be done. */
    outcome: z.enum(closedMeanings).default('finished'),
  }),
);
/** A new comment on the task: it becomes an internal note. */
export const taskCommentReceived = event(
  'task.comment_received',
  owner,
  z.object({
    ...ofTicket,
    tool_name: z.string(),
    /** The comment's id in the task tool. */
    external_id: z.string(),
    author_name: z.string(),
    content: z.string().max(ticketLimits.comment),
    written_at: Timestamp,
  }),
);

// ---- responses of tickets -----------------------------------------------------------------------------------------

/** The current state of a ticket, sent because integrations requested it (`task.connected`, also after an import), not because the ticket changed. */
export const ticketSnapshot = event('ticket.snapshot', 'tickets', z.object({ ticket: Ticket }));
/** Its subject is the organization. All tickets have been sent; `count` is their number, so that integrations can detect missing ones. */
export const ticketSnapshotCompleted = event(
  'ticket.snapshot_completed',
  'tickets',
  z.object({ connection_id: Id, count: z.number().int() }),
);
/**
 * The response to each `task.change_proposed`: `accepted` lists the fields that were changed on the ticket, `refused` has for each other
 * field the reason, as text for people; `ticket` is the state afterwards.
 */
export const taskChangeAcknowledged = event(
  'ticket.task_change_acknowledged',
  'tickets',
  z.object({ ticket: Ticket, accepted: z.array(z.string()).default([]), refused: z.record(z.string(), z.string()) }),
);

/** The purpose of an export of all tickets. */
const exportPurposes = ['task_tool', 'analytics'] as const;
export type ExportPurpose = (typeof exportPurposes)[number];
/**
 * Sends all existing tickets in batches: snapshots to the connection `request_id` of a task tool, or histories for the rebuild `request_id`
 * of analytics. The row in `ticket_exports` is the source of truth.
 */
export const exportTickets = job({
  type: 'export_tickets',
  owner: 'tickets',
  queue: 'ticket-exports',
  data: z.object({ purpose: z.enum(exportPurposes), request_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});

export const dismissFinishedTask = operation({
  name: 'tickets.dismissFinishedTask',
  summary: 'Remove a ticket from the view of finished tasks without notifying the customer.',
  owner: 'tickets',
  method: 'DELETE',
  path: '/tickets/:id/finished-task',
  allow: 'ticket.write',
  input: byTicket,
  output: Ticket,
  problems: ['ticket.not_found'],
});
