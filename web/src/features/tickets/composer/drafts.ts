import type { Draft as ServerDraft } from '@tandem/contracts';
import { readDraft, saveDraft } from '@tandem/contracts/endpoints';
import { call } from '../../../lib/call';
import { read, sendSignedIn, toLocalTime } from '../../../lib/http';
import { storage } from '../../../lib/storage';

/** The unsent text on a ticket. */
export interface Draft {
  text: string;
  is_internal: boolean;
}
export type DraftState = 'saved' | 'unsaved' | 'failed';

interface Stored extends Draft {
  /** In this computer's time. */
  edited_at: number;
  /** The server version that this copy is based on; null if there was none. */
  synced_at: string | null;
  /** Whether this copy has changes that the server does not have. */
  dirty: boolean;
}

/** Debounce of saves to the server, and the longest time that continuous typing can stay unsaved. */
const pauseMs = 3_000;
const longestMs = 15_000;

export const emptyDraft: Draft = { text: '', is_internal: false };
const isBlank = ({ text }: Draft) => text.trim() === '';
/** Joins texts; callers put a restored text before what was typed since. */
export const joinTexts = (...texts: string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');

function createDrafts() {
  /** The user whose drafts are held here; several people may share a browser. */
  let owner = '';
  const own = new Map<string, Draft>();
  /** Sent but not yet accepted texts, stored with the draft so that a crash loses nothing. */
  const onTheirWay = new Map<string, Map<string, Draft>>();
  /** When this browser last started or finished saving a draft, or its text was accepted or restored. */
  const savedAt = new Map<string, number>();
  const states = new Map<string, DraftState>();
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; since: number }>();
  const listeners = new Set<() => void>();

  const keyOf = (ticket_id: string) => `draft:${owner}:${ticket_id}`;
  function stored(ticket_id: string): Stored | undefined {
    try {
      const value = JSON.parse(storage.get(keyOf(ticket_id)) ?? 'null') as Partial<Stored> | null;
      if (typeof value?.text !== 'string') return undefined;
      const { text, is_internal = false, edited_at = 0, synced_at = null, dirty = true } = value;
      return { text, is_internal, edited_at, synced_at, dirty };
    } catch {
      return undefined;
    }
  }
  function setState(ticket_id: string, state: DraftState | undefined): void {
    if (state) states.set(ticket_id, state);
    else states.delete(ticket_id);
    for (const listener of listeners) listener();
  }
  /** Everything on a ticket that must not be lost: texts being sent and the current one. */
  function whole(ticket_id: string): Draft {
    const away = [...(onTheirWay.get(ticket_id)?.values() ?? [])];
    const mine = own.get(ticket_id) ?? emptyDraft;
    return {
      text: joinTexts(...away.map(({ text }) => text), mine.text),
      is_internal: isBlank(mine) ? (away[0] ?? mine).is_internal : mine.is_internal,
    };
  }
  function store(ticket_id: string): void {
    const before = stored(ticket_id);
    storage.set(
      keyOf(ticket_id),
      JSON.stringify({ ...whole(ticket_id), edited_at: Date.now(), synced_at: before?.synced_at ?? null, dirty: true } satisfies Stored),
    );
  }
  function synced(ticket_id: string, sent: Draft, synced_at: string | null): void {
    if (whole(ticket_id).text !== sent.text) return;
    if (isBlank(sent)) storage.remove(keyOf(ticket_id));
    else storage.set(keyOf(ticket_id), JSON.stringify({ ...sent, edited_at: Date.now(), synced_at, dirty: false } satisfies Stored));
    setState(ticket_id, isBlank(sent) ? undefined : 'saved');
  }
  async function save(ticket_id: string, keepalive: boolean): Promise<void> {
    clearTimeout(timers.get(ticket_id)?.timer);
    timers.delete(ticket_id);
    const draft = whole(ticket_id);
    savedAt.set(ticket_id, Date.now());
    const body = { content: draft.text, is_internal: draft.is_internal };
    const answer = await sendSignedIn(call(saveDraft, { params: { id: ticket_id }, body, ...(keepalive ? { keepalive } : {}) }));
    savedAt.set(ticket_id, Date.now());
    if (answer.problem) setState(ticket_id, 'failed');
    else synced(ticket_id, draft, answer.data.updated_at);
  }
  function later(ticket_id: string): void {
    const { timer, since = Date.now() } = timers.get(ticket_id) ?? {};
    clearTimeout(timer);
    const wait = Math.max(0, Math.min(pauseMs, since + longestMs - Date.now()));
    timers.set(ticket_id, { timer: setTimeout(() => void save(ticket_id, false), wait), since });
  }
  function kept(ticket_id: string): void {
    store(ticket_id);
    setState(ticket_id, 'unsaved');
    later(ticket_id);
  }

  function newer(ticket_id: string, draft: ServerDraft, requested_at: number): Draft | undefined {
    if ((savedAt.get(ticket_id) ?? 0) >= requested_at) return undefined;
    const { content, is_internal, updated_at } = draft;
    const here = stored(ticket_id);
    if (updated_at === (here?.synced_at ?? null)) return undefined;
    const theirs = { text: content, is_internal };
    if (here?.dirty && (updated_at === null || toLocalTime(updated_at) < here.edited_at)) return undefined;
    if (isBlank(theirs)) storage.remove(keyOf(ticket_id));
    else
      storage.set(
        keyOf(ticket_id),
        JSON.stringify({ ...theirs, edited_at: Date.now(), synced_at: updated_at, dirty: false } satisfies Stored),
      );
    if (isBlank(theirs)) own.delete(ticket_id);
    else own.set(ticket_id, theirs);
    return theirs;
  }

  return {
    /** Sets the current user. Must be called before any other function. */
    belongTo: (user_id: string): void => {
      if (user_id !== owner) {
        // Pending saves of the previous user must not be sent as this user.
        for (const { timer } of timers.values()) clearTimeout(timer);
        for (const texts of [timers, savedAt, states, own, onTheirWay]) texts.clear();
      }
      owner = user_id;
    },
    read: (ticket_id: string): Draft => own.get(ticket_id) ?? (onTheirWay.has(ticket_id) ? emptyDraft : (stored(ticket_id) ?? emptyDraft)),
    /** Saves in this browser immediately and on the server soon after. */
    keep: (ticket_id: string, draft: Draft): void => {
      if (isBlank(draft)) own.delete(ticket_id);
      else own.set(ticket_id, draft);
      kept(ticket_id);
    },
    /**
     * Returns the server's copy if it is newer than this browser's: written on another device, or removed there because it was sent.
     * Returns undefined if this browser has saved since `requested_at`, because the copy may be older than that save.
     */
    newer,
    /** Like `newer`, but requests the server's copy itself. */
    load: async (ticket_id: string): Promise<Draft | undefined> => {
      const requested_at = Date.now();
      const answer = await read(call(readDraft, { params: { id: ticket_id } }));
      return answer.problem ? undefined : newer(ticket_id, answer.data, requested_at);
    },
    /** After a reload the stored draft also contains the texts that are still being sent; only the rest remains editable. */
    resume: (ticket_id: string, key: string, draft: Draft): void => {
      const here = own.get(ticket_id) ?? (onTheirWay.has(ticket_id) ? undefined : stored(ticket_id));
      onTheirWay.set(ticket_id, new Map(onTheirWay.get(ticket_id)).set(key, draft));
      const rest = here?.text.startsWith(draft.text) ? here.text.slice(draft.text.length).trimStart() : (here?.text ?? '');
      if (here && rest !== '') own.set(ticket_id, { text: rest, is_internal: here.is_internal });
      else own.delete(ticket_id);
    },
    setAside: (ticket_id: string, key: string, draft: Draft): void => {
      onTheirWay.set(ticket_id, new Map(onTheirWay.get(ticket_id)).set(key, draft));
      own.delete(ticket_id);
      if (states.get(ticket_id) === 'saved' && stored(ticket_id)?.text === whole(ticket_id).text) return;
      store(ticket_id);
      void save(ticket_id, false);
    },
    /**
     * Removes a text that was restored or accepted; in the latter case the server has already deleted its draft. `cameBack` is put back
     * into the draft, unless an open composer restores it.
     */
    release: (ticket_id: string, key: string, cameBack?: Draft): void => {
      const away = onTheirWay.get(ticket_id);
      if (!away?.delete(key)) return;
      savedAt.set(ticket_id, Date.now());
      if (away.size === 0) onTheirWay.delete(ticket_id);
      if (cameBack) own.set(ticket_id, { ...cameBack, text: joinTexts(cameBack.text, own.get(ticket_id)?.text ?? '') });
      if (!isBlank(whole(ticket_id))) return kept(ticket_id);
      storage.remove(keyOf(ticket_id));
      setState(ticket_id, undefined);
    },
    rename: (ticket_id: string, key: string, to: string): void => {
      const away = onTheirWay.get(ticket_id);
      const draft = away?.get(key);
      if (draft && away?.delete(key)) away.set(to, draft);
    },
    /** Saves pending drafts to the server now. */
    flush: (ticket_id?: string, keepalive = false): void => {
      for (const id of ticket_id ? [ticket_id] : [...timers.keys()]) if (timers.has(id)) void save(id, keepalive);
    },
    hasUnsaved: (): boolean => timers.size > 0,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: (ticket_id: string): DraftState | undefined => states.get(ticket_id),
  };
}

/** Unsent texts per ticket. They survive closing the page and browser crashes, and are available on other devices through the server. */
export const drafts = createDrafts();
