import type { AddedPublicComment, PublicTicket } from '@tandem/contracts';
import { addPublicComment } from '@tandem/contracts/endpoints';
import { ticketLimits } from '@tandem/contracts/values';
import { useState, type SyntheticEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { call, type BodyOf } from '../../../lib/call';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { isWithdrawn } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { unsentDraft, useDraft } from '../draft';
import { AttachFiles, FileDropZone } from '../files/AttachFiles';
import { blockingFileProblem, useDraftFiles } from '../files/use-draft-files';
import { isDecided, statusPage, useSubmission, useSubmissionKey } from '../portal';
import { portalForm, portalSubmit, portalTextarea, portalTextLink } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { showErrors } from '../show-errors';

const draftOf = (ticket: PublicTicket) => `comment:${ticket.id}`;

/** What sending the message will do, shown before the customer writes it. */
const consequences: Record<PublicTicket['writing'], string | undefined> = {
  comment: undefined,
  reopen: 'Your message reopens this ticket.',
  new_ticket: 'Your message starts a new ticket.',
  locked: undefined,
};

/** State of the comment form: draft, attachments, errors and sending. */
function useCommentForm(ticket: PublicTicket, onSent: () => void) {
  const [draft, change, clear] = useDraft(draftOf(ticket), { content: '' });
  const files = useDraftFiles(draftOf(ticket));
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submission = useSubmissionKey();
  const navigate = useNavigate();

  const taken = ({ new_ticket }: AddedPublicComment) => {
    clear();
    files.clear();
    submission.renew();
    notify.success('Comment Added', new_ticket ? `It starts your new ticket ${new_ticket.ticket_number}.` : undefined);
    if (new_ticket) void navigate(statusPage(new_ticket.id, ticket.customer_email));
  };
  const sendForm = useSubmission({
    name: draftOf(ticket),
    request: (body: BodyOf<typeof addPublicComment>) => call(addPublicComment, { params: { id: ticket.id }, body }),
    label: 'Your comment',
    onAnswer: ({ data, problem }) => {
      setBusy(false);
      if (problem && isWithdrawn(problem)) return;
      if (problem) {
        setFailure(problem.errors?.[0]?.message ?? refusalOf(problem));
        if (isDecided(problem)) submission.renew();
        notify.error('Failed to add comment. Please try again.');
      } else {
        taken(data);
      }
      onSent();
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const missing = draft.content.trim() === '' ? 'Write something first' : undefined;
    const fileProblem = missing ? undefined : blockingFileProblem(files);
    showErrors(form, () => {
      setError(missing);
      setFailure(fileProblem);
    });
    if (missing || fileProblem || busy) return;
    setBusy(true);
    const body = { email: ticket.customer_email, content: draft.content, attachment_ids: files.ids };
    sendForm(body, submission.key);
  };
  return { draft, change, files, error, failure, busy, submit };
}

/** The comment form, or the reason why the ticket is locked. */
export function CommentForm({ ticket, onSent }: { ticket: PublicTicket; onSent: () => void }) {
  return ticket.writing === 'locked' ? <Locked ticket={ticket} /> : <OpenForm ticket={ticket} onSent={onSent} />;
}

function OpenForm({ ticket, onSent }: { ticket: PublicTicket; onSent: () => void }) {
  const { draft, change, files, error, failure, busy, submit } = useCommentForm(ticket, onSent);
  return (
    <FileDropZone files={files}>
      <form noValidate onSubmit={submit} className={cn(portalForm, 'mt-8')}>
        <Field label="Add a comment" hint={consequences[ticket.writing]} error={error}>
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
        <AttachFiles files={files} />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" variant="primary" size="lg" busy={busy} className={portalSubmit}>
          {busy ? 'Sending…' : 'Send comment'}
        </Button>
      </form>
    </FileDropZone>
  );
}

function Locked({ ticket }: { ticket: PublicTicket }) {
  // An agent may have resolved the ticket while the customer was writing.
  const { content } = unsentDraft<{ content: string }>(draftOf(ticket));
  return (
    <div className="mt-8 rounded-lg border bg-sunken px-4 py-3 text-muted">
      <p>
        This conversation has ended. If you need more help,{' '}
        <Link to="/submit-ticket" className={portalTextLink}>
          submit a new ticket
        </Link>
        .
      </p>
      {content?.trim() && (
        <>
          <p className="mt-3 text-md">Your unsent message:</p>
          <p dir="auto" className="mt-1 break-words whitespace-pre-wrap text-ink">
            {content}
          </p>
        </>
      )}
    </div>
  );
}
