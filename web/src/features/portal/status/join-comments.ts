import type { PublicComment, PublicTicket } from '@tandem/contracts';

/** Earlier comments, as they are read (the latest first), before those that are on the page. */
export function withEarlier(ticket: PublicTicket, earlier: PublicComment[], next_cursor: string | null): PublicTicket {
  const known = new Set(ticket.comments.map(({ id }) => id));
  const added = earlier.filter(({ id }) => !known.has(id)).reverse();
  return { ...ticket, comments: [...added, ...ticket.comments], earlier_cursor: next_cursor };
}

/**
 * The ticket as it was read again, without losing the earlier comments that are on the page already: each reading has only the latest ones.
 * Where the two do not meet, more came meanwhile than one reading has: then the page begins anew from there.
 */
export function withLatest(before: PublicTicket, fresh: PublicTicket): PublicTicket {
  const [first] = fresh.comments;
  if (!first || fresh.earlier_cursor === null) return fresh;
  const meetsAt = before.comments.findIndex(({ id }) => id === first.id);
  if (meetsAt <= 0) return fresh;
  return { ...fresh, comments: [...before.comments.slice(0, meetsAt), ...fresh.comments], earlier_cursor: before.earlier_cursor };
}
