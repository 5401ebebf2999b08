/** Ticket constants that services and browsers share, without a dependency on zod. */
export const ticketStatuses = ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

export const ticketPriorities = ['low', 'medium', 'high', 'urgent'] as const;
export type TicketPriority = (typeof ticketPriorities)[number];

/** The sort orders of a list. Ties are broken by id, so each order is total. */
export const ticketSorts = ['newest', 'oldest', 'updated', 'priority', 'due'] as const;
export type TicketSort = (typeof ticketSorts)[number];
export const sortLabels: Record<TicketSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Recently updated',
  priority: 'Highest priority',
  due: 'Due first',
};

/** The height of the list's rows: several lines, or one. */
export const listDensities = ['comfortable', 'compact'] as const;
export type ListDensity = (typeof listDensities)[number];

/** The fields by which the list's rows can be grouped. */
export const listGroups = ['status', 'priority', 'assignee', 'due'] as const;
export type ListGroup = (typeof listGroups)[number];

/** The columns of the list's rows after number and subject. */
export const listColumns = [
  'status',
  'priority',
  'customer',
  'due',
  'assignee',
  'flags',
  'created',
  'comments',
  'category',
  'tags',
  'updated',
] as const;
export type ListColumn = (typeof listColumns)[number];

/** Filters by a ticket's task. */
export const taskFilters = ['linked', 'unlinked', 'finished'] as const;
export type TaskFilter = (typeof taskFilters)[number];
export const taskFilterLabels: Record<TaskFilter, string> = {
  linked: 'Has a task',
  unlinked: 'Has no task',
  finished: 'Ready to tell the customer',
};

/** Filters by a ticket's survey. */
export const surveyFilters = ['sent', 'answered'] as const;
export type SurveyFilter = (typeof surveyFilters)[number];

export const defaultPriority: TicketPriority = 'medium';

/** Status names shown to staff. */
export const statusLabels: Record<TicketStatus, string> = {
  open: 'Open',
  in_progress: 'In Progress',
  waiting_for_customer: 'Waiting for Customer',
  resolved: 'Resolved',
  closed: 'Closed',
};

/** Status names shown to customers (docs/product-rules.md#statuses). */
export const customerStatusLabels: Record<TicketStatus, string> = {
  open: 'Open',
  in_progress: 'In Progress',
  waiting_for_customer: 'Pending',
  resolved: 'Resolved',
  closed: 'Closed',
};

export const priorityLabels: Record<TicketPriority, string> = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' };

/** Maximum text lengths in UTF-16 units. The subject fits a mail header, the description a long log excerpt. */
export const ticketLimits = {
  subject: 255,
  description: 100_000,
  comment: 100_000,
  category: 100,
  /** The categories of an organization that customers choose from. */
  categories: 100,
  name: 200,
  email: 254,
  search: 200,
  tags: 20,
  cc: 20,
  externalId: 255,
} as const;

/** A ticket can be snoozed at most this far ahead. */
export const snoozeLimits = { maxDays: 366 } as const;

/** Customers may comment only if the ticket is neither resolved nor closed (`customer_follow_up: locked`, the default). */
export const customerMayComment = (status: TicketStatus): boolean => status !== 'resolved' && status !== 'closed';

/** For this long, staff can undo a change to a ticket, and the customer's email about its new status waits. */
export const undoSeconds = 10;
