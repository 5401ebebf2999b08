import { storage } from '../../lib/storage';

/** What was written on a ticket and not sent yet. */
export interface Draft {
  text: string;
  is_internal: boolean;
}

const keyOf = (ticket_id: string) => `draft:${ticket_id}`;
const empty: Draft = { text: '', is_internal: false };

export const drafts = {
  read(ticket_id: string): Draft {
    const stored = storage.get(keyOf(ticket_id));
    if (!stored) return empty;
    try {
      const { text, is_internal } = JSON.parse(stored) as Partial<Draft>;
      return typeof text === 'string' ? { text, is_internal: is_internal === true } : empty;
    } catch {
      return empty;
    }
  },
  keep(ticket_id: string, draft: Draft): void {
    if (draft.text.trim() === '') storage.remove(keyOf(ticket_id));
    else storage.set(keyOf(ticket_id), JSON.stringify(draft));
  },
};
