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
import { Rich } from '../../../ui/Rich';
import { useTexts } from '../language/texts';
import { isDecided, statusPage, useSubmission, useSubmissionKey } from '../portal';
import { portalForm, portalSubmit, portalTextarea, portalTextLink } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { showErrors } from '../show-errors';

const draftOf = (ticket: PublicTicket) => `comment:${ticket.id}`;

/** The effect of sending the message, shown before the customer writes it. */
const consequences = {
  comment: undefined,
  reopen: 'comment.reopen',
  new_ticket: 'comment.new_ticket',
  locked: undefined,
} as const satisfies Record<PublicTicket['writing'], string | undefined>;

/** State of the comment form: draft, attachments, errors and sending. */
function useCommentForm(ticket: PublicTicket, onSent: () => void) {
  const t = useTexts();
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
    notify.success(t('comment.added'), new_ticket ? t('comment.added_new', { number: new_ticket.ticket_number }) : undefined);
    if (new_ticket) void navigate(statusPage(new_ticket.id, ticket.customer_email));
  };
  const sendForm = useSubmission({
    name: draftOf(ticket),
    request: (body: BodyOf<typeof addPublicComment>) => call(addPublicComment, { params: { id: ticket.id }, body }),
    label: t('comment.waiting'),
    onAnswer: ({ data, problem }) => {
      setBusy(false);
      if (problem && isWithdrawn(problem)) return;
      if (problem) {
        setFailure(problem.errors?.[0]?.message ?? refusalOf(problem, t));
        if (isDecided(problem)) submission.renew();
        notify.error(t('comment.failed'));
      } else {
        taken(data);
      }
      onSent();
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const missing = draft.content.trim() === '' ? t('comment.missing') : undefined;
    const fileProblem = missing ? undefined : blockingFileProblem(files, t);
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
  const t = useTexts();
  const consequence = consequences[ticket.writing];
  const { draft, change, files, error, failure, busy, submit } = useCommentForm(ticket, onSent);
  return (
    <FileDropZone files={files}>
      <form noValidate onSubmit={submit} className={cn(portalForm, 'mt-8')}>
        <Field label={t('comment.label')} hint={consequence && t(consequence)} error={error}>
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
          {busy ? t('comment.sending') : t('comment.send')}
        </Button>
      </form>
    </FileDropZone>
  );
}

function Locked({ ticket }: { ticket: PublicTicket }) {
  const t = useTexts();
  // An agent may have resolved the ticket while the customer was writing.
  const { content } = unsentDraft<{ content: string }>(draftOf(ticket));
  return (
    <div className="mt-8 rounded-lg border bg-sunken px-4 py-3 text-muted">
      <p>
        <Rich
          text={t('comment.ended')}
          tags={{
            link: (inside) => (
              <Link to="/submit-ticket" className={portalTextLink}>
                {inside}
              </Link>
            ),
          }}
        />
      </p>
      {content?.trim() && (
        <>
          <p className="mt-3 text-md">{t('comment.unsent')}</p>
          <p dir="auto" className="mt-1 break-words whitespace-pre-wrap text-ink">
            {content}
          </p>
        </>
      )}
    </div>
  );
}
