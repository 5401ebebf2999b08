import { ticketClosed, ticketCommentAdded, ticketMerged, ticketReopened, ticketResolved, ticketUpdated } from '@tandem/contracts';
import * as z from 'zod';

/**
 * How an event affects the customer's ticket page: `notify` it, `drop` its connection (the ticket may have another customer now), or
 * `ignore` the event.
 */
export type CustomerEffect = 'notify' | 'drop' | 'ignore';

const Comment = z.object({ comment: z.object({ is_internal: z.literal(false) }) });
const Updated = z.object({ changes: z.record(z.string(), z.unknown()) });
const alwaysNotified: ReadonlySet<string> = new Set([ticketResolved, ticketClosed, ticketReopened, ticketMerged].map(({ type }) => type));

/** Only public replies and status changes: customers must not learn of internal notes, assignees or priorities. */
export function customerEffectOf(type: string, data: unknown): CustomerEffect {
  if (alwaysNotified.has(type)) return 'notify';
  if (type === ticketCommentAdded.type) return Comment.safeParse(data).success ? 'notify' : 'ignore';
  if (type !== ticketUpdated.type) return 'ignore';
  const changes = Updated.safeParse(data).data?.changes ?? {};
  if (Object.hasOwn(changes, 'customer_email')) return 'drop';
  return Object.hasOwn(changes, 'status') ? 'notify' : 'ignore';
}
