import type { Draft as ServerDraft } from '@tandem/contracts';
import { read, sendSignedIn, toLocalTime, type ApiRequest } from '../../../lib/http';
import { storage } from '../../../lib/storage';

/** What was written on a ticket and not sent yet. */
export interface Draft {
  text: string;
  is_internal: boolean;
}
export type DraftState = 'saved' | 'unsaved' | 'failed';

interface Stored extends Draft {
  /** In the time of this computer. */
  edited_at: number;
  /** The server's copy that this one goes back to; null when there was none. */
  synced_at: string | null;
  /** The server does not have it yet. */
  dirty: boolean;
}

/** One person writes at most this often to the server, and a text that grows without a pause is not left unsaved for long. */
const pauseMs = 3_000;
const longestMs = 15_000;

export const emptyDraft: Draft = { text: '', is_internal: false };
const isBlank = ({ text }: Draft) => text.trim() === '';
/** Two texts in one: what comes back stands before what was begun since. */
export const joinTexts = (...texts: string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');

function createDrafts() {
  /** Whose texts these are: a browser may serve several people. */
  let owner = '';
  const own = new Map<string, Draft>();
  /** Sent, and not yet accepted: kept with the draft, so that a crash loses nothing. */
  const onTheirWay = new Map<string, Map<string, Draft>>();
  /** When this browser last began or ended to save a draft, or had it removed by sending it. */
  const savedAt = new Map<string, number>();
  const states = new Map<string, DraftState>();
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; since: number }>();
  const listeners = new Set<() => void>();

  const keyOf = (ticket_id: string) => `draft:${owner}:${ticket_id}`;
  const request = (ticket_id: string): ApiRequest => ({ path: `/tickets/${encodeURIComponent(ticket_id)}/draft` });
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
  /** All that must not be lost on a ticket. */
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
    const answer = await sendSignedIn({ ...request(ticket_id), method: 'PUT', body, ...(keepalive ? { keepalive } : {}) });
    savedAt.set(ticket_id, Date.now());
    if (answer.problem) setState(ticket_id, 'failed');
    else synced(ticket_id, draft, (answer.data as ServerDraft).updated_at);
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
    /** Called before anything else by whoever writes. */
    belongTo: (user_id: string): void => {
      if (user_id !== owner) {
        // What the other person's texts still wait for must not be done in this one's name.
        for (const { timer } of timers.values()) clearTimeout(timer);
        for (const texts of [timers, savedAt, states, own, onTheirWay]) texts.clear();
      }
      owner = user_id;
    },
    read: (ticket_id: string): Draft => own.get(ticket_id) ?? (onTheirWay.has(ticket_id) ? emptyDraft : (stored(ticket_id) ?? emptyDraft)),
    /** At once in this browser, soon at the server. */
    keep: (ticket_id: string, draft: Draft): void => {
      if (isBlank(draft)) own.delete(ticket_id);
      else own.set(ticket_id, draft);
      kept(ticket_id);
    },
    /**
     * The server's copy where it is newer than this browser's: written on another device, or removed there because it was sent. Undefined where
     * this browser has saved something since `requested_at`: then the copy may be from before.
     */
    newer,
    /** As `newer`, with a request of its own. */
    load: async (ticket_id: string): Promise<Draft | undefined> => {
      const requested_at = Date.now();
      const answer = await read(request(ticket_id));
      return answer.problem ? undefined : newer(ticket_id, answer.data as ServerDraft, requested_at);
    },
    /** After a reload the stored draft also contains the texts that are still on their way: only the rest is to be written on. */
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
    /** It has come back, or was accepted: then the server has removed its draft by itself. */
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
    /** What the server does not have yet, now. */
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

/** Unsent texts, per ticket: they outlive the page, the browser's crash and, through the server, the device. */
export const drafts = createDrafts();
