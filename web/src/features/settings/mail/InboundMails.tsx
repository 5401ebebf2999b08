import type { InboundMail } from '@tandem/contracts';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { messageOf } from '../../../lib/problem';
import { checksText } from '../../../lib/sender-checks';
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
  ticket: { label: 'New ticket', tone: 'green' },
  comment: { label: 'Comment', tone: 'green' },
  note: { label: 'Internal note', tone: 'amber' },
  bounce: { label: 'Bounced', tone: 'orange' },
  ignored: { label: 'Ignored', tone: 'gray' },
  refused: { label: 'Refused', tone: 'red' },
};
/** Texts for the reasons that the log stores as codes; other reasons are already sentences. */
const reasons: Record<string, string> = {
  automatic: 'Automatic reply',
  disowned: 'The sender’s domain rejects this email (DMARC failed)',
  failed: 'Processing failed',
  locked: 'The ticket no longer accepts replies; we notified the customer',
  loop: 'One of our own emails, returned',
  no_sender: 'No sender address',
  number_alone: 'Sent without proof of the sender: only the ticket number matched',
  repeat: 'Duplicate of an earlier email',
  too_large: 'Larger than 25 MB',
  too_many: 'Too many emails from this sender in an hour',
  unknown_bounce: 'Delivery report for an email we didn’t send',
  unknown_sender: 'The sender isn’t part of this ticket',
};
const everything = 'all';
const choices = [{ value: everything, label: 'All emails' }, ...Object.entries(outcomes).map(([value, { label }]) => ({ value, label }))];

function MailRow({ mail }: { mail: InboundMail }) {
  const outcome = mail.outcome ? outcomes[mail.outcome] : { label: 'Waiting', tone: 'gray' as const };
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_8rem_9rem] sm:items-baseline">
      <div className="min-w-0">
        <p className="truncate font-medium" dir="auto" title={mail.subject ?? undefined}>
          {mail.subject || '(no subject)'}
        </p>
        <p className="truncate text-xs text-muted">{mail.from_address ?? 'Unknown sender'}</p>
        {mail.checks && (
          <p className={cn('text-xs', mail.checks.dmarc === 'fail' ? 'text-red-text' : 'text-muted')}>{checksText(mail.checks)}</p>
        )}
        {mail.reason && <p className="text-xs [overflow-wrap:anywhere] text-muted">{reasons[mail.reason] ?? mail.reason}</p>}
      </div>
      <div className="flex items-center gap-2">
        <Badge tone={outcome.tone}>{outcome.label}</Badge>
        {mail.ticket_id && (
          <Link to={`/tickets/${mail.ticket_id}`} className="text-xs text-accent-text hover:underline">
            Open
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
      label="Filter emails"
      value={shown}
      options={choices}
      onChange={(value) => setShown(value as typeof shown)}
      className="w-36"
    />
  );
  return (
    <Card aria-labelledby="inbound-mails">
      <CardHeader id="inbound-mails" title="Incoming email" actions={filter} />
      {error && !mails && (
        <div className="p-4">
          <ErrorNote title="Couldn’t load the emails" detail={messageOf(error, '')} busy={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {!error && !mails && <Skeleton className="m-4 h-40" />}
      {mails?.length === 0 && (
        <EmptyState icon={Inbox} title="No emails">
          {shown === everything ? 'Emails to your address appear here for 30 days.' : 'None of this kind in the last 30 days.'}
        </EmptyState>
      )}
      {mails && mails.length > 0 && (
        <ul className="divide-y" aria-label="Incoming email">
          {mails.map((mail) => (
            <MailRow key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}
