import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import type { ChangesWithComment, Comment } from '@tandem/contracts';
import { rootReducer, type RootState } from '../../../app/store';
import { tabStorage } from '../../../lib/tab-storage';
import type { Upload } from '../../../lib/uploads';
import { draftStorage, emptyDraft, isBlank, joinTexts, type Draft } from './draft-storage';

/** A colleague mentioned in a text. */
export interface Mention {
  user_id: string;
  name: string;
}

/** A text that was handed over by the composer, with everything sent along with it. */
export interface UnsentText extends Draft {
  ticket_id: string;
  ticket_number: string;
  mentions: Mention[];
  uploads: Upload[];
  changes: ChangesWithComment;
  /** The latest comment when the text was written, null if there was none; undefined if the conversation had not loaded. */
  last_seen_comment_id: string | null | undefined;
  author: Pick<Comment, 'user_id' | 'author'>;
  /** The author's signature, which is added to the text when it is sent; null for notes. */
  signature?: string | null;
}
export interface Outgoing extends UnsentText {
  /** The idempotency key of the request. */
  key: string;
  written_at: string;
  due_at: number;
  /** `held` means that a newer comment arrived, which the user has to read first. */
  state: 'waiting' | 'sending' | 'held';
}
export type DraftState = 'saved' | 'unsaved' | 'failed';

/** The texts of one user that the server does not have yet: drafts and texts that are being sent, by ticket. */
export interface UnsentState {
  /** The user whose texts these are; several people may share a browser. */
  owner: string;
  /** Texts that were edited since the page was loaded. Other drafts are only in the storage. */
  edited: Record<string, Draft>;
  /** Sent but not yet accepted texts by their keys. They are stored with the draft, so that a crash loses nothing. */
  inTransit: Record<string, Record<string, Draft>>;
  /** When this browser last started or finished saving a draft, requested the copy that it shows, or its text was accepted or restored. */
  syncedAt: Record<string, number>;
  saveStates: Record<string, DraftState>;
  /** Saves to the server that are due soon. */
  pendingSaves: Record<string, { since: number; due_at: number }>;
  /** The texts being sent, on all tickets. */
  outgoing: Outgoing[];
  /** Tickets whose composer is on screen. */
  openComposers: string[];
}
const noOutgoing: Outgoing[] = [];
const emptyState = (owner: string, openComposers: string[]): UnsentState => ({
  owner,
  openComposers,
  edited: {},
  inTransit: {},
  syncedAt: {},
  saveStates: {},
  pendingSaves: {},
  outgoing: noOutgoing,
});

/** Debounce of saves to the server, and the longest time that continuous typing can stay unsaved. */
const pauseMs = 3_000;
const longestMs = 15_000;

function setEdited(state: UnsentState, ticket_id: string, draft: Draft): void {
  if (isBlank(draft)) delete state.edited[ticket_id];
  else state.edited[ticket_id] = { text: draft.text, is_internal: draft.is_internal, token: draft.token ?? null };
}
function saveSoon(state: UnsentState, ticket_id: string, now: number): void {
  const since = state.pendingSaves[ticket_id]?.since ?? now;
  state.pendingSaves[ticket_id] = { since, due_at: Math.max(now, Math.min(now + pauseMs, since + longestMs)) };
  state.saveStates[ticket_id] = 'unsaved';
}
const setInTransit = (state: UnsentState, ticket_id: string, key: string, { text, is_internal }: Draft) =>
  void ((state.inTransit[ticket_id] ??= {})[key] = { text, is_internal });
function removeInTransit(state: UnsentState, ticket_id: string, key: string): void {
  const texts = state.inTransit[ticket_id];
  delete texts?.[key];
  if (texts && Object.keys(texts).length === 0) delete state.inTransit[ticket_id];
}
const timed = <T>(payload: T) => ({ payload: { ...payload, now: Date.now() } });
type Timed<T> = PayloadAction<T & { now: number }>;
type OnTicket<T = unknown> = { ticket_id: string } & T;

const slice = createSlice({
  name: 'unsent',
  initialState: emptyState('', []),
  reducers: {
    /** A user starts: `left` are the texts that a reload left unsent, `drafts` the stored drafts of their tickets. */
    started: (before, { payload }: PayloadAction<{ user_id: string; left: Outgoing[]; drafts: Record<string, Draft> }>) => {
      const state = emptyState(payload.user_id, before.openComposers);
      for (const { ticket_id, key, text, is_internal } of payload.left) {
        // The stored draft also contains the texts that are still being sent; only the rest remains editable.
        const here = state.edited[ticket_id] ?? (state.inTransit[ticket_id] ? undefined : payload.drafts[ticket_id]);
        setInTransit(state, ticket_id, key, { text, is_internal });
        const rest = here?.text.startsWith(text) ? here.text.slice(text.length).trimStart() : (here?.text ?? '');
        setEdited(state, ticket_id, { text: rest, is_internal: here?.is_internal ?? false });
      }
      if (payload.left.length > 0)
        state.outgoing = payload.left.map((item) => (item.state === 'held' ? item : { ...item, state: 'waiting' }));
      return state;
    },
    composerOpened: (state, { payload }: PayloadAction<string>) => void state.openComposers.push(payload),
    composerClosed: (state, { payload }: PayloadAction<string>) => {
      const at = state.openComposers.indexOf(payload);
      if (at >= 0) state.openComposers.splice(at, 1);
    },

    // ---- drafts
    draftEdited: {
      prepare: timed<OnTicket<{ draft: Draft }>>,
      reducer: (state, { payload: { ticket_id, draft, now } }: Timed<OnTicket<{ draft: Draft }>>) => {
        setEdited(state, ticket_id, draft);
        saveSoon(state, ticket_id, now);
      },
    },
    /** The server had a newer draft, which was requested at `requested_at`. */
    draftReplaced: (
      state,
      { payload: { ticket_id, draft, requested_at } }: PayloadAction<OnTicket<{ draft: Draft; requested_at: number }>>,
    ) => {
      state.syncedAt[ticket_id] = requested_at;
      setEdited(state, ticket_id, draft);
    },
    saveRequested: {
      prepare: timed<OnTicket<{ keepalive?: boolean }>>,
      reducer: (state, { payload: { ticket_id, now } }: Timed<OnTicket>) => {
        delete state.pendingSaves[ticket_id];
        state.syncedAt[ticket_id] = now;
      },
    },
    /** `result` is `none` for a blank draft, which is not stored, and missing if the text has changed in the meantime. */
    saveFinished: {
      prepare: timed<OnTicket<{ result?: DraftState | 'none' }>>,
      reducer: (state, { payload: { ticket_id, result, now } }: Timed<OnTicket<{ result?: DraftState | 'none' }>>) => {
        state.syncedAt[ticket_id] = now;
        if (result === 'none') delete state.saveStates[ticket_id];
        else if (result) state.saveStates[ticket_id] = result;
      },
    },

    // ---- texts that are being sent
    textSent: (state, { payload }: PayloadAction<Outgoing>) => {
      setInTransit(state, payload.ticket_id, payload.key, payload);
      delete state.edited[payload.ticket_id];
      state.outgoing.push(payload);
    },
    sendDelayed: (state, { payload: { key, due_at } }: PayloadAction<{ key: string; due_at: number }>) => {
      for (const item of state.outgoing) if (item.key === key) Object.assign(item, { state: 'waiting', due_at });
    },
    /** Sends a text now; with `keepalive`, the request outlives the page. */
    sendRequested: (state, { payload: { key } }: PayloadAction<{ key: string; keepalive?: boolean }>) => {
      for (const item of state.outgoing) if (item.key === key) item.state = 'sending';
    },
    textHeld: (state, { payload: key }: PayloadAction<string>) => {
      for (const item of state.outgoing) if (item.key === key) item.state = 'held';
    },
    /** A held text is sent despite newer comments. Needs a new key: the server has stored its refusal under the old one. */
    textRekeyed: (state, { payload }: PayloadAction<{ key: string; to: string; last_seen_comment_id: string | null }>) => {
      const item = state.outgoing.find(({ key }) => key === payload.key);
      if (!item) return;
      removeInTransit(state, item.ticket_id, item.key);
      setInTransit(state, item.ticket_id, payload.to, item);
      Object.assign(item, { key: payload.to, state: 'waiting', last_seen_comment_id: payload.last_seen_comment_id });
    },
    /**
     * A text was accepted, in which case the server has already deleted its draft, or it was withdrawn. `restored` goes back into the
     * draft, unless an open composer restores it.
     */
    textReleased: {
      prepare: timed<OnTicket<{ key: string; restored?: Draft | undefined }>>,
      reducer: (state, { payload }: Timed<OnTicket<{ key: string; restored?: Draft | undefined }>>) => {
        const { ticket_id, key, restored, now } = payload;
        state.outgoing = state.outgoing.filter((item) => item.key !== key);
        if (!state.inTransit[ticket_id]?.[key]) return;
        removeInTransit(state, ticket_id, key);
        state.syncedAt[ticket_id] = now;
        if (restored) setEdited(state, ticket_id, { ...restored, text: joinTexts(restored.text, state.edited[ticket_id]?.text ?? '') });
        if (isBlank(wholeDraft(state, ticket_id))) delete state.saveStates[ticket_id];
        else saveSoon(state, ticket_id, now);
      },
    },
    /** A text was withdrawn while the composer of its ticket is on screen: the composer restores it. */
    textReturned: (_state, _action: PayloadAction<Outgoing>) => undefined,
  },
});

declare module '../../../app/store' {
  // oxlint-disable-next-line typescript/no-empty-object-type
  export interface LazyLoadedSlices extends WithSlice<typeof slice> {}
}
const injected = slice.injectInto(rootReducer);
export const selectUnsent = (state: RootState): UnsentState => injected.selectSlice(state);
export const {
  started,
  composerOpened,
  composerClosed,
  draftEdited,
  draftReplaced,
  saveRequested,
  saveFinished,
  textSent,
  sendDelayed,
  sendRequested,
  textHeld,
  textRekeyed,
  textReleased,
  textReturned,
} = slice.actions;

/** Everything on a ticket that must not be lost: texts being sent and the current one. */
export function wholeDraft({ inTransit, edited }: UnsentState, ticket_id: string): Draft {
  const sent = Object.values(inTransit[ticket_id] ?? {});
  const mine = edited[ticket_id] ?? emptyDraft;
  return {
    text: joinTexts(...sent.map(({ text }) => text), mine.text),
    is_internal: isBlank(mine) ? (sent[0] ?? mine).is_internal : mine.is_internal,
  };
}
/** The draft that a composer shows: without the texts that are being sent. */
export function editableDraft({ owner, edited, inTransit }: UnsentState, ticket_id: string): Draft {
  const stored = inTransit[ticket_id] ? undefined : draftStorage.read(owner, ticket_id);
  const { text, is_internal, token = null } = edited[ticket_id] ?? stored ?? emptyDraft;
  return { text, is_internal, token };
}

export const outboxKey = 'outbox';
/** Texts that a reload of this tab left unsent. Their keys are stored too, so that the server recognizes a text that it already has. */
export function startOf(user_id: string) {
  const left = (tabStorage.read<Outgoing[]>(outboxKey) ?? []).filter(({ author }) => author.user_id === user_id);
  const drafts = left.flatMap(({ ticket_id }) => {
    const stored = draftStorage.read(user_id, ticket_id);
    return stored ? [[ticket_id, stored] as const] : [];
  });
  return started({ user_id, left, drafts: Object.fromEntries(drafts) });
}
/** The state of a user's texts, for the first render: it must not dispatch `started` itself. */
export const unsentOf = (state: UnsentState, user_id: string): UnsentState =>
  state.owner === user_id ? state : slice.reducer(undefined, startOf(user_id));
