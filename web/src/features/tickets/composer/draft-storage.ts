import type { ActingToken } from '@tandem/contracts';
import { storage } from '../../../lib/storage';

/** The unsent text on a ticket. */
export interface Draft {
  text: string;
  is_internal: boolean;
  /** The API token that wrote it; unset once the user has changed it. */
  token?: ActingToken | null;
}

/** A draft as this browser stores it, per user and ticket: several people may share a browser. */
export interface StoredDraft extends Draft {
  /** In this computer's time. */
  edited_at: number;
  /** The server version that this copy is based on; null if there was none. */
  synced_at: string | null;
  /** Whether this copy has changes that the server does not have. */
  dirty: boolean;
}

export const emptyDraft: Draft = { text: '', is_internal: false };
export const isBlank = ({ text }: Draft): boolean => text.trim() === '';
/** A reply with the signature of its author below it. */
export const signed = (text: string, signature: string | null | undefined): string =>
  signature ? `${text.trim()}\n\n${signature}` : text.trim();

/** Joins texts; callers put a restored text before text that was typed since. */
export const joinTexts = (...texts: string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');

const keyOf = (user_id: string, ticket_id: string) => `draft:${user_id}:${ticket_id}`;

export const draftStorage = {
  read(user_id: string, ticket_id: string): StoredDraft | undefined {
    try {
      const value = JSON.parse(storage.get(keyOf(user_id, ticket_id)) ?? 'null') as Partial<StoredDraft> | null;
      if (typeof value?.text !== 'string') return undefined;
      const { text, is_internal = false, token = null, edited_at = 0, synced_at = null, dirty = true } = value;
      return { text, is_internal, token, edited_at, synced_at, dirty };
    } catch {
      return undefined;
    }
  },
  write(
    user_id: string,
    ticket_id: string,
    { text, is_internal, token = null }: Draft,
    sync: Pick<StoredDraft, 'synced_at' | 'dirty'>,
  ): void {
    const value: StoredDraft = { text, is_internal, token, edited_at: Date.now(), synced_at: sync.synced_at, dirty: sync.dirty };
    storage.set(keyOf(user_id, ticket_id), JSON.stringify(value));
  },
  remove: (user_id: string, ticket_id: string): void => storage.remove(keyOf(user_id, ticket_id)),
};
