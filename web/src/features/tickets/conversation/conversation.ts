import type { Comment, Pagination } from '@tandem/contracts';

/** Loads the end of a long conversation; earlier comments load on request. */
export const commentPageSize = 50;

/** The loaded end of a conversation, oldest first. */
export interface Conversation {
  comments: Comment[];
  /** Cursor of the previous page; null if there are no earlier comments. */
  earlier: string | null;
  total: number;
}

export const conversationPage = (latestFirst: Comment[], pagination: Pagination | undefined): Conversation => ({
  comments: [...latestFirst].reverse(),
  earlier: pagination?.next_cursor ?? null,
  total: pagination?.total ?? latestFirst.length,
});

/**
 * Joins a reloaded newest page to the loaded comments. If the two no longer overlap, or a merge has inserted comments between the loaded
 * ones, returns only the newest page.
 */
export function joined(known: Conversation, fresh: Conversation): Conversation {
  const first = fresh.comments[0];
  const meet = known.comments.findIndex(({ id }) => id === first?.id);
  if (fresh.earlier === null || meet < 0) return fresh;
  const comments = [...known.comments.slice(0, meet), ...fresh.comments];
  return known.earlier === null && comments.length < fresh.total ? fresh : { comments, earlier: known.earlier, total: fresh.total };
}

/** Latest first. */
export const commentQuery = { order: 'desc', limit: commentPageSize } as const;
