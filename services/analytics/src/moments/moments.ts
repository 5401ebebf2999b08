import type { Changes, Ticket, TicketMoment } from '@tandem/contracts';

const isDone = (status: unknown): boolean => status === 'resolved' || status === 'closed';

/**
 * The moment of a `ticket.updated`: a ticket that is closed without being resolved counts as resolved, and closing a resolved ticket adds no
 * moment. The two kinds therefore alternate, and the backlog is the number of tickets created, minus resolved, plus reopened.
 */
export function momentOf({ status }: Changes, { updated_at }: Pick<Ticket, 'updated_at'>): TicketMoment | undefined {
  if (!status || isDone(status.from) === isDone(status.to)) return undefined;
  return { kind: isDone(status.to) ? 'resolved' : 'reopened', at: updated_at };
}
