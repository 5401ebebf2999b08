import type { PublicComment, PublicTicket } from '@tandem/contracts';
import { customerMayComment, customerStatusLabels, ticketLimits, type TicketStatus } from '@tandem/contracts/values';
import { useState, type SyntheticEvent } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { LinkedText } from '../../lib/linked-text';
import { notify } from '../../lib/notify';
import { StatusBadge } from '../../lib/ticket-badges';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Time } from '../../ui/Time';
import { useDraft } from './draft';
import { post, useSubmissionKey } from './portal';
import { portalForm, portalTextarea } from './PortalFrame';
import { refusalOf } from './refusal';
import { showErrors } from './show-errors';

/** What each status means to somebody who waits for an answer. */
const meaning: Record<TicketStatus, string> = {
  open: 'We have received it, and somebody will look at it.',
  in_progress: 'Somebody is working on it.',
  waiting_for_customer: 'We are waiting for something. If we asked you, please answer below.',
  resolved: 'We believe that this is solved.',
  closed: 'This ticket is closed.',
};

export function PublicTicketView({ ticket, onChanged }: { ticket: PublicTicket; onChanged: () => void }) {
  return (
    <article>
      <header className="mb-6">
        <p className="tabular flex flex-wrap items-center gap-2 text-md text-muted">
          {ticket.ticket_number}
          <StatusBadge status={ticket.status} label={customerStatusLabels[ticket.status]} />
        </p>
        <h1 className="mt-2 text-xl font-semibold tracking-tight break-words sm:text-2xl">{ticket.subject}</h1>
        <p className="mt-2 text-muted" aria-live="polite">
          {meaning[ticket.status]}
        </p>
      </header>
      <ol aria-label="Conversation" className="flex flex-col gap-4">
        <Entry who={ticket.customer_name ?? 'You'} isOwn at={ticket.created_at} text={ticket.description ?? ticket.subject} />
        {ticket.comments.map((comment) => (
          <CommentEntry key={comment.id} comment={comment} ticket={ticket} />
        ))}
      </ol>
      {customerMayComment(ticket.status) ? <CommentForm ticket={ticket} onSent={onChanged} /> : <Locked />}
    </article>
  );
}

const CommentEntry = ({ comment, ticket }: { comment: PublicComment; ticket: PublicTicket }) => (
  <Entry
    who={comment.is_from_customer ? (ticket.customer_name ?? 'You') : (comment.author_name ?? 'Support')}
    isOwn={comment.is_from_customer}
    at={comment.created_at}
    text={comment.content}
  />
);

const Entry = ({ who, isOwn, at, text }: { who: string; isOwn: boolean; at: string; text: string }) => (
  <li className={cn('rounded-lg border px-4 py-3', isOwn ? 'bg-surface' : 'border-accent-line bg-accent-soft')}>
    <p className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-md">
      <span className="font-semibold">
        {who}
        {!isOwn && <span className="ml-1.5 font-normal text-muted">Support</span>}
      </span>
      <Time iso={at} className="text-muted" />
    </p>
    <p dir="auto" className="break-words whitespace-pre-wrap">
      <LinkedText text={text} />
    </p>
  </li>
);

function CommentForm({ ticket, onSent }: { ticket: PublicTicket; onSent: () => void }) {
  const [draft, change, clear] = useDraft(`comment:${ticket.id}`, { content: '' });
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submission = useSubmissionKey();
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (draft.content.trim() === '') {
      showErrors(form, () => setError('Write something first'));
      return;
    }
    setBusy(true);
    const answer = await post(
      `/public/tickets/${ticket.id}/comments`,
      { email: ticket.customer_email, content: draft.content },
      submission.key,
    );
    setBusy(false);
    if (answer.problem) {
      const refusal = refusalOf(answer.problem);
      showErrors(form, () => setError(refusal));
      if (answer.problem.status < 500 && answer.problem.status !== 0) submission.renew();
      notify.error('Failed to add comment. Please try again.');
    } else {
      clear();
      setError(undefined);
      submission.renew();
      notify.success('Comment Added');
    }
    onSent();
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className={cn(portalForm, 'mt-8')}>
      <Field label="Add a comment" error={error}>
        {(control) => (
          <textarea
            {...control}
            className={portalTextarea}
            value={draft.content}
            maxLength={ticketLimits.comment}
            onChange={(event) => change({ content: event.target.value })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={busy} className="max-sm:w-full sm:self-start">
        {busy ? 'Sending…' : 'Send comment'}
      </Button>
    </form>
  );
}

const Locked = () => (
  <p className="mt-8 rounded-lg border bg-sunken px-4 py-3 text-muted">
    This conversation has ended. If you need more help,{' '}
    <Link to="/submit-ticket" className="text-accent-text underline underline-offset-4">
      submit a new ticket
    </Link>
    .
  </p>
);
