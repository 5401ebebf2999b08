import { ticketClosed, ticketCommentAdded, ticketMerged, ticketReopened, ticketResolved, ticketUpdated } from '@tandem/contracts';
import * as z from 'zod';

/**
 * What an event means for the customer's ticket page: notify it, disconnect it (`leave`: the ticket may have another customer now), or
 * nothing.
 */
export type CustomerNews = 'tell' | 'leave' | 'nothing';

const Comment = z.object({ comment: z.object({ is_internal: z.literal(false) }) });
const Updated = z.object({ changes: z.record(z.string(), z.unknown()) });
const alwaysTold: ReadonlySet<string> = new Set([ticketResolved, ticketClosed, ticketReopened, ticketMerged].map(({ type }) => type));

/** Only public replies and status changes: customers must not learn of internal notes, assignees or priorities. */
export function newsForCustomer(type: string, data: unknown): CustomerNews {
  if (alwaysTold.has(type)) return 'tell';
  if (type === ticketCommentAdded.type) return Comment.safeParse(data).success ? 'tell' : 'nothing';
  if (type !== ticketUpdated.type) return 'nothing';
  const changes = Updated.safeParse(data).data?.changes ?? {};
  if (Object.hasOwn(changes, 'customer_email')) return 'leave';
  return Object.hasOwn(changes, 'status') ? 'tell' : 'nothing';
}
