import type { Activity, Comment, Ticket, TicketEmail } from '@tandem/contracts';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, type ComponentProps, type RefObject } from 'react';
import { useSession } from '../../../app/api';
import { cn } from '../../../lib/cn';
import { formatDayName } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { AttachmentList, TicketAttachments } from '../attachments/AttachmentList';
import type { Outgoing } from '../composer/unsent.slice';
import { useOutgoing } from '../composer/use-outgoing';
import { CommentText } from './CommentText';
import type { Conversation } from './conversation';
import { conversationEntries } from './conversation-entries';
import { useReadEarlierMutation } from './conversation.api';
import { Message, type MessageKind } from './Message';
import type { MessageSource } from './SourceMark';
import { authorOf, customerOf, newerThan, useAnnounceNew, useStayAtEnd } from './use-conversation';
import { useOpenTicket, useReplyDrafted, useTicketPart } from '../open-ticket';
import { customerApi } from '../panel/customer.api';
import { panelApi } from '../panel/panel.api';
import { useRuleAddress } from '../rule-address';
import { readApi } from '../read/read.api';
import { ticketsApi, useReadTicketQuery } from '../tickets.api';

// Loaded together with the page: only its first screen does not wait for them.
const laterParts = import('./later-parts');
const EventLines = lazy(() => laterParts.then((module) => ({ default: module.EventLines })));
const UndeliveredEmail = lazy(() => laterParts.then((module) => ({ default: module.UndeliveredEmail })));
const SenderWarning = lazy(() => laterParts.then((module) => ({ default: module.SenderWarning })));
const LoadedOriginalMail = lazy(() => import('./OriginalMail').then((module) => ({ default: module.OriginalMail })));
const OutgoingMessage = lazy(() => import('./OutgoingMessage').then((module) => ({ default: module.OutgoingMessage })));

/** Reserves the height of its button while it loads. */
const originalMailSpace = <div aria-hidden className="mt-1.5 h-4 touch:h-8" />;
const OriginalMail = (props: ComponentProps<typeof LoadedOriginalMail>) => (
  <Suspense fallback={originalMailSpace}>
    <LoadedOriginalMail {...props} />
  </Suspense>
);

const kindOf = (comment: Comment): MessageKind => (comment.is_internal ? 'internal' : comment.is_from_customer ? 'customer' : 'staff');

/** Reloads the comments when one of the user's messages is held because newer ones exist. */
function useNewsForHeld(outgoing: Outgoing[], refetch: () => unknown) {
  const held = outgoing.filter(({ state }) => state === 'held').map(({ key }) => key);
  const asked = held.join();
  useEffect(() => {
    if (asked !== '') void refetch();
  }, [asked, refetch]);
}

function Earlier({ ticket, conversation }: { ticket: Ticket; conversation: Conversation }) {
  const [readEarlier, { isLoading, isError }] = useReadEarlierMutation();
  const { earlier, comments } = conversation;
  if (!earlier) return null;
  const left = Math.max(ticket.comment_count, conversation.total) - comments.length;
  return (
    <li className="flex flex-col items-center gap-1">
      <Button size="sm" busy={isLoading} onClick={() => void readEarlier({ ticket_id: ticket.id, cursor: earlier })}>
        {left > 0
          ? t('tickets.conversation.show_earlier_comments_left', { left: left.toLocaleString('en-US') })
          : t('tickets.conversation.show_earlier_comments')}
      </Button>
      {isError && (
        <p role="alert" className="text-xs text-red-text">
          {t('tickets.conversation.failed_to_load_comments')}
        </p>
      )}
    </li>
  );
}

/** The day of the entries below it. */
function DayDivider({ at }: { at: string }) {
  const now = useNow();
  return (
    <li className="flex items-center gap-3 text-xs font-medium text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      <time dateTime={at}>{formatDayName(at, now)}</time>
    </li>
  );
}

/** Above the first comment that the user had not read when the ticket was opened. */
const UnreadLine = () => (
  <li className="flex items-center gap-3 text-xs font-medium text-accent-text before:h-px before:flex-1 before:bg-accent-line after:h-px after:flex-1 after:bg-accent-line">
    {t('tickets.conversation.new')}
  </li>
);

const viaText: Partial<Record<NonNullable<Ticket['channel']>, string>> = {
  email: t('tickets.conversation.via_email'),
  widget: t('tickets.conversation.via_widget'),
  api: t('tickets.conversation.via_api'),
};

/** Whether a comment is Markdown: staff and our task tools write it; customers and unknown senders of emails do not. */
const isMarkdown = ({ is_from_customer, customer_email }: Comment): boolean => !is_from_customer && customer_email === null;

function sourceOf({ tool_author, rule, token }: Comment): MessageSource | undefined {
  if (tool_author) return 'task-tool';
  return rule ? 'rule' : token?.via;
}

function CommentItem({ comment, ticket, isNews }: { comment: Comment; ticket: Ticket; isNews: boolean }) {
  const { data: merged } = useReadTicketQuery(comment.merged_from_id ?? '', { skip: !comment.merged_from_id });
  return (
    <Message
      kind={kindOf(comment)}
      author={authorOf(comment, ticket)}
      at={comment.created_at}
      from={comment.merged_from_id ? (merged?.ticket_number ?? t('tickets.conversation.another_ticket')) : undefined}
      authorTo={useRuleAddress(comment.rule)}
      source={sourceOf(comment)}
      via={comment.email_proof ? viaText.email : undefined}
      isNews={isNews}
    >
      {comment.email_proof && (
        <Suspense fallback={null}>
          <SenderWarning proof={comment.email_proof} />
        </Suspense>
      )}
      <CommentText text={comment.content} isMarkdown={isMarkdown(comment)} mentions={comment.mentions} attachments={comment.attachments} />
      {comment.has_original && <OriginalMail ticketId={ticket.id} commentId={comment.id} checks={comment.email_proof?.checks} />}
      <AttachmentList
        attachments={comment.attachments}
        {...(isMarkdown(comment) ? { markdown: comment.content } : {})}
        className="mt-2.5"
      />
    </Message>
  );
}

/** The comments that arrived while the user wrote a message that is now held. */
function useNews(comments: Comment[], outgoing: Outgoing[]): Set<string> {
  const { profile } = useSession();
  const held = outgoing.filter(({ state }) => state === 'held');
  return new Set(held.flatMap((item) => newerThan(comments, item.last_seen_comment_id, profile.user_id).map(({ id }) => id)));
}

const { useQueryState, useQuerySubscription } = ticketsApi.endpoints.listComments;

/** Cached comments are shown immediately. They are refreshed only after the page has loaded, so that both do not request them. */
function useComments(ticketId: string, isLoaded: boolean) {
  const { isMissing, retry } = useTicketPart('comments');
  const { data: conversation, isError, isFetching } = useQueryState(ticketId);
  const { refetch } = useQuerySubscription(ticketId, { skip: !isLoaded || isMissing });
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  const reload = useCallback(() => (isMissing ? retry() : isLoaded && void latest.current()), [isMissing, isLoaded, retry]);
  return { conversation, isError: isError || isMissing, isFetching, reload };
}

/** Reloads when the ticket's version changes, and for a drafted reply, which does not change the ticket. */
function useActivities(ticket: Ticket): Activity[] {
  const { isLoaded } = useOpenTicket();
  const { isMissing } = useTicketPart('timeline');
  const isSkipped = !isLoaded || isMissing;
  const { data } = panelApi.endpoints.readTimeline.useInfiniteQueryState(ticket.id);
  const { refetch } = panelApi.endpoints.readTimeline.useInfiniteQuerySubscription(ticket.id, { skip: isSkipped });
  const version = useRef(ticket.version);
  useEffect(() => {
    if (version.current === ticket.version) return;
    version.current = ticket.version;
    if (!isSkipped) void refetch();
  }, [ticket.version, isSkipped, refetch]);
  useReplyDrafted(
    ticket.id,
    useCallback(() => !isSkipped && refetch(), [isSkipped, refetch]),
  );
  return useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
}

const none: Comment[] = [];

/** The first comment of another author after those that the user had read when they opened the ticket; none on the first visit. */
function useFirstUnread(ticketId: string, comments: Comment[]): string | undefined {
  const { profile } = useSession();
  const { data } = readApi.endpoints.readPosition.useQueryState(ticketId);
  const until = data?.read_until;
  return until ? comments.find(({ created_at, user_id }) => created_at > until && user_id !== profile.user_id)?.id : undefined;
}

const Events = (props: { events: Activity[]; ticket: Ticket }) => (
  <Suspense fallback={<li aria-hidden className={cn('h-4', props.events.length > 1 && 'touch:h-8')} />}>
    <EventLines {...props} />
  </Suspense>
);

const Undelivered = (props: { email: TicketEmail }) => (
  <Suspense fallback={<li aria-hidden className="h-5" />}>
    <UndeliveredEmail {...props} />
  </Suspense>
);

interface CommentThreadProps {
  ticket: Ticket;
  /** The scrolling element. */
  pane: RefObject<HTMLElement | null>;
  /** Scrolls to the end and stays there while content loads. */
  toEnd: () => void;
}

const Description = ({ text }: { text: string | null }) =>
  text ? <CommentText text={text} /> : <span className="text-muted">{t('tickets.conversation.no_description')}</span>;

/** The conversation: the ticket's description, the comments from oldest to newest, then messages that are being sent. */
export function CommentThread({ ticket, pane, toEnd }: CommentThreadProps) {
  const { isLoaded } = useOpenTicket();
  const { conversation, isError, isFetching, reload } = useComments(ticket.id, isLoaded);
  const outgoing = useOutgoing(ticket.id);
  const comments = conversation?.comments ?? none;
  const news = useNews(comments, outgoing);
  const activities = useActivities(ticket);
  const emails = customerApi.endpoints.listTicketEmails.useQueryState(ticket.id).currentData?.emails;
  const hasEarlier = conversation ? conversation.earlier !== null : ticket.comment_count > 0;
  const firstUnreadId = useFirstUnread(ticket.id, comments);
  const entries = useMemo(
    () => conversationEntries({ since: ticket.created_at, comments, hasEarlier, activities, emails, firstUnreadId }),
    [ticket.created_at, comments, hasEarlier, activities, emails, firstUnreadId],
  );
  useNewsForHeld(outgoing, reload);
  useAnnounceNew(conversation?.comments, ticket);
  useStayAtEnd(pane, conversation?.comments, toEnd);
  return (
    <ol aria-label={t('tickets.conversation.conversation')} aria-busy={!conversation && !isError} className="flex flex-col gap-4">
      <DayDivider at={ticket.created_at} />
      <Message
        kind="customer"
        author={customerOf(ticket)}
        at={ticket.created_at}
        via={ticket.channel ? viaText[ticket.channel] : undefined}
      >
        <Description text={ticket.description} />
        {ticket.channel === 'email' && (isLoaded ? <OriginalMail ticketId={ticket.id} /> : originalMailSpace)}
        {isLoaded && <TicketAttachments ticketId={ticket.id} className="mt-2.5" />}
      </Message>
      {!conversation && !isError && ticket.comment_count > 0 && (
        <li aria-hidden className="flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-20 flex-1 rounded-lg" />
        </li>
      )}
      {!conversation && isError && (
        <li>
          <ErrorNote title={t('tickets.conversation.failed_to_load_comments')} onRetry={reload} busy={isFetching} />
        </li>
      )}
      {conversation && <Earlier ticket={ticket} conversation={conversation} />}
      {entries.map((entry) => {
        if (entry.kind === 'day') return <DayDivider key={entry.key} at={entry.at} />;
        if (entry.kind === 'unread') return <UnreadLine key={entry.key} />;
        if (entry.kind === 'events') return <Events key={entry.key} events={entry.events} ticket={ticket} />;
        if (entry.kind === 'undelivered') return <Undelivered key={entry.key} email={entry.email} />;
        return <CommentItem key={entry.key} comment={entry.comment} ticket={ticket} isNews={news.has(entry.key)} />;
      })}
      <Suspense fallback={null}>
        {outgoing.map((item) => (
          <OutgoingMessage key={item.key} item={item} comments={comments} ticket={ticket} />
        ))}
      </Suspense>
    </ol>
  );
}
