import type { PublicComment, PublicTicket } from '@tandem/contracts';

/** Adds earlier comments, which are loaded latest first, before those on the page. */
export function withEarlier(ticket: PublicTicket, earlier: PublicComment[], next_cursor: string | null): PublicTicket {
  const known = new Set(ticket.comments.map(({ id }) => id));
  const added = earlier.filter(({ id }) => !known.has(id)).reverse();
  return { ...ticket, comments: [...added, ...ticket.comments], earlier_cursor: next_cursor };
}

/**
 * Merges a refetched ticket into the one on the page and keeps the earlier comments, because a refetch returns only the latest ones. If the
 * two do not overlap, more comments have arrived than one refetch returns: then only the refetched ones are shown.
 */
export function withLatest(before: PublicTicket, fresh: PublicTicket): PublicTicket {
  const [first] = fresh.comments;
  if (!first || fresh.earlier_cursor === null) return fresh;
  const meetsAt = before.comments.findIndex(({ id }) => id === first.id);
  if (meetsAt <= 0) return fresh;
  return { ...fresh, comments: [...before.comments.slice(0, meetsAt), ...fresh.comments], earlier_cursor: before.earlier_cursor };
}
