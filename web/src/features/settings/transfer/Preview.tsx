import type { Import, ImportPreview } from '@tandem/contracts';
import { ChevronRight, Lock } from 'lucide-react';
import { useState } from 'react';
import { cn } from '../../../lib/cn';
import { LinkedText } from '../../../lib/linked-text';
import { Markdown } from '../../../lib/markdown';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { PriorityMark, StatusBadge } from '../../../lib/ticket-badges';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { usePreviewImportQuery } from './import-work.api';

type PreviewComment = ImportPreview['comments'][number];
type NameOfTeammate = (key: string) => string;

const customerOf = ({ customer }: ImportPreview['ticket']): string => customer.name ?? customer.email;

function authorOf({ author }: PreviewComment, ticket: ImportPreview['ticket'], nameOfTeammate: NameOfTeammate): string {
  if (author.kind === 'teammate') return nameOfTeammate(author.key);
  if (author.kind === 'other') return author.name ?? t('settings.transfer.unknown_author');
  return author.email && author.email !== ticket.customer.email ? author.email : customerOf(ticket);
}

interface TextProps {
  author: string;
  at: string;
  text: string;
  isMarkdown: boolean;
  isInternal?: boolean;
}
function Text({ author, at, text, isMarkdown, isInternal = false }: TextProps) {
  return (
    <li className={cn('rounded-lg border px-3 py-2', isInternal ? 'border-amber-line bg-amber-soft' : 'border-transparent bg-sunken')}>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span className="text-sm font-semibold [overflow-wrap:anywhere] text-ink" dir="auto">
          {author}
        </span>
        {isInternal && (
          <Badge tone="amber" className="ring-1 ring-amber-line">
            <Lock aria-hidden />
            {t('settings.transfer.internal_note')}
          </Badge>
        )}
        <Time iso={at} className="ml-auto" />
      </p>
      {isMarkdown ? (
        <Markdown text={text} />
      ) : (
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
          <LinkedText text={text} />
        </p>
      )}
    </li>
  );
}

interface PreviewedProps {
  preview: ImportPreview;
  nameOfTeammate: NameOfTeammate;
}
function Conversation({ preview: { ticket, comments, comment_count }, nameOfTeammate }: PreviewedProps) {
  const facts = [
    [t('settings.transfer.column_assignee'), ticket.assignee && nameOfTeammate(ticket.assignee)],
    [t('settings.transfer.column_category'), ticket.category],
    [t('settings.transfer.column_tags'), ticket.tags.join(', ')],
  ].filter(([, value]) => value);
  return (
    <div className="flex flex-col gap-2 px-3 pt-1 pb-3 md:pl-10">
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
          {facts.map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-muted">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul aria-label={t('settings.transfer.conversation')} className="flex flex-col gap-2">
        {ticket.description && <Text author={customerOf(ticket)} at={ticket.created_at} text={ticket.description} isMarkdown={false} />}
        {comments.map((comment) => (
          <Text
            key={comment.key}
            author={authorOf(comment, ticket, nameOfTeammate)}
            at={comment.created_at}
            text={comment.content}
            isMarkdown={comment.author.kind !== 'customer'}
            isInternal={comment.is_internal}
          />
        ))}
      </ul>
      {comment_count > comments.length && (
        <p className="text-xs text-muted">{t('settings.transfer.more_comments', { count: comment_count - comments.length })}</p>
      )}
    </div>
  );
}

function Previewed(props: PreviewedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { ticket, comment_count } = props.preview;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full items-start gap-2.5 px-3 py-2 text-left hover:bg-hover"
        onClick={() => setIsOpen(!isOpen)}
      >
        <PriorityMark priority={ticket.priority} className="mt-0.5" />
        <span className="min-w-0 flex-1">
          <span className="block font-medium [overflow-wrap:anywhere]" dir="auto">
            {ticket.subject}
          </span>
          <span className="flex flex-wrap gap-x-2.5 text-xs [overflow-wrap:anywhere] text-muted">
            {ticket.number && <span className="tabular">{ticket.number}</span>}
            <span dir="auto">{customerOf(ticket)}</span>
            <Time iso={ticket.created_at} />
            <span>{t('settings.transfer.comment_count', { count: comment_count })}</span>
          </span>
        </span>
        <StatusBadge status={ticket.status} />
        <ChevronRight className={cn('mt-0.5 size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')} aria-hidden />
      </button>
      {isOpen && <Conversation {...props} />}
    </li>
  );
}

const shownAtFirst = 5;

/** The first tickets as they will be. */
export function Preview({ current }: { current: Import }) {
  const { data, error, isFetching, refetch } = usePreviewImportQuery({ id: current.id, updated_at: current.updated_at });
  const [showsAll, setShowsAll] = useState(false);
  const nameOfTeammate = (key: string) => {
    const teammate = current.teammates.find((each) => each.key === key);
    return teammate?.name ?? teammate?.email ?? t('settings.transfer.unknown_author');
  };
  if (!data && error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-red-text">
        {messageOf(error, t('settings.transfer.couldnt_load_preview'))}
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          {t('settings.transfer.try_again')}
        </Button>
      </div>
    );
  if (!data) return <Skeletons blocks={['h-10', 'h-10']} className="flex flex-col gap-2" />;
  if (data.length === 0) return null;
  return (
    <section className="flex flex-col gap-2" aria-label={t('settings.transfer.preview')}>
      <h3 className="font-semibold">{t('settings.transfer.preview')}</h3>
      <ul className="divide-y overflow-hidden rounded-lg border">
        {data.slice(0, showsAll ? data.length : shownAtFirst).map((preview) => (
          <Previewed key={preview.ticket.key} preview={preview} nameOfTeammate={nameOfTeammate} />
        ))}
      </ul>
      {!showsAll && data.length > shownAtFirst && (
        <Button size="sm" className="self-start" onClick={() => setShowsAll(true)}>
          {t('settings.transfer.show_count_tickets', { count: data.length })}
        </Button>
      )}
    </section>
  );
}
