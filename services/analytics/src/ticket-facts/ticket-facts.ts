import type { Ticket, TicketStats } from '@tandem/contracts';
import type { TicketFactRow } from '../schema';

type Counted = Pick<TicketFactRow, 'status' | 'assigned_to'>;

/**
 * What one ticket contributes to the dashboard. `open` counts open and in_progress; `resolved` counts that status alone. `unassigned`
 * excludes resolved and closed tickets, which need no assignee.
 */
export const toCounts = ({ status, assigned_to }: Counted): TicketStats => ({
  total: 1,
  open: status === 'open' || status === 'in_progress' ? 1 : 0,
  resolved: status === 'resolved' ? 1 : 0,
  unassigned: assigned_to === null && status !== 'resolved' && status !== 'closed' ? 1 : 0,
});

/** How the counts change when a ticket changes from `before` (undefined for a new ticket) to `after`. */
export function countDifference(before: Counted | undefined, after: Counted): TicketStats {
  const now = toCounts(after);
  const then = before ? toCounts(before) : { total: 0, open: 0, resolved: 0, unassigned: 0 };
  return {
    total: now.total - then.total,
    open: now.open - then.open,
    resolved: now.resolved - then.resolved,
    unassigned: now.unassigned - then.unassigned,
  };
}

export const isZero = (movement: TicketStats): boolean => Object.values(movement).every((count) => count === 0);

export const toFact = (ticket: Ticket, sequence: number): TicketFactRow => ({
  organization_id: ticket.organization_id,
  ticket_id: ticket.id,
  status: ticket.status,
  priority: ticket.priority,
  assigned_to: ticket.assigned_to,
  created_at: ticket.created_at,
  resolved_at: ticket.resolved_at,
  sequence,
});
