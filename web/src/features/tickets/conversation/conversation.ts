import type { Comment, Pagination } from '@tandem/contracts';

/** Of a long conversation the end is read; what stands before it when somebody asks. */
export const commentPageSize = 50;

/** The loaded end of a conversation, oldest first. */
export interface Conversation {
  comments: Comment[];
  /** Where the comments before these begin; null when these are all. */
  earlier: string | null;
  total: number;
}

export const pageOf = (latestFirst: Comment[], pagination: Pagination | undefined): Conversation => ({
  comments: [...latestFirst].reverse(),
  earlier: pagination?.next_cursor ?? null,
  total: pagination?.total ?? latestFirst.length,
});

/**
 * The newest page, read again, joined to what is known. Where they do not meet any more, or where a merge has put comments between the known
 * ones, the newest page stands alone.
 */
export function joined(known: Conversation, fresh: Conversation): Conversation {
  const first = fresh.comments[0];
  const meet = known.comments.findIndex(({ id }) => id === first?.id);
  if (fresh.earlier === null || meet < 0) return fresh;
  const comments = [...known.comments.slice(0, meet), ...fresh.comments];
  return known.earlier === null && comments.length < fresh.total ? fresh : { comments, earlier: known.earlier, total: fresh.total };
}

export const commentsOf = (ticket_id: string) => `/tickets/${encodeURIComponent(ticket_id)}/comments`;
/** The latest first. */
export const commentQuery = { order: 'desc', limit: commentPageSize };
