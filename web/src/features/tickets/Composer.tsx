import type { Ticket } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { Lock, Reply } from 'lucide-react';
import { useRef, useState, type Ref } from 'react';
import { useSession } from '../../app/api';
import { cn } from '../../lib/cn';
import { modKey, useHotkeys } from '../../lib/keyboard';
import { notify } from '../../lib/notify';
import { uniqueKey } from '../../lib/unique';
import { Button } from '../../ui/Button';
import { Kbd } from '../../ui/Kbd';
import { drafts, type Draft } from './drafts';
import { useAddCommentMutation } from './tickets.api';

function ModeSwitch({ internal, onChange }: { internal: boolean; onChange: (internal: boolean) => void }) {
  const mode = (value: boolean) => ({
    type: 'button' as const,
    'aria-pressed': internal === value,
    onClick: () => onChange(value),
    className: cn(
      'inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs font-medium touch:h-9 [&_svg]:size-3.5',
      internal !== value && 'text-muted hover:bg-hover hover:text-ink',
      internal === value && (value ? 'bg-amber-line/50 text-amber-text' : 'bg-accent-soft text-accent-text'),
    ),
  });
  return (
    <div role="group" aria-label="Kind of comment" className="flex gap-1">
      <button {...mode(false)}>
        <Reply aria-hidden />
        Public reply
      </button>
      <button {...mode(true)}>
        <Lock aria-hidden />
        Internal note
      </button>
    </div>
  );
}

function useSend(ticket: Ticket, onFailed: (draft: Draft) => void) {
  const { profile } = useSession();
  const [addComment] = useAddCommentMutation();
  return async (draft: Draft) => {
    const author = { user_id: profile.user_id, author: { first_name: profile.first_name, last_name: profile.last_name } };
    const { error } = await addComment({
      ticket_id: ticket.id,
      content: draft.text.trim(),
      is_internal: draft.is_internal,
      key: uniqueKey(),
      author,
    });
    if (!error) return notify.success('Comment added');
    notify.error('Failed to add comment');
    onFailed(draft);
  };
}

/** A reply to the customer or a note to the team: told apart by colour, words and button, because a mix-up cannot be taken back. */
export function Composer({ ticket, onSent, ref }: { ticket: Ticket; onSent: () => void; ref?: Ref<HTMLFormElement> }) {
  const [draft, setDraft] = useState(() => drafts.read(ticket.id));
  const box = useRef<HTMLTextAreaElement>(null);
  const change = (next: Draft) => {
    setDraft(next);
    drafts.keep(ticket.id, next);
  };
  // A text that could not be sent comes back, unless something new was begun: then it stands before that.
  const send = useSend(ticket, (failed) =>
    setDraft((current) => {
      const back = { ...failed, text: [failed.text, current.text].filter((text) => text.trim() !== '').join('\n\n') };
      drafts.keep(ticket.id, back);
      return back;
    }),
  );
  const blank = draft.text.trim() === '';
  const submit = () => {
    if (blank) return;
    void send(draft);
    change({ ...draft, text: '' });
    onSent();
  };
  const begin = (is_internal: boolean) => {
    change({ ...draft, is_internal });
    box.current?.focus();
  };
  useHotkeys({ r: () => begin(false), n: () => begin(true) });
  const internal = draft.is_internal;
  return (
    <form
      ref={ref}
      aria-label="Add a comment"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className={cn(
        'm-4 mt-3 rounded-lg border transition-colors max-md:m-2',
        internal
          ? 'border-amber-line bg-amber-soft focus-within:border-amber-solid'
          : 'border-line-strong bg-surface focus-within:border-focus',
      )}
    >
      <div className="flex items-center justify-between gap-2 px-2 pt-2">
        <ModeSwitch internal={internal} onChange={begin} />
      </div>
      <textarea
        ref={box}
        aria-label={internal ? 'Internal note' : 'Public reply'}
        placeholder={internal ? 'Write a note for your team' : `Reply to ${ticket.customer_name ?? ticket.customer_email}`}
        value={draft.text}
        maxLength={ticketLimits.comment}
        rows={2}
        onChange={(event) => change({ ...draft, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            submit();
          } else if (event.key === 'Escape') event.currentTarget.blur();
        }}
        className="block field-sizing-content max-h-[35vh] min-h-15 w-full resize-none bg-transparent px-3 py-2 text-sm outline-none touch:text-base"
      />
      <div className="flex items-center justify-between gap-2 px-2 pb-2">
        <p className={cn('min-w-0 truncate pl-1 text-xs', internal ? 'text-amber-text' : 'text-muted')}>
          {internal ? 'Only your team sees this' : 'The customer sees this'}
        </p>
        <span className="flex shrink-0 items-center gap-2">
          <span className="flex gap-1 touch:hidden" aria-hidden>
            <Kbd>{modKey}</Kbd>
            <Kbd>Enter</Kbd>
          </span>
          <Button type="submit" size="sm" variant={internal ? 'note' : 'primary'} disabled={blank}>
            {internal ? 'Add Note' : 'Send Reply'}
          </Button>
        </span>
      </div>
    </form>
  );
}
