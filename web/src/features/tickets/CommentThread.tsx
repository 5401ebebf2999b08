import type { Comment, Ticket } from '@tandem/contracts';
import { Lock } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '../../app/api';
import { announce } from '../../lib/announce';
import { cn } from '../../lib/cn';
import { LinkedText } from '../../lib/linked-text';
import { nameOf } from '../../lib/names';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { isPending, useListCommentsQuery } from './tickets.api';

type Kind = 'customer' | 'staff' | 'internal';

const looks: Record<Kind, string> = {
  customer: 'bg-surface',
  staff: 'border-accent-line bg-accent-soft/60',
  internal: 'border-amber-line bg-amber-soft',
};

function Message({
  kind,
  author,
  at,
  pending,
  children,
}: {
  kind: Kind;
  author: string;
  at: string;
  pending?: boolean;
  children: ReactNode;
}) {
  return (
    <li className={cn('flex gap-3 max-md:gap-2', pending && 'opacity-60')}>
      <Avatar name={author} size="md" className="mt-0.5 max-md:size-6 max-md:text-2xs" />
      <article className={cn('min-w-0 flex-1 rounded-lg border', looks[kind])}>
        <header className="flex flex-wrap items-center gap-x-2 gap-y-0.5 px-3.5 pt-2.5 text-xs text-muted">
          <span className="text-sm font-semibold break-all text-ink">{author}</span>
          {kind === 'customer' && <Badge tone="gray">Customer</Badge>}
          {kind === 'internal' && (
            <Badge tone="amber" className="ring-1 ring-amber-line">
              <Lock aria-hidden />
              Internal note
            </Badge>
          )}
          {pending ? <span>Sending</span> : <Time iso={at} relative className="ml-auto" />}
        </header>
        <div className="px-3.5 pt-1 pb-3 text-md [overflow-wrap:anywhere] whitespace-pre-wrap">{children}</div>
      </article>
    </li>
  );
}

const authorOf = (comment: Comment, customer: string) => (comment.is_from_customer ? customer : nameOf(comment.author, 'API'));
const kindOf = (comment: Comment): Kind => (comment.is_internal ? 'internal' : comment.is_from_customer ? 'customer' : 'staff');

/** Tells screen readers of comments that came by themselves. */
function useAnnounceNew(comments: Comment[] | undefined, customer: string) {
  const { profile } = useSession();
  const known = useRef<Set<string>>(undefined);
  useEffect(() => {
    if (!comments) return;
    const fresh = known.current && comments.filter(({ id, user_id }) => !known.current?.has(id) && user_id !== profile.user_id);
    known.current = new Set(comments.map(({ id }) => id));
    const last = fresh?.at(-1);
    if (last) announce(`New ${last.is_internal ? 'note' : 'comment'} by ${authorOf(last, customer)}`);
  }, [comments, customer, profile.user_id]);
}

/** The conversation: what the customer wrote first, then the comments, oldest first. */
export function CommentThread({ ticket }: { ticket: Ticket }) {
  const { data: comments, isError, isFetching, refetch } = useListCommentsQuery(ticket.id);
  const customer = ticket.customer_name ?? ticket.customer_email;
  useAnnounceNew(comments, customer);
  return (
    <ol aria-label="Conversation" aria-busy={!comments && !isError} className="flex flex-col gap-4">
      <Message kind="customer" author={customer} at={ticket.created_at}>
        {ticket.description ? <LinkedText text={ticket.description} /> : <span className="text-muted">No description</span>}
      </Message>
      {!comments && !isError && ticket.comment_count > 0 && (
        <li aria-hidden className="flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-20 flex-1 rounded-lg" />
        </li>
      )}
      {!comments && isError && (
        <li>
          <ErrorNote title="Failed to load comments" onRetry={() => void refetch()} busy={isFetching} />
        </li>
      )}
      {comments?.map((comment) => (
        <Message
          key={comment.id}
          kind={kindOf(comment)}
          author={authorOf(comment, customer)}
          at={comment.created_at}
          pending={isPending(comment)}
        >
          <LinkedText text={comment.content} />
        </Message>
      ))}
    </ol>
  );
}
