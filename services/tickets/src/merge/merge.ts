import type { Ticket } from '@tandem/contracts';

type Mergeable = Pick<Ticket, 'id' | 'ticket_number' | 'customer_email' | 'merged_into_id' | 'anonymized_at'>;

/** Why a ticket cannot be merged into another, and what to do instead. Undefined if it can. */
export function mergeRefusal(source: Mergeable, target: Mergeable): string | undefined {
  if (source.id === target.id) return 'A ticket cannot be merged into itself. Choose another one.';
  const anonymized = [source, target].find(({ anonymized_at }) => anonymized_at !== null);
  if (anonymized) return `${anonymized.ticket_number} was anonymized. It has no customer, and no conversation.`;
  if (source.merged_into_id === target.id) return `${source.ticket_number} has already been merged into ${target.ticket_number}.`;
  if (source.merged_into_id !== null) return `${source.ticket_number} has already been merged into another ticket. Merge that one instead.`;
  if (target.merged_into_id === source.id) return `${target.ticket_number} has already been merged into ${source.ticket_number}.`;
  if (target.merged_into_id !== null) return `${target.ticket_number} was merged into another ticket. Merge into that one instead.`;
  if (source.customer_email !== target.customer_email) {
    return `${source.ticket_number} is from ${source.customer_email}, ${target.ticket_number} from ${target.customer_email}. If it is the same person, give both tickets the same address first.`;
  }
  return undefined;
}
