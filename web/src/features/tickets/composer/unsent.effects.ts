import type { ListenerEffectAPI } from '@reduxjs/toolkit';
import type { Draft as ServerDraft } from '@tandem/contracts';
import { readDraft, saveDraft } from '@tandem/contracts/endpoints';
import { focusField } from '../../../app/custom-fields/ticket-fields';
import { startAppListening, type AppDispatch, type AppThunk, type RootState } from '../../../app/store';
import { announce } from '../../../lib/announce';
import { call } from '../../../lib/call';
import { read, sendSignedIn, toLocalTime } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { isProblem, isWithdrawn } from '../../../lib/problem';
import { isUnanswered } from '../../../lib/resend';
import { onSignOut } from '../../../lib/session-cleanup';
import { t } from '../../../lib/staff-texts';
import { tabStorage } from '../../../lib/tab-storage';
import { uniqueKey } from '../../../lib/unique';
import { conversationApi } from '../conversation/conversation.api';
import { draftStorage, isBlank, signed, type Draft } from './draft-storage';
import {
  draftEdited,
  draftReplaced,
  outboxKey,
  saveFinished,
  saveRequested,
  selectUnsent,
  sendDelayed,
  sendRequested,
  started,
  startOf,
  textHeld,
  textRekeyed,
  textReleased,
  textReturned,
  textSent,
  wholeDraft,
  type UnsentText,
  type Outgoing,
} from './unsent.slice';

/** How long a sent text can be undone. The same for replies and notes, so that both behave alike. */
export const undoSeconds = 10;
/** Delay before the next attempt when the page was about to close but stayed open. */
const retryMs = 1_000;

const itemOf = (state: Parameters<typeof selectUnsent>[0], key: string) => selectUnsent(state).outgoing.find((item) => item.key === key);

// ---- storage in this browser --------------------------------------------------------------------------------------

startAppListening({
  predicate: (_action, now, before) => selectUnsent(now).outgoing !== selectUnsent(before).outgoing,
  effect: (_action, effects) => {
    const { outgoing } = selectUnsent(effects.getState());
    // A file cannot be stored as JSON, but its id can.
    const stored = outgoing.map((item) => ({ ...item, uploads: item.uploads.map(({ file: _, ...upload }) => upload) }));
    if (outgoing.length === 0) tabStorage.remove(outboxKey);
    else tabStorage.write(outboxKey, stored);
  },
});

type State = ReturnType<typeof selectUnsent>;
function storeDraft(state: State, ticket_id: string): void {
  const synced_at = draftStorage.read(state.owner, ticket_id)?.synced_at ?? null;
  draftStorage.write(state.owner, ticket_id, wholeDraft(state, ticket_id), { synced_at, dirty: true });
}

startAppListening({
  actionCreator: draftEdited,
  effect: ({ payload: { ticket_id } }, effects) => storeDraft(selectUnsent(effects.getState()), ticket_id),
});
startAppListening({
  actionCreator: textSent,
  effect: ({ payload: { ticket_id } }, effects) => {
    const state = selectUnsent(effects.getState());
    const isSaved = state.saveStates[ticket_id] === 'saved';
    if (isSaved && draftStorage.read(state.owner, ticket_id)?.text === wholeDraft(state, ticket_id).text) return;
    storeDraft(state, ticket_id);
    effects.dispatch(saveRequested({ ticket_id }));
  },
});
startAppListening({
  actionCreator: textReleased,
  effect: ({ payload: { ticket_id } }, effects) => {
    const state = selectUnsent(effects.getState());
    if (state.inTransit === selectUnsent(effects.getOriginalState()).inTransit) return;
    if (isBlank(wholeDraft(state, ticket_id))) draftStorage.remove(state.owner, ticket_id);
    else storeDraft(state, ticket_id);
  },
});

// ---- drafts on the server -----------------------------------------------------------------------------------------

type Effects = Pick<ListenerEffectAPI<RootState, AppDispatch>, 'dispatch' | 'getState' | 'delay'>;

async function saveWhenDue(ticket_id: string, { dispatch, getState, delay }: Effects): Promise<void> {
  const dueAt = () => selectUnsent(getState()).pendingSaves[ticket_id]?.due_at;
  const due_at = dueAt();
  if (due_at === undefined) return;
  await delay(due_at - Date.now());
  // A later edit has its own timer.
  if (dueAt() === due_at) dispatch(saveRequested({ ticket_id }));
}
startAppListening({ actionCreator: draftEdited, effect: ({ payload }, effects) => saveWhenDue(payload.ticket_id, effects) });
startAppListening({ actionCreator: textReleased, effect: ({ payload }, effects) => saveWhenDue(payload.ticket_id, effects) });

startAppListening({
  actionCreator: saveRequested,
  effect: async ({ payload: { ticket_id, keepalive = false } }, effects) => {
    const { owner } = selectUnsent(effects.getState());
    const draft = wholeDraft(selectUnsent(effects.getState()), ticket_id);
    const body = { content: draft.text, is_internal: draft.is_internal };
    const answer = await sendSignedIn(call(saveDraft, { params: { id: ticket_id }, body, ...(keepalive ? { keepalive } : {}) }));
    const now = selectUnsent(effects.getState());
    if (now.owner !== owner) return;
    if (answer.problem) return void effects.dispatch(saveFinished({ ticket_id, result: 'failed' }));
    if (wholeDraft(now, ticket_id).text !== draft.text) return void effects.dispatch(saveFinished({ ticket_id }));
    if (isBlank(draft)) draftStorage.remove(owner, ticket_id);
    else draftStorage.write(owner, ticket_id, draft, { synced_at: answer.data.updated_at, dirty: false });
    effects.dispatch(saveFinished({ ticket_id, result: isBlank(draft) ? 'none' : 'saved' }));
  },
});

/** Saves pending drafts to the server now. */
export const flushDrafts =
  (ticket_id?: string, keepalive = false): AppThunk =>
  (dispatch, getState) => {
    const pending = Object.keys(selectUnsent(getState()).pendingSaves);
    for (const id of pending) if (ticket_id === undefined || id === ticket_id) dispatch(saveRequested({ ticket_id: id, keepalive }));
  };

/** Whether this browser has saved or requested the draft since then, so that a copy of that time may be older. */
const isOlder = (state: RootState, ticket_id: string, requested_at: number) =>
  (selectUnsent(state).syncedAt[ticket_id] ?? 0) >= requested_at;

/**
 * Applies the server's copy of a draft if it is newer than this browser's: written on another device, or removed there because it was sent.
 * Returns undefined if this browser has saved it, or requested it again, since `requested_at`: the copy may be older. A text that
 * the user has written here stays, even if a token has drafted something after that.
 */
export const takeServerDraft =
  (ticket_id: string, { content, is_internal, updated_at, token }: ServerDraft, requested_at: number): AppThunk<Draft | undefined> =>
  (dispatch, getState) => {
    if (isOlder(getState(), ticket_id, requested_at)) return undefined;
    const { owner } = selectUnsent(getState());
    const here = draftStorage.read(owner, ticket_id);
    if (updated_at === (here?.synced_at ?? null)) return undefined;
    if (here?.dirty && token && !isBlank(here)) return undefined;
    if (here?.dirty && (updated_at === null || toLocalTime(updated_at) < here.edited_at)) return undefined;
    const draft = { text: content, is_internal, token };
    if (isBlank(draft)) draftStorage.remove(owner, ticket_id);
    else draftStorage.write(owner, ticket_id, draft, { synced_at: updated_at, dirty: false });
    dispatch(draftReplaced({ ticket_id, draft, requested_at }));
    return draft;
  };

/** Like `takeServerDraft`, but requests the server's copy itself: again if a draft was saved or a text accepted in the meantime. */
export const loadServerDraft =
  (ticket_id: string): AppThunk<Promise<Draft | undefined>> =>
  async (dispatch, getState) => {
    const requested_at = Date.now();
    const answer = await read(call(readDraft, { params: { id: ticket_id } }));
    if (answer.problem) return undefined;
    if (isOlder(getState(), ticket_id, requested_at) && Date.now() > requested_at) return dispatch(loadServerDraft(ticket_id));
    return dispatch(takeServerDraft(ticket_id, answer.data, requested_at));
  };

// ---- sending ------------------------------------------------------------------------------------------------------

/**
 * Sends a text after ten seconds, immediately on 'Send now', and when the page closes. Independent of any page, so leaving a page neither
 * stops nor speeds it up. `key` is the idempotency key of an earlier attempt with exactly the same request, so that the comment cannot be
 * added twice.
 */
export const sendText =
  (unsent: UnsentText, key = uniqueKey()): AppThunk =>
  (dispatch) => {
    const now = Date.now();
    dispatch(textSent({ ...unsent, key, written_at: new Date(now).toISOString(), due_at: now + undoSeconds * 1_000, state: 'waiting' }));
    announce(t('tickets.composer.sending_in_seconds', { undoSeconds }));
  };

async function sendWhenDue({ key, due_at }: { key: string; due_at: number }, { dispatch, getState, delay }: Effects): Promise<void> {
  await delay(due_at - Date.now());
  const item = itemOf(getState(), key);
  if (item?.state === 'waiting' && item.due_at === due_at) dispatch(sendRequested({ key }));
}
startAppListening({ actionCreator: textSent, effect: ({ payload }, effects) => sendWhenDue(payload, effects) });
startAppListening({ actionCreator: sendDelayed, effect: ({ payload }, effects) => sendWhenDue(payload, effects) });

startAppListening({
  actionCreator: sendRequested,
  effect: async ({ payload: { key, keepalive = false } }, effects) => {
    const item = itemOf(effects.getState(), key);
    if (!item || itemOf(effects.getOriginalState(), key)?.state === 'sending') return;
    const { error } = await post(effects.dispatch, item, keepalive);
    // The page was closing and stayed open, or will resume after a reload: the text waits until then.
    if (keepalive && isProblem(error) && isUnanswered(error))
      return void effects.dispatch(sendDelayed({ key, due_at: Date.now() + retryMs }));
    if (error) return await effects.dispatch(sendFailed(key, error));
    effects.dispatch(textReleased({ ticket_id: item.ticket_id, key }));
    notify.success(t('tickets.composer.comment_added'));
  },
});

const post = (dispatch: AppDispatch, item: Outgoing, keepalive: boolean) =>
  dispatch(
    // Not tracked: no component reads the state of the call, and the store would keep it forever.
    conversationApi.endpoints.addComment.initiate(
      {
        ticket_id: item.ticket_id,
        content: signed(item.text, item.signature),
        is_internal: item.is_internal,
        mentions: [...new Set(item.mentions.map(({ user_id }) => user_id))],
        attachment_ids: item.uploads.flatMap(({ id }) => id ?? []),
        changes: item.changes,
        key: item.key,
        label: item.is_internal
          ? t('tickets.composer.note_on', { number: item.ticket_number })
          : t('tickets.composer.reply_to', { number: item.ticket_number }),
        ...(item.last_seen_comment_id === undefined ? {} : { last_seen_comment_id: item.last_seen_comment_id }),
        ...(keepalive ? { keepalive } : {}),
      },
      { track: false },
    ),
  );

/** Returns a text to its composer or, if that is not on screen, to the draft that it will open with. */
const restoreDraft =
  (item: Outgoing): AppThunk =>
  (dispatch, getState) => {
    const { ticket_id, key, text, is_internal } = item;
    const isOpen = selectUnsent(getState()).openComposers.includes(ticket_id);
    dispatch(textReleased({ ticket_id, key, restored: isOpen ? undefined : { text, is_internal } }));
    if (isOpen) dispatch(textReturned(item));
  };

const sendFailed =
  (key: string, error: unknown): AppThunk<Promise<void>> =>
  async (dispatch, getState) => {
    const item = itemOf(getState(), key);
    if (!item) return;
    if (isProblem(error) && error.code === 'comment.outdated') {
      dispatch(textHeld(key));
      if (!selectUnsent(getState()).openComposers.includes(item.ticket_id))
        notify.error(t('tickets.composer.another_reply_came_first', { ticket_number: item.ticket_number }));
      return;
    }
    dispatch(restoreDraft(item));
    if (isWithdrawn(error)) return;
    const { fieldProblemsText } = await import('../set-status-with-fields');
    const invalid = await dispatch(fieldProblemsText(error));
    if (invalid) {
      notify.error(invalid.sentence, t('tickets.composer.failed_to_add_comment'));
      return focusField(invalid.first);
    }
    // A visitor of a live demo learns which limit was reached: sending again does not help.
    if (isProblem(error) && error.code === 'demo.limited') notify.problem(error, t('tickets.composer.failed_to_add_comment'));
    else notify.error(t('tickets.composer.failed_to_add_comment'));
  };

export const undoText =
  (key: string): AppThunk =>
  (dispatch, getState) => {
    const item = itemOf(getState(), key);
    if (item && item.state !== 'sending') dispatch(restoreDraft(item));
  };

/** Sends a held text after the newer comments were shown, so that they count as read. */
export const sendAnyway =
  (key: string, last_seen_comment_id: string | null): AppThunk =>
  (dispatch, getState) => {
    if (!itemOf(getState(), key)) return;
    const to = uniqueKey();
    dispatch(textRekeyed({ key, to, last_seen_comment_id }));
    dispatch(sendRequested({ key: to }));
  };

/** Sends all waiting texts now, because the page is closing or the user signs out. */
const flushOutbox = (): AppThunk => (dispatch, getState) => {
  for (const { key, state } of selectUnsent(getState()).outgoing)
    if (state === 'waiting') dispatch(sendRequested({ key, keepalive: true }));
};

// ---- start and end of the page ------------------------------------------------------------------------------------

/** Sends the texts that a reload left unsent, under their original keys. */
export const startUnsent =
  (user_id: string): AppThunk =>
  (dispatch, getState) => {
    if (selectUnsent(getState()).owner !== user_id) dispatch(startOf(user_id));
  };

const watched = new WeakSet<AppDispatch>();
startAppListening({
  actionCreator: started,
  effect: (_action, effects) => {
    const { dispatch } = effects;
    for (const { key, state } of selectUnsent(effects.getState()).outgoing) if (state === 'waiting') dispatch(sendRequested({ key }));
    if (watched.has(dispatch)) return;
    watched.add(dispatch);
    addEventListener('pagehide', () => {
      dispatch(flushOutbox());
      dispatch(flushDrafts(undefined, true));
    });
    addEventListener('beforeunload', (event) => {
      if (Object.keys(selectUnsent(effects.getState()).pendingSaves).length === 0) return;
      // The draft is already stored in this browser; the confirmation dialog gives the request to the server time to finish.
      dispatch(flushDrafts());
      event.preventDefault();
    });
    onSignOut({
      // Unsent text remains in its author's draft, in this browser and on the server.
      finish: () => {
        dispatch(flushOutbox());
        dispatch(flushDrafts());
      },
    });
  },
});
