import type { ChangesWithComment, Ticket } from '@tandem/contracts';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { useSession } from '../../../app/api';
import type { AppDispatch } from '../../../app/store';
import type { Uploads } from '../../../lib/use-uploads';
import { useUploads } from '../attachments/use-uploads';
import { useOpenTicket } from '../open-ticket';
import { ticketsApi } from '../tickets.api';
import { drafts, emptyDraft, joinTexts, type Draft, type DraftState } from './drafts';
import { outbox, type Post } from './outbox';
import type { Mention, Outgoing } from './outgoing';
import { postBy } from './post';

export interface Written extends Draft {
  changes: ChangesWithComment;
  mentions: Mention[];
}

export interface Composing {
  written: Written;
  uploads: Uploads;
  saved: DraftState | undefined;
  /** Whether there is nothing to send, or uploads are still running. */
  isBlocked: boolean;
  write: (news: Partial<Written>) => void;
  send: (more?: ChangesWithComment) => void;
  /** Requests only the draft, when the page came without it. */
  loadDraft: () => void;
}

const { useQueryState } = ticketsApi.endpoints.listComments;

function usePost(): Post {
  const dispatch = useDispatch<AppDispatch>();
  return useMemo(() => postBy(dispatch), [dispatch]);
}

/** Applies the server's draft from the page response if it is newer and nothing new was typed. */
function useServersDraft(ticket_id: string, onNewer: (draft: Draft) => void) {
  const { isLoaded, answer } = useOpenTicket();
  const asked = useRef(false);
  useEffect(() => {
    if (!isLoaded || asked.current) return;
    asked.current = true;
    const draft = answer.draft && drafts.newer(ticket_id, answer.draft, answer.requested_at ?? 0);
    if (draft) onNewer(draft);
  }, [ticket_id, isLoaded, answer, onNewer]);
}

/** Two sends with the same signature are the same request. */
const signatureOf = (item: Pick<Outgoing, 'text' | 'is_internal' | 'last_seen_comment_id' | 'changes' | 'uploads' | 'mentions'>) =>
  JSON.stringify([item.text, item.is_internal, item.last_seen_comment_id, item.changes, item.mentions, item.uploads.map(({ id }) => id)]);

/** The text being written on a ticket, from its draft to the outbox. */
export function useComposer(ticket: Ticket): Composing {
  const { profile } = useSession();
  const { data: conversation } = useQueryState(ticket.id);
  const last = conversation ? (conversation.comments.at(-1)?.id ?? null) : undefined;
  const post = usePost();
  const [written, setWritten] = useState<Written>(() => {
    drafts.belongTo(profile.user_id);
    outbox.resume(profile.user_id, post);
    return { ...drafts.read(ticket.id), changes: {}, mentions: [] };
  });
  const seen = useRef<string | null | undefined>(undefined);
  const isTouched = useRef(false);
  const cameBack = useRef<{ key: string; signature: string }>(undefined);
  const uploads = useUploads();
  const { restore } = uploads;

  const latest = useRef(written);
  const show = useCallback((now: Written) => setWritten((latest.current = now)), []);
  const set = useCallback(
    (now: Written) => {
      const { text, is_internal } = latest.current;
      show(now);
      if (now.text !== text || now.is_internal !== is_internal) drafts.keep(ticket.id, { text: now.text, is_internal: now.is_internal });
    },
    [ticket.id, show],
  );
  const write = (news: Partial<Written>) => {
    isTouched.current = true;
    if (news.text !== undefined) seen.current = last;
    set({ ...latest.current, ...news });
  };
  const takeDraft = useCallback((draft: Draft) => !isTouched.current && show({ ...latest.current, ...draft }), [show]);
  useServersDraft(ticket.id, takeDraft);
  useEffect(() => {
    const leave = outbox.attend(ticket.id, (item) => {
      cameBack.current = { key: item.key, signature: signatureOf(item) };
      restore(item.uploads);
      // A restored text goes before what was typed since.
      const current = latest.current;
      set({
        text: joinTexts(item.text, current.text),
        is_internal: item.is_internal,
        changes: { ...item.changes, ...current.changes },
        mentions: [...current.mentions, ...item.mentions],
      });
      // For a held text the newer comments have been shown, so the check starts fresh; otherwise it continues from the same comment.
      seen.current = item.state === 'held' ? undefined : item.last_seen_comment_id;
    });
    return () => {
      leave();
      drafts.flush(ticket.id);
    };
  }, [ticket.id, restore, set]);

  const isBlocked = written.text.trim() === '' || uploads.isBusy;
  const send = (more: ChangesWithComment = {}) => {
    if (isBlocked) return;
    const letter = {
      ticket_id: ticket.id,
      ticket_number: ticket.ticket_number,
      text: written.text,
      is_internal: written.is_internal,
      mentions: mentionedIn(written),
      uploads: uploads.uploads.filter(({ state }) => state === 'done'),
      changes: { ...written.changes, ...more },
      last_seen_comment_id: seen.current === undefined ? last : seen.current,
      author: { user_id: profile.user_id, author: { first_name: profile.first_name, last_name: profile.last_name } },
    };
    const again = cameBack.current?.signature === signatureOf(letter) ? cameBack.current.key : undefined;
    outbox.put(letter, post, again);
    cameBack.current = undefined;
    seen.current = undefined;
    show({ ...emptyDraft, is_internal: written.is_internal, changes: {}, mentions: [] });
    uploads.clear();
  };
  const saved = useSyncExternalStore(drafts.subscribe, () => drafts.state(ticket.id));
  const loadDraft = () => void drafts.load(ticket.id).then((draft) => draft && takeDraft(draft));
  return { written, uploads, saved, isBlocked, write, send, loadDraft };
}

/** The mentions whose name is still in the text. */
const mentionedIn = ({ text, mentions }: Written): Mention[] => mentions.filter(({ name }) => text.includes(`@${name}`));
