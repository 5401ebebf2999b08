import type { ChangesWithComment, Ticket } from '@tandem/contracts';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { useSession } from '../../../app/api';
import { mergeChanges } from '../../../app/custom-fields/ticket-fields';
import { startAppListening, type AppDispatch, type RootState } from '../../../app/store';
import { onTicketChange } from '../../../lib/ticket-changes';
import type { Uploads } from '../../../lib/use-uploads';
import { useUploads } from '../attachments/use-uploads';
import { useOpenTicket, useReplyDrafted } from '../open-ticket';
import { ticketsApi } from '../tickets.api';
import { emptyDraft, isBlank, joinTexts, type Draft } from './draft-storage';
import { flushDrafts, loadServerDraft, sendText, startUnsent, takeServerDraft } from './unsent.effects';
import {
  composerClosed,
  composerOpened,
  draftEdited,
  editableDraft,
  selectUnsent,
  textReturned,
  unsentOf,
  type DraftState,
  type Mention,
  type Outgoing,
} from './unsent.slice';

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
  /** The text after the changes that are not rendered yet. */
  latestText: () => string;
  write: (news: Partial<Written>) => void;
  send: (more?: ChangesWithComment) => void;
  /** Requests only the draft, when the page came without it. */
  loadDraft: () => void;
}

const { useQueryState } = ticketsApi.endpoints.listComments;

/** Applies the server's draft from the page response if it is newer and nothing new was typed. */
function useServersDraft(ticket_id: string, onNewer: (draft: Draft) => void) {
  const dispatch = useDispatch<AppDispatch>();
  const { isLoaded, answer } = useOpenTicket();
  const asked = useRef(false);
  useEffect(() => {
    if (!isLoaded || asked.current) return;
    asked.current = true;
    const draft = answer.draft && dispatch(takeServerDraft(ticket_id, answer.draft, answer.requested_at ?? 0));
    if (draft) onNewer(draft);
  }, [ticket_id, isLoaded, answer, onNewer, dispatch]);
}

/** Starts the user's unsent texts, and passes withdrawn ones to this composer while it is on screen. */
function useReturnedTexts(ticket_id: string, onReturned: (item: Outgoing) => void) {
  const dispatch = useDispatch<AppDispatch>();
  const { user_id } = useSession().profile;
  useEffect(() => {
    dispatch(startUnsent(user_id));
  }, [dispatch, user_id]);
  useEffect(() => {
    dispatch(composerOpened(ticket_id));
    const stop = startAppListening({
      actionCreator: textReturned,
      effect: ({ payload }) => (payload.ticket_id === ticket_id ? onReturned(payload) : undefined),
    });
    return () => {
      stop();
      dispatch(composerClosed(ticket_id));
      dispatch(flushDrafts(ticket_id));
    };
  }, [dispatch, ticket_id, onReturned]);
}

/** The text in the composer; a change to it is stored as the draft. */
function useWritten(ticket_id: string) {
  const dispatch = useDispatch<AppDispatch>();
  const store = useStore<RootState>();
  const { user_id } = useSession().profile;
  const [written, setWritten] = useState<Written>(() => {
    const unsent = unsentOf(selectUnsent(store.getState()), user_id);
    return { ...editableDraft(unsent, ticket_id), changes: {}, mentions: [] };
  });
  const latestRef = useRef(written);
  const show = useCallback((now: Written) => setWritten((latestRef.current = now)), []);
  const set = useCallback(
    (now: Written) => {
      const { text, is_internal } = latestRef.current;
      if (now.text === text && now.is_internal === is_internal) return show(now);
      show({ ...now, token: null });
      dispatch(draftEdited({ ticket_id, draft: { text: now.text, is_internal: now.is_internal } }));
    },
    [dispatch, ticket_id, show],
  );
  return { written, latestRef, show, set };
}

/** Two sends with the same signature are the same request. */
const signatureOf = (item: Pick<Outgoing, 'text' | 'is_internal' | 'last_seen_comment_id' | 'changes' | 'uploads' | 'mentions'>) =>
  JSON.stringify([item.text, item.is_internal, item.last_seen_comment_id, item.changes, item.mentions, item.uploads.map(({ id }) => id)]);

interface Sending {
  ticket: Ticket;
  /** The latest comment that the user has seen; undefined: the latest one there is. */
  seenRef: RefObject<string | null | undefined>;
  /** The most recently withdrawn text. */
  cameBackRef: RefObject<{ key: string; signature: string } | undefined>;
}

/** Hands a text over to the outbox. A text that was withdrawn and not changed keeps its key, so that it cannot be added twice. */
function useHandOver({ ticket, seenRef, cameBackRef }: Sending, last: string | null | undefined) {
  const dispatch = useDispatch<AppDispatch>();
  const { profile } = useSession();
  return (written: Written, uploads: Uploads['uploads'], more: ChangesWithComment) => {
    const unsent = {
      ticket_id: ticket.id,
      ticket_number: ticket.ticket_number,
      text: written.text,
      signature: written.is_internal ? null : profile.signature,
      is_internal: written.is_internal,
      mentions: mentionedIn(written),
      uploads: uploads.filter(({ state }) => state === 'done'),
      changes: mergeChanges(written.changes, more),
      last_seen_comment_id: seenRef.current === undefined ? last : seenRef.current,
      author: { user_id: profile.user_id, author: { first_name: profile.first_name, last_name: profile.last_name } },
    };
    const again = cameBackRef.current?.signature === signatureOf(unsent) ? cameBackRef.current.key : undefined;
    dispatch(sendText(unsent, again));
    cameBackRef.current = undefined;
    seenRef.current = undefined;
  };
}

/** The text being written on a ticket, from its draft to the outbox. */
export function useComposer(ticket: Ticket): Composing {
  const dispatch = useDispatch<AppDispatch>();
  const { data: conversation } = useQueryState(ticket.id);
  const last = conversation ? (conversation.comments.at(-1)?.id ?? null) : undefined;
  const { written, latestRef, show, set } = useWritten(ticket.id);
  const seenRef = useRef<string | null | undefined>(undefined);
  const isTouched = useRef(false);
  const cameBackRef = useRef<{ key: string; signature: string }>(undefined);
  const handOver = useHandOver({ ticket, seenRef, cameBackRef }, last);
  const uploads = useUploads();
  const { restore } = uploads;

  const write = (news: Partial<Written>) => {
    isTouched.current = true;
    if (news.text !== undefined) seenRef.current = last;
    set({ ...latestRef.current, ...news });
  };
  const onReturned = useCallback(
    (item: Outgoing) => {
      cameBackRef.current = { key: item.key, signature: signatureOf(item) };
      restore(item.uploads);
      // A restored text goes before text that was typed since.
      const current = latestRef.current;
      set({
        text: joinTexts(item.text, current.text),
        is_internal: item.is_internal,
        changes: mergeChanges(item.changes, current.changes),
        mentions: [...current.mentions, ...item.mentions],
      });
      // For a held text the newer comments have been shown, so the check starts fresh; otherwise it continues from the same comment.
      seenRef.current = item.state === 'held' ? undefined : item.last_seen_comment_id;
    },
    [latestRef, restore, set],
  );
  useReturnedTexts(ticket.id, onReturned);
  const takeDraft = useCallback(
    (draft: Draft) => (!isTouched.current || isBlank(latestRef.current)) && show({ ...latestRef.current, ...draft }),
    [latestRef, show],
  );
  const loadDraft = useCallback(
    () => void dispatch(loadServerDraft(ticket.id)).then((draft) => draft && takeDraft(draft)),
    [dispatch, ticket.id, takeDraft],
  );
  useServersDraft(ticket.id, takeDraft);
  useReplyDrafted(ticket.id, loadDraft);
  useEffect(() => onTicketChange((news) => news === 'gap' && loadDraft()), [loadDraft]);

  const isBlocked = written.text.trim() === '' || uploads.isBusy;
  const send = (more: ChangesWithComment = {}) => {
    if (isBlocked) return;
    handOver(written, uploads.uploads, more);
    show({ ...emptyDraft, is_internal: written.is_internal, changes: {}, mentions: [] });
    uploads.clear();
  };
  const saved = useSelector((state: RootState) => selectUnsent(state).saveStates[ticket.id]);
  return { written, uploads, saved, isBlocked, latestText: () => latestRef.current.text, write, send, loadDraft };
}

/** The mentions whose name is still in the text. */
const mentionedIn = ({ text, mentions }: Written): Mention[] => mentions.filter(({ name }) => text.includes(`@${name}`));
