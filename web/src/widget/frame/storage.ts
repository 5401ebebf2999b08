import { storage } from '../../lib/storage';

/** A ticket created in this browser on this site: browsers partition a frame's storage by embedding site. */
export interface KnownTicket {
  id: string;
  ticket_number: string;
  subject: string;
  email: string;
  /** Number of the organization's replies that the visitor has seen. */
  seen: number;
}
export const maxStoredTickets = 5;

const isKnown = (each: unknown): each is KnownTicket => {
  const ticket = each as Partial<KnownTicket> | null;
  return typeof ticket?.id === 'string' && typeof ticket.email === 'string' && typeof ticket.ticket_number === 'string';
};

/**
 * The frame's storage for one organization. Browsers may block storage in third-party frames: then the data lasts until the page is
 * closed.
 */
export function widgetStorage(organization: string) {
  const name = (what: string) => `widget:${organization}:${what}`;
  const here = new Map<string, string>();
  const write = (key: string, value: unknown) => {
    const text = JSON.stringify(value);
    here.set(key, text);
    storage.set(key, text);
  };
  const stored = (key: string): unknown => {
    try {
      return JSON.parse(storage.get(key) ?? here.get(key) ?? 'null');
    } catch {
      return null;
    }
  };
  const tickets = (): KnownTicket[] => {
    const list = stored(name('tickets'));
    return Array.isArray(list) ? list.filter(isKnown).slice(0, maxStoredTickets) : [];
  };
  return {
    tickets,
    /** Saves a ticket; returns the list, newest first. */
    save: (ticket: KnownTicket): KnownTicket[] => {
      const list = [ticket, ...tickets().filter(({ id }) => id !== ticket.id)].slice(0, maxStoredTickets);
      write(name('tickets'), list);
      return list;
    },
    markSeen: (id: string, seen: number): KnownTicket[] => {
      const list = tickets().map((ticket) => (ticket.id === id ? { ...ticket, seen } : ticket));
      write(name('tickets'), list);
      return list;
    },
    draft: (of: string): Record<string, string> => {
      const draft = stored(name(`draft:${of}`));
      const texts = Object.entries((draft ?? {}) as Record<string, unknown>).filter(([, text]) => typeof text === 'string');
      return Object.fromEntries(texts) as Record<string, string>;
    },
    saveDraft: (of: string, draft: Record<string, string>): void => {
      if (Object.values(draft).some(Boolean)) write(name(`draft:${of}`), draft);
      else {
        here.delete(name(`draft:${of}`));
        storage.remove(name(`draft:${of}`));
      }
    },
  };
}
export type WidgetStorage = ReturnType<typeof widgetStorage>;
