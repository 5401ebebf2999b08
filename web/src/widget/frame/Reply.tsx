/** @jsxImportSource preact */
import type { PublicTicket } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { useEffect, useState } from 'preact/hooks';
import { keyPerText } from '../../lib/unique';
import type { Calls } from './calls';
import type { WidgetStorage } from './storage';
import { Field, focusFirstError, Note, SendButton, errorText } from './components';

/** What sending does, if it does more than add a comment. */
const consequence: Partial<Record<PublicTicket['writing'], string>> = {
  reopen: 'Your message reopens this ticket.',
  new_ticket: 'This ticket is closed. Your message starts a new, linked ticket.',
};

interface ReplyProps {
  ticket: PublicTicket;
  calls: Calls;
  stored: WidgetStorage;
  /** Called with the new ticket if the message created one. */
  onSent: (newTicket: { id: string; ticket_number: string } | null) => void;
  onNewTicket: () => void;
}

function useReply({ ticket, calls, stored, onSent }: ReplyProps) {
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
      setError('Write something first');
      focusFirstError(form);
      return;
    }
    setBusy(true);
    const { value, problem } = await calls.comment(ticket.id, { email: ticket.customer_email, content }, keyFor(`${place} ${content}`));
    setBusy(false);
    setError(problem && `Failed to add comment. Please try again. ${errorText(problem)}`);
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
  const { content, setContent, error, sent, busy, send } = useReply(props);
  const { writing } = props.ticket;
  if (writing === 'locked') {
    return (
      <Note tone="plain">
        This conversation has ended. If you need more help,{' '}
        <button type="button" class="link" onClick={props.onNewTicket}>
          submit a new ticket
        </button>
        .
      </Note>
    );
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(event.currentTarget as HTMLFormElement);
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      {consequence[writing] && <Note tone="plain">{consequence[writing]}</Note>}
      <Field label="Add a comment" error={error}>
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
      {sent && <Note tone="good">Comment Added</Note>}
      <SendButton busy={busy}>{busy ? 'Sending…' : 'Send comment'}</SendButton>
    </form>
  );
}
