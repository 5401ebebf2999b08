import { isDeepStrictEqual } from 'node:util';
import {
  customFieldName,
  ticketLimits,
  type Changes,
  type CustomFieldValues,
  type Ticket,
  type TicketMoment,
  type TicketStatus,
  type UpdateTicket,
} from '@tandem/contracts';
import { clientFields, type ClientField } from './ticket-fields';

type Writable = Pick<Ticket, ClientField>;

/** `{PREFIX}-{counter}` (docs/product-rules.md#tickets). `insertTicket` has the same rule in SQL. */
export const ticketNumber = (prefix: string, counter: number): string => `${prefix}-${String(counter).padStart(4, '0')}`;

/** Resolving sets `resolved_at`; `open` and `in_progress` clear it (docs/product-rules.md#statuses). */
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

const isSame = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && isDeepStrictEqual(a, b));

/** The patch that turns one state of a ticket into another. */
export const clientChanges = (before: Writable, after: Writable): UpdateTicket =>
  Object.fromEntries(clientFields.filter((field) => !isSame(before[field], after[field])).map((field) => [field, after[field]]));

export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean => isSame(a, b);

type ComputedChange = Partial<Writable & Pick<Ticket, 'resolved_at' | 'task_finished_at' | 'snoozed_at' | 'snoozed_until'>>;

/** No work is left on a ticket with one of these statuses. */
export const isResolvedOrClosed = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/**
 * How a status change counts in the daily figures: a ticket is resolved when work on it ends, even if it is closed without being resolved,
 * and reopened when work begins again. Closing a resolved ticket is neither.
 */
export function momentOf(before: TicketStatus, after: TicketStatus): TicketMoment['kind'] | undefined {
  if (isResolvedOrClosed(before) === isResolvedOrClosed(after)) return undefined;
  return isResolvedOrClosed(after) ? 'resolved' : 'reopened';
}

/** The customer gets every reply anyway, so the address is never in Cc, neither after a change of Cc nor of the customer. */
function patchWithCc(before: Pick<Ticket, 'cc' | 'customer_email'>, patch: UpdateTicket): UpdateTicket {
  if (patch.cc === undefined && patch.customer_email === undefined) return patch;
  return { ...patch, cc: withoutCustomer(patch.cc ?? before.cc, patch.customer_email ?? before.customer_email) };
}

export const withoutCustomer = (cc: string[], customer_email: string): string[] => cc.filter((address) => address !== customer_email);

/** The fields that `patch` actually changes, and those derived from them. Undefined if there are none: nothing is written or announced. */
export function computeChange(
  before: Writable & Pick<Ticket, 'resolved_at' | 'task_finished_at' | 'snoozed_at'>,
  patch: UpdateTicket,
  now: string,
): ComputedChange | undefined {
  const wanted = patchWithCc(before, patch);
  const changed = clientFields.filter((field) => wanted[field] !== undefined && !isSame(before[field], wanted[field]));
  if (changed.length === 0) return undefined;
  const change: ComputedChange = Object.fromEntries(changed.map((field) => [field, wanted[field]]));
  if (change.status) change.resolved_at = resolvedAt(change.status, before.resolved_at, now);
  // Closing the ticket clears the "task finished" reminder.
  if (change.status && isResolvedOrClosed(change.status) && before.task_finished_at !== null) change.task_finished_at = null;
  if (change.status && isResolvedOrClosed(change.status)) Object.assign(change, awake(before));
  return change;
}

/** Ends a snooze. Empty if there is none, so that a change of another field stays one. */
export const awake = ({ snoozed_at }: Pick<Ticket, 'snoozed_at'>): Partial<Pick<Ticket, 'snoozed_at' | 'snoozed_until'>> =>
  snoozed_at === null ? {} : { snoozed_at: null, snoozed_until: null };

/**
 * The `changes` of `ticket.updated`: each changed field, also `custom_fields.<key>`, with its old and new value. The description has null for both, because the event's
 * ticket includes the new one and no consumer needs the old one.
 */
export function fieldChanges(before: Writable, after: Writable): Changes {
  const changed = clientFields.filter((field) => !isSame(before[field], after[field]));
  const { custom_fields: _, ...changes } = Object.fromEntries(
    changed.map((field) => [field, field === 'description' ? { from: null, to: null } : { from: before[field], to: after[field] }]),
  );
  return changed.includes('custom_fields') ? { ...changes, ...customFieldChanges(before.custom_fields, after.custom_fields) } : changes;
}

/** Each changed custom field under its own name. */
const customFieldChanges = (before: CustomFieldValues, after: CustomFieldValues): Changes =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((key) => !isSame(before[key], after[key]))
      .map((key) => [customFieldName(key), { from: before[key] ?? null, to: after[key] ?? null }]),
  );

/** The `changes` of `ticket.updated` for watchers who were added or removed. */
export const watcherChanges = (before: Pick<Ticket, 'watchers'>, after: Pick<Ticket, 'watchers'>): Changes =>
  isSame(before.watchers, after.watchers) ? {} : { watchers: { from: before.watchers, to: after.watchers } };

type FinishedTask = Pick<Ticket, 'task_finished_at' | 'task_outcome'>;

/** The `changes` of `ticket.updated` for the "task finished" reminder, with the outcome if it changes. */
export function reminderChanges(before: FinishedTask, after: FinishedTask): Changes {
  if (before.task_finished_at === after.task_finished_at) return {};
  const finished = { task_finished_at: { from: before.task_finished_at, to: after.task_finished_at } };
  const isClear = after.task_finished_at === null || after.task_outcome === 'finished';
  return isClear ? finished : { ...finished, task_outcome: { from: before.task_outcome, to: after.task_outcome } };
}

type Snoozed = Pick<Ticket, 'snoozed_at' | 'snoozed_until'>;

/** The `changes` of `ticket.updated` for a snooze that began, changed or ended. */
export const snoozeChanges = (before: Snoozed, after: Snoozed): Changes =>
  before.snoozed_at === after.snoozed_at && before.snoozed_until === after.snoozed_until
    ? {}
    : {
        snoozed_at: { from: before.snoozed_at, to: after.snoozed_at },
        snoozed_until: { from: before.snoozed_until, to: after.snoozed_until },
      };

const maxTags = 20;

/** The union of the tags of two tickets, up to the maximum. */
export const mergeTags = (tags: string[], more: string[]): string[] => [...new Set([...tags, ...more])].slice(0, maxTags);

/** The ticket's addresses in Cc and more, up to the maximum. Existing ones stay. */
export const mergeCc = ({ cc, customer_email }: Pick<Ticket, 'cc' | 'customer_email'>, more: string[]): string[] =>
  withoutCustomer([...new Set([...cc, ...more])], customer_email).slice(0, ticketLimits.cc);

/** Maximum number of watchers per ticket. */
export const maxWatchers = 50;

/** The union of watchers, up to the maximum. Existing watchers stay. */
export const mergeWatchers = (watchers: string[], more: string[]): string[] => [...new Set([...watchers, ...more])].slice(0, maxWatchers);

/**
 * The time of a change of a locked ticket: now, but always after its last change even if clocks differ, so that comments and timeline
 * entries sort in the order in which they were written.
 */
export const monotonicNow = (last_change: string, now = new Date().toISOString()): string =>
  now > last_change ? now : new Date(Date.parse(last_change) + 1).toISOString();

/** The specific events emitted in addition to `ticket.updated`. Unassigning is an update only. */
export type SpecificEvent = 'assigned' | 'resolved' | 'closed' | 'reopened' | 'snoozed' | 'woken';
export function specificEvents(
  before: Pick<Ticket, 'status' | 'assigned_to'> & Snoozed,
  after: Pick<Ticket, 'status' | 'assigned_to'> & Snoozed,
): SpecificEvent[] {
  const events: SpecificEvent[] = [];
  // A ticket that is resolved or closed does not wake.
  if (Object.keys(snoozeChanges(before, after)).length > 0 && !isResolvedOrClosed(after.status))
    events.push(after.snoozed_at === null ? 'woken' : 'snoozed');
  if (after.assigned_to !== null && after.assigned_to !== before.assigned_to) events.push('assigned');
  if (after.status === before.status) return events;
  if (after.status === 'resolved') events.push('resolved');
  else if (after.status === 'closed') events.push('closed');
  else if (isResolvedOrClosed(before.status)) events.push('reopened');
  return events;
}

/** A customer comment changes `waiting_for_customer` to `open`; other statuses stay. */
export const statusAfterCustomerComment = (status: TicketStatus): TicketStatus => (status === 'waiting_for_customer' ? 'open' : status);

/** A LIKE pattern for "contains" that escapes the special characters of the input. */
export const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, '\\$&')}%`;
