import type { ChangesWithComment, Comment } from '@tandem/contracts';
import { useSyncExternalStore } from 'react';
import type { Upload } from '../../../lib/uploads';
import { tabStorage } from '../../../lib/tab-storage';
import type { Draft } from './drafts';

/** A colleague mentioned in a text. */
export interface Mention {
  user_id: string;
  name: string;
}

/** A text that was handed over by the composer, with everything sent along with it. */
export interface Letter extends Draft {
  ticket_id: string;
  ticket_number: string;
  mentions: Mention[];
  uploads: Upload[];
  changes: ChangesWithComment;
  /** The latest comment when the text was written, null if there was none; undefined if the conversation had not loaded. */
  last_seen_comment_id: string | null | undefined;
  author: Pick<Comment, 'user_id' | 'author'>;
}
export interface Outgoing extends Letter {
  key: string;
  written_at: string;
  due_at: number;
  /** `held` means that a newer comment arrived, which the user has to read first. */
  state: 'waiting' | 'sending' | 'held';
}

let items: readonly Outgoing[] = [];
const listeners = new Set<() => void>();

export const shownItems = (): readonly Outgoing[] => items;
const storageKey = 'outbox';
/** Texts that a reload of this tab left unsent. Their keys are stored too, so that the server recognizes a text that it already has. */
export const storedItems = (user_id: string): Outgoing[] =>
  (tabStorage.read<Outgoing[]>(storageKey) ?? []).filter(({ author }) => author.user_id === user_id);

/** Called only by the outbox, which owns this list. */
export function show(next: readonly Outgoing[]): void {
  items = next;
  // A file cannot be stored as JSON, but its id can.
  const stored = next.map((item) => ({ ...item, uploads: item.uploads.map(({ file: _, ...upload }) => upload) }));
  if (next.length === 0) tabStorage.remove(storageKey);
  else tabStorage.write(storageKey, stored);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const ofTicket = new WeakMap<readonly Outgoing[], Map<string, Outgoing[]>>();
/** The texts being sent on one ticket. */
export function useOutgoing(ticket_id: string): Outgoing[] {
  return useSyncExternalStore(subscribe, () => {
    const known = ofTicket.get(items) ?? new Map<string, Outgoing[]>();
    ofTicket.set(items, known);
    const mine = known.get(ticket_id) ?? items.filter((item) => item.ticket_id === ticket_id);
    known.set(ticket_id, mine);
    return mine;
  });
}
