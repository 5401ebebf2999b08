import type { InboundMail } from '@tandem/contracts';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { messageOf } from '../../../lib/problem';
import { checksText } from '../../../lib/sender-checks';
import { t } from '../../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Select } from '../../../ui/Select';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { useListInboundMailsInfiniteQuery, type Outcome } from './mail-settings.api';

const outcomes: Record<Outcome, { label: string; tone: BadgeTone }> = {
  ticket: { label: t('settings.mail.new_ticket'), tone: 'green' },
  comment: { label: t('settings.mail.comment'), tone: 'green' },
  note: { label: t('settings.mail.internal_note'), tone: 'amber' },
  bounce: { label: t('settings.mail.bounced'), tone: 'orange' },
  ignored: { label: t('settings.mail.ignored'), tone: 'gray' },
  refused: { label: t('settings.mail.refused'), tone: 'red' },
};
/** Texts for the reasons that the log stores as codes; other reasons are already sentences. */
const reasons: Record<string, string> = {
  automatic: t('settings.mail.automatic_reply'),
  disowned: t('settings.mail.senders_domain_rejects_this_email'),
  failed: t('settings.mail.processing_failed'),
  locked: t('settings.mail.ticket_no_longer_accepts_replies'),
  loop: t('settings.mail.one_of_our_own_emails'),
  no_sender: t('settings.mail.no_sender_address'),
  number_alone: t('settings.mail.sent_without_proof_of_sender'),
  repeat: t('settings.mail.duplicate_of_earlier_email'),
  too_large: t('settings.mail.larger_than_25_mb'),
  too_many: t('settings.mail.too_many_emails_from_sender'),
  unknown_bounce: t('settings.mail.report_for_unknown_email'),
  unknown_sender: t('settings.mail.sender_isnt_part_of_ticket'),
};
const everything = 'all';
const choices = [
  { value: everything, label: t('settings.mail.all_emails') },
  ...Object.entries(outcomes).map(([value, { label }]) => ({ value, label })),
];

function MailRow({ mail }: { mail: InboundMail }) {
  const outcome = mail.outcome ? outcomes[mail.outcome] : { label: t('settings.mail.waiting'), tone: 'gray' as const };
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_8rem_9rem] sm:items-baseline">
      <div className="min-w-0">
        <p className="truncate font-medium" dir="auto" title={mail.subject ?? undefined}>
          {mail.subject || t('settings.mail.no_subject')}
        </p>
        <p className="truncate text-xs text-muted">{mail.from_address ?? t('settings.mail.unknown_sender')}</p>
        {mail.checks && (
          <p className={cn('text-xs', mail.checks.dmarc === 'fail' ? 'text-red-text' : 'text-muted')}>{checksText(mail.checks)}</p>
        )}
        {mail.reason && <p className="text-xs [overflow-wrap:anywhere] text-muted">{reasons[mail.reason] ?? mail.reason}</p>}
      </div>
      <div className="flex items-center gap-2">
        <Badge tone={outcome.tone}>{outcome.label}</Badge>
        {mail.ticket_id && (
          <Link to={`/tickets/${mail.ticket_id}`} className="text-xs text-accent-text hover:underline">
            {t('settings.mail.open')}
          </Link>
        )}
      </div>
      <Time iso={mail.received_at} className="text-xs text-muted sm:text-right" />
    </li>
  );
}

/** The log of incoming emails and their results, for admins who are looking for a customer's email. */
export function InboundMails() {
  const [shown, setShown] = useState<Outcome | typeof everything>(everything);
  const query = useListInboundMailsInfiniteQuery(shown === everything ? undefined : shown);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const mails = data?.pages.flatMap(({ items }) => items);
  const filter = (
    <Select
      look="filter"
      label={t('settings.mail.filter_emails')}
      value={shown}
      options={choices}
      onChange={(value) => setShown(value as typeof shown)}
      className="w-36"
    />
  );
  return (
    <Card aria-labelledby="inbound-mails">
      <CardHeader id="inbound-mails" title={t('settings.mail.incoming_email')} actions={filter} />
      {error && !mails && (
        <div className="p-4">
          <ErrorNote
            title={t('settings.mail.couldnt_load_emails')}
            detail={messageOf(error, '')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!error && !mails && <Skeleton className="m-4 h-40" />}
      {mails?.length === 0 && (
        <EmptyState icon={Inbox} title={t('settings.mail.no_emails')}>
          {shown === everything ? t('settings.mail.emails_to_your_address_appear') : t('settings.mail.none_of_this_kind')}
        </EmptyState>
      )}
      {mails && mails.length > 0 && (
        <ul className="divide-y" aria-label={t('settings.mail.incoming_email')}>
          {mails.map((mail) => (
            <MailRow key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('settings.mail.show_more')}
          </Button>
        </div>
      )}
    </Card>
  );
}
