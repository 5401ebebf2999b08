import type { Comment, Ticket } from '@tandem/contracts';
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { useSession } from '../../../app/api';
import { announce } from '../../../lib/announce';
import { nameOf, ruleLabel, tokenLabel } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

export const customerOf = (ticket: Ticket): string => ticket.customer_name ?? ticket.customer_email;
/** The author's name. A note with an address came by email from a sender who is not the customer; one from the task tool names the tool. */
export function authorOf(comment: Comment, ticket: Ticket): string {
  if (comment.tool_author) return `${comment.tool_author.name} · ${comment.tool_author.tool_name}`;
  if (comment.imported_author) return comment.imported_author.name;
  if (comment.token) return tokenLabel(comment.token);
  if (comment.rule) return ruleLabel(comment.rule);
  return comment.is_from_customer ? customerOf(ticket) : (comment.customer_email ?? nameOf(comment.author, 'API'));
}

/** Comments by others after the last one that the writer had seen. */
export function newerThan(comments: Comment[], lastSeen: string | null | undefined, me: string): Comment[] {
  const from = comments.findIndex(({ id }) => id === lastSeen) + 1;
  return comments.slice(from).filter(({ user_id }) => user_id !== me);
}

/** Announces new comments to screen readers, but not earlier ones that the user loaded. */
export function useAnnounceNew(comments: Comment[] | undefined, ticket: Ticket): void {
  const { profile } = useSession();
  const lastKnown = useRef<string | null>(undefined);
  useEffect(() => {
    if (!comments) return;
    const last = comments.at(-1);
    const isNew = lastKnown.current !== undefined && last && last.id !== lastKnown.current && last.user_id !== profile.user_id;
    lastKnown.current = last?.id ?? null;
    if (isNew)
      announce(
        last.is_internal
          ? t('tickets.conversation.new_note_by', { authorOf: authorOf(last, ticket) })
          : t('tickets.conversation.new_comment_by', { authorOf: authorOf(last, ticket) }),
      );
  }, [comments, ticket, profile.user_id]);
}

/** For this long after opening and sending, the pane stays at its end while images and the composer load. */
const stayAtEndMs = 1_500;

/** A pane that can be scrolled to its end. It then stays there for a moment while content loads, unless the user scrolls. */
export function useScrollToEnd(): { pane: RefObject<HTMLDivElement | null>; toEnd: () => void } {
  const pane = useRef<HTMLDivElement>(null);
  const until = useRef(0);
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const stopFollowing = () => (until.current = 0);
    const own = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
    const observer = new ResizeObserver(() => {
      if (Date.now() < until.current) element.scrollTo?.({ top: element.scrollHeight });
    });
    for (const watched of [element, ...element.children]) observer.observe(watched);
    for (const name of own) element.addEventListener(name, stopFollowing, { passive: true });
    return () => {
      observer.disconnect();
      for (const name of own) element.removeEventListener(name, stopFollowing);
    };
  }, []);
  const toEnd = useCallback(() => {
    const element = pane.current;
    until.current = Date.now() + stayAtEndMs;
    if (element) element.scrollTo?.({ top: element.scrollHeight });
  }, []);
  return { pane, toEnd };
}

/** Maximum distance from the end that still counts as being at the end. */
const nearPx = 80;

/**
 * Opens at the end of the conversation and stays there when a comment is added. A user who has scrolled up keeps their position, even when
 * earlier comments are inserted above. Done manually, because not every browser anchors its scrolling, and none does at the very top.
 */
export function useStayAtEnd(pane: RefObject<HTMLElement | null>, comments: Comment[] | undefined, toEnd: () => void): void {
  const before = useRef<{ first: string | undefined; last: string | undefined; height: number }>(undefined);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element || !comments) return;
    const now = { first: comments[0]?.id, last: comments.at(-1)?.id, height: element.scrollHeight };
    const was = before.current;
    before.current = now;
    const wasAtEnd = was !== undefined && element.scrollTop + element.clientHeight >= was.height - nearPx;
    if (was ? wasAtEnd && now.last !== was.last : now.last !== undefined) toEnd();
    else if (was && now.first !== was.first && comments.some(({ id }) => id === was.first))
      element.scrollTo?.({ top: element.scrollTop + now.height - was.height });
  }, [pane, comments, toEnd]);
}
