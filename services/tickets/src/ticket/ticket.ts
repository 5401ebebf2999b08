import type { Changes, Ticket, TicketStatus, UpdateTicket } from '@tandem/contracts';

/** The fields that a person may set; everything else about a ticket follows from them. */
const writableFields = [
  'status',
  'priority',
  'assigned_to',
  'subject',
  'description',
  'category',
  'tags',
  'customer_name',
  'customer_email',
] as const satisfies readonly (keyof UpdateTicket)[];
type Writable = Pick<Ticket, (typeof writableFields)[number]>;

/** `{PREFIX}-{counter}`, the counter with at least four digits (`product-decisions.md`). The store says the same in SQL. */
export const ticketNumber = (prefix: string, counter: number): string => `${prefix}-${String(counter).padStart(4, '0')}`;

/**
 * Spec part 2, section 4: 'Setting resolved stamps resolved_at with the current time. Setting open or in_progress clears resolved_at.
 * Other statuses leave it untouched.'
 */
export function resolvedAt(status: TicketStatus, previous: string | null, now: string): string | null {
  switch (status) {
    case 'resolved':
      return now;
    case 'open':
    case 'in_progress':
      return null;
    case 'waiting_for_customer':
    case 'closed':
      return previous;
  }
}

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, index) => item === b[index]) : a === b;

type Effect = Partial<Writable & Pick<Ticket, 'resolved_at' | 'task_finished_at'>>;

export const isOver = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** What `patch` really changes of `before`, with what follows from it. Undefined: nothing, so nothing is written or announced. */
export function effectOf(
  before: Writable & Pick<Ticket, 'resolved_at' | 'task_finished_at'>,
  patch: UpdateTicket,
  now: string,
): Effect | undefined {
  const changed = writableFields.filter((field) => patch[field] !== undefined && !isSame(before[field], patch[field]));
  if (changed.length === 0) return undefined;
  const effect: Effect = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  if (effect.status) effect.resolved_at = resolvedAt(effect.status, before.resolved_at, now);
  // Whose ticket is over needs not be told any more that its task is finished.
  if (effect.status && isOver(effect.status) && before.task_finished_at !== null) effect.task_finished_at = null;
  return effect;
}

/**
 * The `changes` of `ticket.updated`: each changed field with its old and new value. The description is named with null on both
 * sides: the new one is in the event's ticket already, and the old one nobody needs a second time.
 */
export function changesBetween(before: Writable, after: Writable): Changes {
  const changed = writableFields.filter((field) => !isSame(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, field === 'description' ? { from: null, to: null } : { from: before[field], to: after[field] }]),
  );
}

/** The `changes` of `ticket.updated` when somebody began or ceased to watch. */
export const watchersBetween = (before: Pick<Ticket, 'watchers'>, after: Pick<Ticket, 'watchers'>): Changes =>
  isSame(before.watchers, after.watchers) ? {} : { watchers: { from: before.watchers, to: after.watchers } };

type FinishedTask = Pick<Ticket, 'task_finished_at' | 'task_outcome'>;

/** The `changes` of `ticket.updated` when its task was finished, or nobody needs to be told of it any more; with how it ended where that changes. */
export function finishedBetween(before: FinishedTask, after: FinishedTask): Changes {
  if (before.task_finished_at === after.task_finished_at) return {};
  const finished = { task_finished_at: { from: before.task_finished_at, to: after.task_finished_at } };
  const isClear = after.task_finished_at === null || after.task_outcome === 'finished';
  return isClear ? finished : { ...finished, task_outcome: { from: before.task_outcome, to: after.task_outcome } };
}

const maxTags = 20;

/** The tags of two tickets in one: nothing twice, and no more than fit. */
export const tagsWith = (tags: string[], more: string[]): string[] => [...new Set([...tags, ...more])].slice(0, maxTags);

/** How many members can watch one ticket. */
export const maxWatchers = 50;

/** Who watches when `more` come: nobody twice, and no more than fit. Whoever watches already keeps the place. */
export const watchersWith = (watchers: string[], more: string[]): string[] => [...new Set([...watchers, ...more])].slice(0, maxWatchers);

/**
 * The moment of a change of a locked ticket: now, and after its last change whatever this machine's clock says, so that comments and the
 * timeline stand in the order in which they were written.
 */
export const momentAfter = (last_change: string, now = new Date().toISOString()): string =>
  now > last_change ? now : new Date(Date.parse(last_change) + 1).toISOString();

/** The special events that go out beside `ticket.updated`. Taking an assignee away is an update, not an assignment. */
export type Announcement = 'assigned' | 'resolved' | 'closed' | 'reopened';
export function announcementsOf(
  before: Pick<Ticket, 'status' | 'assigned_to'>,
  after: Pick<Ticket, 'status' | 'assigned_to'>,
): Announcement[] {
  const announcements: Announcement[] = [];
  if (after.assigned_to !== null && after.assigned_to !== before.assigned_to) announcements.push('assigned');
  if (after.status === before.status) return announcements;
  if (after.status === 'resolved') announcements.push('resolved');
  else if (after.status === 'closed') announcements.push('closed');
  else if (isOver(before.status)) announcements.push('reopened');
  return announcements;
}

/** `waiting_for_customer` goes back to `open` when the customer comments (`product-decisions.md`); other statuses stay. */
export const statusAfterCustomerComment = (status: TicketStatus): TicketStatus => (status === 'waiting_for_customer' ? 'open' : status);

/** A LIKE pattern for "contains": what the person typed means itself. */
export const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, '\\$&')}%`;
