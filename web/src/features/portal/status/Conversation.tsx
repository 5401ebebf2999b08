import type { Attachment, PublicTicket } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { lazy, Suspense } from 'react';
import { cn } from '../../../lib/cn';
import { LinkedText } from '../../../lib/linked-text';
import { Markdown } from '../../../lib/markdown';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/Time';
import { useTexts } from '../language/texts';
import type { FilesPlace } from './PublicFiles';
import { useNewReplies } from './use-new-replies';
import type { Earlier } from './use-public-ticket';

const PublicPicture = lazy(() => import('./PublicFiles').then((module) => ({ default: module.PublicPicture })));
const PublicFiles = lazy(() => import('./PublicFiles').then((module) => ({ default: module.PublicFiles })));

/** The comments, oldest first; earlier ones of a long conversation are loaded on request. */
export function Conversation({ ticket, earlier }: { ticket: PublicTicket; earlier: Earlier }) {
  const t = useTexts();
  const end = useNewReplies(ticket.comments, t);
  const customer = ticket.customer_name ?? t('conversation.you');
  const place = { ticketId: ticket.id, email: ticket.customer_email };
  return (
    <>
      <ol aria-label={t('conversation.label')} className="flex flex-col gap-4">
        <Entry
          who={customer}
          isOwn
          at={ticket.created_at}
          text={ticket.description ?? ticket.subject}
          files={ticket.attachments}
          place={place}
        />
        {ticket.earlier_cursor !== null && <ShowEarlier earlier={earlier} />}
        {ticket.comments.map(({ id, is_from_customer, author_name, created_at, content, attachments }) => (
          <Entry
            key={id}
            who={is_from_customer ? customer : (author_name ?? t('frame.support'))}
            isOwn={is_from_customer}
            at={created_at}
            text={content}
            files={attachments}
            place={place}
          />
        ))}
      </ol>
      <div ref={end} className="h-px" />
      {ticket.comments.length === 0 && <p className="mt-3 text-muted">{t('conversation.none')}</p>}
    </>
  );
}

/** A picture in the text of a reply. Only the files of the same reply can be shown. */
function Picture({ name, alt, files, place }: { name: string; alt: string; files: Attachment[]; place: FilesPlace }) {
  const file = files.find(({ file_name, content_type }) => file_name === name && isInline(content_type));
  if (!file) return `[${alt || name}]`;
  return (
    <Suspense fallback={<span className="block h-40" />}>
      <PublicPicture file={file} alt={alt} place={place} />
    </Suspense>
  );
}

function ShowEarlier({ earlier }: { earlier: Earlier }) {
  const t = useTexts();
  return (
    <li className="flex flex-col items-center gap-2">
      <Button size="lg" className="h-11" busy={earlier.isBusy} onClick={earlier.show}>
        {t('conversation.earlier')}
      </Button>
      {earlier.hasFailed && (
        <p role="alert" className="text-md text-red-text">
          {t('conversation.earlier_failed')}
        </p>
      )}
    </li>
  );
}

interface EntryProps {
  who: string;
  isOwn: boolean;
  at: string;
  text: string;
  files: Attachment[];
  place: FilesPlace;
}

function Entry({ who, isOwn, at, text, files, place }: EntryProps) {
  const t = useTexts();
  return (
    <li className={cn('rounded-lg border px-4 py-3', isOwn ? 'bg-surface' : 'border-accent-line bg-accent-soft')}>
      <p className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-md">
        <span className="min-w-0 font-semibold break-words">
          <bdi>{who}</bdi>
          {!isOwn && <span className="ms-1.5 font-normal text-muted">{t('frame.support')}</span>}
        </span>
        <Time iso={at} relative className="text-muted" />
      </p>
      {isOwn ? (
        <p dir="auto" className="break-words whitespace-pre-wrap">
          <LinkedText text={text} />
        </p>
      ) : (
        <Markdown text={text} picture={(name, alt) => <Picture name={name} alt={alt} files={files} place={place} />} />
      )}
      {files.length > 0 && (
        <Suspense fallback={<FilesPlaceholder count={files.length} />}>
          <PublicFiles files={files} place={place} />
        </Suspense>
      )}
    </li>
  );
}

/** Reserves space for the files while their code loads. The code is separate because most conversations have no files. */
const FilesPlaceholder = ({ count }: { count: number }) => (
  <div aria-hidden className="mt-3 flex flex-col gap-2">
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className="h-14.5 max-sm:h-24" />
    ))}
  </div>
);
