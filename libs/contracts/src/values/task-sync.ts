/** Names of the two-way sync with task tools that services and browsers share, without a dependency on zod. */

/** The ticket fields that can sync with a task. */
export const syncFields = ['status', 'priority', 'title', 'description', 'tags', 'assignee', 'customer_email', 'due_at'] as const;
export type SyncField = (typeof syncFields)[number];
export const syncFieldLabels: Record<SyncField, string> = {
  status: 'Status',
  priority: 'Priority',
  title: 'Title',
  description: 'Description',
  tags: 'Tags',
  assignee: 'Assignee',
  customer_email: 'Customer email',
  due_at: 'Due time',
};

export const syncDirections = ['both', 'to_task', 'to_ticket', 'off'] as const;
export type SyncDirection = (typeof syncDirections)[number];
export const syncDirectionLabels: Record<SyncDirection, string> = {
  both: 'Both ways',
  to_task: 'Ticket to task',
  to_ticket: 'Task to ticket',
  off: 'Not at all',
};

/** The allowed sync directions of each field. The customer's address and the due time belong to the help desk: tasks never change them. */
export const directionsOf: Record<SyncField, readonly SyncDirection[]> = {
  status: syncDirections,
  priority: syncDirections,
  title: syncDirections,
  description: syncDirections,
  tags: syncDirections,
  assignee: syncDirections,
  customer_email: ['to_task', 'off'],
  due_at: ['to_task', 'off'],
};
/** Used for fields without a setting in the integration (`field_mappings: {}`). See docs/product-rules.md#task-sync. */
export const defaultDirections: Record<SyncField, SyncDirection> = {
  status: 'both',
  priority: 'both',
  title: 'both',
  description: 'to_task',
  tags: 'to_task',
  assignee: 'both',
  customer_email: 'to_task',
  due_at: 'to_task',
};

/** Which side wins if both changed the same field before the change of the other was synced. */
export const conflictRules = ['latest', 'help_desk', 'task'] as const;
export type ConflictRule = (typeof conflictRules)[number];
export const conflictRuleLabels: Record<ConflictRule, string> = {
  latest: 'The later change wins',
  help_desk: 'The ticket wins',
  task: 'The task wins',
};

/** Public comments are copied to the task, comments of the task become internal notes. Internal notes are never copied to the task. */
export const commentSyncs = ['both', 'to_task', 'to_ticket', 'none'] as const;
export type CommentSync = (typeof commentSyncs)[number];
export const commentSyncLabels: Record<CommentSync, string> = {
  both: 'Public comments to the task, task comments as internal notes',
  to_task: 'Only public comments to the task',
  to_ticket: 'Only task comments, as internal notes',
  none: 'No comments',
};

/**
 * The effect of a finished task on its ticket. `tell_customer`: only list it in the view 'Ready to tell the customer' and draft a reply.
 */
export const finishedTaskRules = ['tell_customer', 'set_status'] as const;
export type FinishedTaskRule = (typeof finishedTaskRules)[number];
export const finishedTaskLabels: Record<FinishedTaskRule, string> = {
  tell_customer: 'Move the ticket to “Ready to tell the customer”',
  set_status: 'Also set the ticket’s status',
};

/** Which new tickets get a task automatically. */
export const taskRules = ['all', 'matching', 'none'] as const;
export type TaskRule = (typeof taskRules)[number];

/** Types of a status, independent of any tool: not started, in progress, done, archived. */
export const statusCategories = ['open', 'active', 'done', 'closed'] as const;
export type StatusCategory = (typeof statusCategories)[number];

/** Status names of the default mapping, compared case-insensitively. */
export const defaultStatusNames = {
  open: 'To Do',
  in_progress: 'In Progress',
  waiting_for_customer: 'Review',
  resolved: 'Complete',
  closed: 'Closed',
} as const;

/** The meaning of a status that ends a task: only finished work is announced to the customer as finished. */
export const closedMeanings = ['finished', 'not_planned'] as const;
export type ClosedMeaning = (typeof closedMeanings)[number];
export const closedMeaningLabels: Record<ClosedMeaning, string> = {
  finished: 'The work is finished',
  not_planned: 'Not planned',
};

/** The drafted reply of a finished task, until an organization writes its own. */
export const defaultFinishedReply =
  'Hello {customer_name},\n\nWe have finished the work on “{subject}” ({ticket_number}). Please let us know if anything is still wrong.';
/** The variables that a drafted reply may contain in braces. */
export const finishedReplyVariables = ['customer_name', 'subject', 'ticket_number', 'task_title'] as const;

/** The health of an integration, worst first. `paused`: paused by a user, which is not a problem. */
export const integrationHealths = ['broken', 'attention', 'catching_up', 'ok', 'paused'] as const;
export type IntegrationHealth = (typeof integrationHealths)[number];

/**
 * Why an integration does not sync; only `by_hand` is a user's choice. `unavailable`: the tool currently denies access to the list;
 * syncing resumes automatically once it allows access again.
 */
export const pauseReasons = ['by_hand', 'connection_broken', 'unavailable', 'list_gone', 'loop'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The problems that the sync of one ticket can have. `differs`: the task rejected a field, and the others sync. */
export const syncProblemKinds = ['failed', 'stopped', 'differs'] as const;
export type SyncProblemKind = (typeof syncProblemKinds)[number];
export const syncProblemLabels: Record<SyncProblemKind, string> = {
  failed: 'Failed',
  stopped: 'Stopped',
  differs: 'Differs',
};

/** State of a ticket's link. `creating`: the task does not exist yet. `gone`: deleted in the task tool. `stopped`: changed too often. */
export const linkStates = ['creating', 'linked', 'gone', 'stopped', 'failed'] as const;
export type LinkState = (typeof linkStates)[number];
