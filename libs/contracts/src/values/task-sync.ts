/** Words of the two-way sync with task tools that services and browsers share, free of zod. */

/** What of a ticket can travel to its task and back. */
export const syncFields = ['status', 'priority', 'title', 'description', 'tags', 'assignee', 'customer_email', 'due_at'] as const;
export type SyncField = (typeof syncFields)[number];
export const syncFieldLabels: Record<SyncField, string> = {
  status: 'Status',
  priority: 'Priority',
  title: 'Title',
  description: 'Description',
  tags: 'Tags',
  assignee: 'Assignee',
  customer_email: 'Customer e-mail',
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

/** Which ways a field can go. The customer and the due time are the help desk's own: a task never changes them. */
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
/** What holds where an integration says nothing of a field (`field_mappings: {}`). */
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

/** Who wins where both sides changed the same field before either heard of the other. */
export const conflictRules = ['latest', 'help_desk', 'task'] as const;
export type ConflictRule = (typeof conflictRules)[number];
export const conflictRuleLabels: Record<ConflictRule, string> = {
  latest: 'The later change wins',
  help_desk: 'The ticket wins',
  task: 'The task wins',
};

/** Public comments go to the task, comments of the task become internal notes. Internal notes never leave the house. */
export const commentSyncs = ['both', 'to_task', 'to_ticket', 'none'] as const;
export type CommentSync = (typeof commentSyncs)[number];
export const commentSyncLabels: Record<CommentSync, string> = {
  both: 'Public comments to the task, comments of the task as internal notes',
  to_task: 'Only public comments to the task',
  to_ticket: 'Only comments of the task, as internal notes',
  none: 'No comments',
};

/** What a finished task does to its ticket. `tell_customer`: nothing but the view 'Ready to tell the customer' and a drafted reply. */
export const finishedTaskRules = ['tell_customer', 'set_status'] as const;
export type FinishedTaskRule = (typeof finishedTaskRules)[number];
export const finishedTaskLabels: Record<FinishedTaskRule, string> = {
  tell_customer: 'Put the ticket into “Ready to tell the customer”',
  set_status: 'Set the ticket’s status as well',
};

/** Which new tickets become tasks by themselves. */
export const taskRules = ['all', 'matching', 'none'] as const;
export type TaskRule = (typeof taskRules)[number];

/** Types of a status, in the words of no particular tool: not begun, being worked on, done, out of sight. */
export const statusCategories = ['open', 'active', 'done', 'closed'] as const;
export type StatusCategory = (typeof statusCategories)[number];

/** Names of the default mapping (`product-decisions.md`), compared without case. */
export const defaultStatusNames = {
  open: 'To Do',
  in_progress: 'In Progress',
  waiting_for_customer: 'Review',
  resolved: 'Complete',
  closed: 'Closed',
} as const;

/** What a status that ends a task means: only finished work is announced to the customer as finished. */
export const closedMeanings = ['finished', 'not_planned'] as const;
export type ClosedMeaning = (typeof closedMeanings)[number];
export const closedMeaningLabels: Record<ClosedMeaning, string> = {
  finished: 'The work is finished',
  not_planned: 'Not planned',
};

/** The drafted reply of a finished task, until an organization writes its own. */
export const defaultFinishedReply =
  'Hello {customer_name},\n\nwe have finished the work on “{subject}” ({ticket_number}). Please tell us if anything is still not as it should be.';
/** What a drafted reply may name in braces. */
export const finishedReplyVariables = ['customer_name', 'subject', 'ticket_number', 'task_title'] as const;

/** How an integration is doing, the worst first. `paused`: nobody has to be worried, somebody paused it. */
export const integrationHealths = ['broken', 'attention', 'catching_up', 'ok', 'paused'] as const;
export type IntegrationHealth = (typeof integrationHealths)[number];

/**
 * Why an integration does not work, where it was not a person who paused it. `unavailable`: the tool does not give access to the list at the moment;
 * it goes on automatically once the tool does.
 */
export const pauseReasons = ['by_hand', 'connection_broken', 'unavailable', 'list_gone', 'loop'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** What can be wrong with the sync of one ticket. `differs`: the task refused a field, and the others sync. */
export const syncProblemKinds = ['failed', 'stopped', 'differs'] as const;
export type SyncProblemKind = (typeof syncProblemKinds)[number];
export const syncProblemLabels: Record<SyncProblemKind, string> = {
  failed: 'Failed',
  stopped: 'Stopped',
  differs: 'Differs',
};

/** Where a ticket's task stands. `creating`: not there yet. `gone`: deleted in the task tool. `stopped`: changed too often, somebody has to look. */
export const linkStates = ['creating', 'linked', 'gone', 'stopped', 'failed'] as const;
export type LinkState = (typeof linkStates)[number];
