import { GitMerge, Lock } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { formatDate, formatRelative, formatTimeOfDay } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Avatar } from '../../../ui/Avatar';
import { Badge } from '../../../ui/Badge';
import type { MessageSource } from './SourceMark';

export type MessageKind = 'customer' | 'staff' | 'internal';

/** The customer's text has no background; the team's is tinted, and a note has the composer's color for notes. */
const looks: Record<MessageKind, string> = {
  customer: 'border-transparent bg-sunken',
  staff: 'border-transparent bg-accent-soft/70',
  internal: 'border-amber-line bg-amber-soft',
};

const SourceMark = lazy(() => import('./later-parts').then((module) => ({ default: module.SourceMark })));

/** The icon of the source, otherwise the author's avatar. */
function Mark({ author, source }: Pick<MessageProps, 'author' | 'source'>) {
  if (!source) return <Avatar name={author} size="md" className="mt-0.5 max-md:size-6 max-md:text-2xs" />;
  return (
    <span className="mt-0.5 size-8 shrink-0 rounded-full bg-accent-soft text-accent-text max-md:size-6">
      <Suspense fallback={null}>
        <SourceMark source={source} />
      </Suspense>
    </span>
  );
}

/** Relative while it is recent; then the time of the day, because the day is on the divider above. */
function MessageTime({ iso }: { iso: string }) {
  const now = useNow();
  const isRecent = new Date(iso).toDateString() === new Date(now).toDateString();
  return (
    <time dateTime={iso} title={formatDate(iso)} className="ml-auto">
      {isRecent ? formatRelative(iso, now) : formatTimeOfDay(iso)}
    </time>
  );
}

interface MessageProps {
  kind: MessageKind;
  author: string;
  at: string;
  /** Shown instead of the time while the message is being sent. */
  standing?: ReactNode;
  /** The number of the ticket in which it was written, if a merge moved it here. */
  from?: string | undefined;
  /** The source of the comment, if no person wrote it in Tandem. */
  source?: MessageSource | undefined;
  /** The address of the author's page, if the user may open it. */
  authorTo?: string | undefined;
  /** How it arrived, if not on our pages: 'via email'. */
  via?: string | undefined;
  /** Arrived while the user was writing and should be read before sending. */
  isNews?: boolean;
  isFaint?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}

/** One message of the conversation. */
export function Message({ kind, author, authorTo, at, standing, from, source, via, isNews, isFaint, footer, children }: MessageProps) {
  return (
    <li className="flex gap-3 max-md:gap-2">
      <Mark author={author} source={source} />
      <article
        aria-label={
          kind === 'internal'
            ? t('tickets.conversation.internal_note_by_author', { author })
            : t('tickets.conversation.message_by_author', { author })
        }
        className={cn(
          'min-w-0 flex-1 rounded-lg border',
          looks[kind],
          isFaint && 'border-dashed border-accent-line',
          isNews && 'ring-2 ring-focus',
        )}
      >
        <header className="flex flex-wrap items-center gap-x-2 gap-y-0.5 px-3.5 pt-2.5 text-xs text-muted">
          <span dir="auto" className="text-sm font-semibold break-all text-ink">
            {authorTo ? (
              <Link to={authorTo} className="hover:underline">
                {author}
              </Link>
            ) : (
              author
            )}
          </span>
          {kind === 'customer' && <span>{t('tickets.conversation.customer')}</span>}
          {via && <span>{via}</span>}
          {kind === 'internal' && (
            <Badge tone="amber" className="ring-1 ring-amber-line">
              <Lock aria-hidden />
              {t('tickets.conversation.internal_note')}
            </Badge>
          )}
          {from && (
            <Badge tone="plain" title={t('tickets.conversation.moved_here_by_merge')}>
              <GitMerge aria-hidden />
              {t('tickets.conversation.from_address', { from })}
            </Badge>
          )}
          {isNews && <Badge tone="accent">{t('tickets.conversation.new')}</Badge>}
          {standing ?? <MessageTime iso={at} />}
        </header>
        <div className="px-3.5 pt-1 pb-3 text-md">{children}</div>
        {footer}
      </article>
    </li>
  );
}
