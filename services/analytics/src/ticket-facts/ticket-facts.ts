import { isDeepStrictEqual } from 'node:util';
import type { CustomFieldValue, CustomFieldValues, TicketHistory, TicketStats } from '@tandem/contracts';
import { customFieldKey, customFieldLimits } from '@tandem/contracts/values';
import { localDay, localTime } from '../local-time/local-time';
import type { CountedValues, TicketColumns } from '../schema';

type Counted = Pick<TicketColumns, 'status' | 'assigned_to'>;

/**
 * The contribution of one ticket to the counts of the dashboard. `open` counts open and in_progress; `resolved` counts that status alone.
 * `unassigned` excludes resolved and closed tickets, which need no assignee.
 */
export const toCounts = ({ status, assigned_to }: Counted): TicketStats => ({
  total: 1,
  open: status === 'open' || status === 'in_progress' ? 1 : 0,
  resolved: status === 'resolved' ? 1 : 0,
  unassigned: assigned_to === null && status !== 'resolved' && status !== 'closed' ? 1 : 0,
});

export const noCounts: TicketStats = { total: 0, open: 0, resolved: 0, unassigned: 0 };

/** How the counts change when a ticket changes from `before` (undefined for a new ticket) to `after`. */
export function countDifference(before: Counted | undefined, after: Counted): TicketStats {
  const now = toCounts(after);
  const then = before ? toCounts(before) : noCounts;
  return {
    total: now.total - then.total,
    open: now.open - then.open,
    resolved: now.resolved - then.resolved,
    unassigned: now.unassigned - then.unassigned,
  };
}

const isOption = (value: CustomFieldValue): boolean =>
  typeof value === 'string' && value.length <= customFieldLimits.key && customFieldKey.test(value);
const isCounted = (value: CustomFieldValue): value is CountedValues[string] =>
  typeof value === 'boolean' || (Array.isArray(value) ? value.every(isOption) : isOption(value));

/**
 * The values of choices and of yes/no fields. Events do not contain the types of fields, so the form of a value decides: what people write
 * in other fields is hardly ever like an option, and must not be stored here.
 */
export const countedValues = (values: CustomFieldValues): CountedValues =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, CountedValues[string]] => isCounted(entry[1])));

export function toFact(ticket: TicketHistory['ticket'], sequence: number, time_zone: string): TicketColumns {
  const { day: created_day, hour: created_hour } = localTime(time_zone, ticket.created_at);
  const breached_at = ticket.sla_breached_at;
  return {
    organization_id: ticket.organization_id,
    ticket_id: ticket.id,
    ticket_number: ticket.ticket_number,
    status: ticket.status,
    priority: ticket.priority,
    category: ticket.category,
    tags: ticket.tags,
    channel: ticket.channel,
    assigned_to: ticket.assigned_to,
    created_at: ticket.created_at,
    created_day,
    created_hour,
    first_response_at: ticket.first_response_at,
    resolved_at: ticket.resolved_at,
    first_response_time_hours: ticket.first_response_time_hours,
    resolution_time_hours: ticket.resolution_time_hours,
    breached_at,
    breached_day: breached_at === null ? null : localDay(time_zone, breached_at),
    escalated_at: ticket.escalated_at,
    reopen_count: ticket.reopen_count,
    public_reply_count: ticket.public_reply_count,
    custom_fields: countedValues(ticket.custom_fields),
    sequence,
  };
}

const differsIn = (before: TicketColumns, after: TicketColumns, columns: readonly (keyof TicketColumns)[]): boolean =>
  columns.some((column) => !isDeepStrictEqual(before[column], after[column]));

/** Whether an event changed any figure. Many change none: a note, a changed subject, the second event of one change. */
export const hasChanged = (before: TicketColumns, after: TicketColumns): boolean =>
  differsIn(
    before,
    after,
    (Object.keys(after) as (keyof TicketColumns)[]).filter((column) => column !== 'sequence'),
  );

/** Whether a ticket moved between slices, so that its events on other days count elsewhere, too. */
export const hasMoved = (before: TicketColumns, after: TicketColumns): boolean =>
  differsIn(before, after, ['priority', 'category', 'tags', 'channel', 'assigned_to']);
