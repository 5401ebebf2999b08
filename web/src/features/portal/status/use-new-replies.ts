import type { PublicComment } from '@tandem/contracts';
import { useEffect, useRef, type RefObject } from 'react';
import type { PortalTranslate } from '../language/texts';
import { announce } from '../../../lib/announce';

/** The comments after the one with the id `last`. */
function since(comments: PublicComment[], last: string | undefined): PublicComment[] {
  return last === undefined ? comments : comments.slice(comments.findIndex(({ id }) => id === last) + 1);
}

/**
 * Announces new replies to screen readers. Scrolls to them only if the reader is at the end of the conversation, to avoid losing the place
 * further up. Attach the returned ref to an element at the end.
 */
export function useNewReplies(comments: PublicComment[], t: PortalTranslate): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(false);
  const last = useRef(comments.at(-1)?.id);
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver((entries) => (isAtEnd.current = entries.at(-1)?.isIntersecting === true));
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const replies = since(comments, last.current).filter(({ is_from_customer }) => !is_from_customer);
    last.current = comments.at(-1)?.id;
    const reply = replies.at(-1);
    if (!reply) return;
    announce(t('conversation.new', { name: reply.author_name ?? t('frame.support') }));
    if (isAtEnd.current) end.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [comments, t]);
  return end;
}
