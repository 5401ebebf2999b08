import type { SenderChecks } from '@tandem/contracts';
import { readMailPage } from '@tandem/contracts/endpoints';
import { useState } from 'react';
import { LinkedText } from '../../../lib/linked-text';
import { urlOf } from '../../../lib/api-url';
import { call } from '../../../lib/call';
import { formatDate } from '../../../lib/dates';
import { checksText } from '../../../lib/sender-checks';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { useReadOriginalMailQuery } from '../panel/customer.api';
import { useReadTicketQuery } from '../tickets.api';

interface Which {
  ticketId: string;
  commentId: string | undefined;
}

/**
 * The email loads from its own URL, because its content security policy depends on whether the reader allows images. An inline frame would
 * be limited by this page's policy.
 */
function addressOf({ ticketId, commentId }: Which, withPictures: boolean): string {
  const query = { ...(commentId ? { comment_id: commentId } : {}), ...(withPictures ? { pictures: 'true' as const } : {}) };
  return urlOf(call(readMailPage, { params: { id: ticketId }, query }));
}

/** Remote images reveal to the sender that the email was read, so they load only on request. */
function MailFrame({ html, ...which }: Which & { html: string }) {
  const [withPictures, setWithPictures] = useState(false);
  const hasPictures = html.includes('data-src="');
  return (
    <div className="mt-2">
      {hasPictures && !withPictures && (
        <div className="mb-2 flex flex-wrap items-center gap-2 text-xs text-muted">
          {t('tickets.conversation.why_external_images_are_blocked')}
          <Button size="sm" onClick={() => setWithPictures(true)}>
            {t('tickets.conversation.show_images')}
          </Button>
        </div>
      )}
      <iframe
        title={t('tickets.conversation.original_email')}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={addressOf(which, withPictures)}
        className="h-80 w-full rounded-md border bg-white"
      />
    </div>
  );
}

function Original({ ticketId, commentId, checks }: Which & { checks?: SenderChecks | undefined }) {
  const { data, isError, isFetching, refetch } = useReadOriginalMailQuery({ ticket_id: ticketId, comment_id: commentId });
  if (isError) return <ErrorNote title={t('tickets.conversation.couldnt_load_email')} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="mt-2 h-20 w-full" />;
  return (
    <div className="mt-2 rounded-md border bg-sunken p-3">
      <dl className="mb-2 grid grid-cols-[auto_1fr] gap-x-3 text-xs text-muted [overflow-wrap:anywhere]">
        {data.from && (
          <>
            <dt>{t('tickets.conversation.from')}</dt>
            <dd>{data.from}</dd>
          </>
        )}
        {data.subject && (
          <>
            <dt>{t('tickets.conversation.subject')}</dt>
            <dd dir="auto">{data.subject}</dd>
          </>
        )}
        {data.sent_at && (
          <>
            <dt>{t('tickets.conversation.sent')}</dt>
            <dd>{formatDate(data.sent_at)}</dd>
          </>
        )}
        {checks && (
          <>
            <dt>{t('tickets.conversation.checks')}</dt>
            <dd>{checksText(checks)}</dd>
          </>
        )}
      </dl>
      {data.html ? (
        <MailFrame html={data.html} ticketId={ticketId} commentId={commentId} />
      ) : (
        <div dir="auto" className="text-sm [overflow-wrap:anywhere] whitespace-pre-wrap text-muted">
          <LinkedText text={data.quoted_text ?? data.text} />
        </div>
      )}
    </div>
  );
}

/** Shows on request the parts of an email that the conversation leaves out. `commentId` is omitted for the ticket's description. */
export function OriginalMail({ ticketId, commentId, checks }: { ticketId: string; commentId?: string; checks?: SenderChecks | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data: ticket } = useReadTicketQuery(ticketId);
  // Its emails were deleted.
  if (ticket?.anonymized_at) return null;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="mt-1.5 block rounded-sm text-xs font-medium text-accent-text hover:underline touch:py-2"
      >
        {isOpen ? t('tickets.conversation.hide_original_email') : t('tickets.conversation.show_original_email')}
      </button>
      {isOpen && <Original ticketId={ticketId} commentId={commentId} checks={checks} />}
    </>
  );
}
