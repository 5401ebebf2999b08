/** @jsxImportSource preact */
import type { PublicTicket } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { useEffect, useState } from 'preact/hooks';
import { keyPerText } from '../../lib/unique';
import type { Calls } from './calls';
import type { WidgetStorage } from './storage';
import { useTexts, withLink } from './texts';
import { Field, focusFirstError, Note, SendButton, errorText } from './components';

/** The effect of sending, if it does more than add a comment. */
const consequences = { reopen: 'comment.reopen', new_ticket: 'comment.new_ticket' } as const;

interface ReplyProps {
  ticket: PublicTicket;
  calls: Calls;
  stored: WidgetStorage;
  /** Called with the new ticket if the message created one. */
  onSent: (newTicket: { id: string; ticket_number: string } | null) => void;
  onNewTicket: () => void;
}

function useReply({ ticket, calls, stored, onSent }: ReplyProps) {
  const t = useTexts();
  const [content, setContent] = useState(() => stored.draft(ticket.id).content ?? '');
  const [error, setError] = useState<string>();
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [keyFor] = useState(keyPerText);
  // The key includes the position in the conversation, because the same text may be sent twice.
  const place = ticket.comments.length;
  useEffect(() => stored.saveDraft(ticket.id, { content }), [stored, ticket.id, content]);
  const send = async (form: HTMLFormElement) => {
    if (busy) return;
    setSent(false);
    if (content.trim() === '') {
      setError(t('comment.missing'));
      focusFirstError(form);
      return;
    }
    setBusy(true);
    const { value, problem } = await calls.comment(ticket.id, { email: ticket.customer_email, content }, keyFor(`${place} ${content}`));
    setBusy(false);
    setError(problem && `${t('comment.failed')} ${errorText(problem, t)}`);
    if (!value) {
      focusFirstError(form);
      return;
    }
    setContent('');
    stored.saveDraft(ticket.id, {});
    setSent(true);
    onSent(value.new_ticket);
  };
  return { content, setContent, error, sent, busy, send };
}

export function Reply(props: ReplyProps) {
  const t = useTexts();
  const { content, setContent, error, sent, busy, send } = useReply(props);
  const { writing } = props.ticket;
  if (writing === 'locked') {
    return (
      <Note tone="plain">
        {withLink(t('comment.ended'), (inside) => (
          <button type="button" class="link" onClick={props.onNewTicket}>
            {inside}
          </button>
        ))}
      </Note>
    );
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(event.currentTarget as HTMLFormElement);
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      {writing !== 'comment' && <Note tone="plain">{t(consequences[writing])}</Note>}
      <Field label={t('comment.label')} error={error}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={content}
            maxLength={ticketLimits.comment}
            onInput={(event) => setContent(event.currentTarget.value)}
          />
        )}
      </Field>
      {sent && <Note tone="good">{t('comment.added')}</Note>}
      <SendButton busy={busy}>{t(busy ? 'comment.sending' : 'comment.send')}</SendButton>
    </form>
  );
}
