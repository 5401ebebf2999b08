import { storage } from '../../lib/storage';

/** A ticket that this browser opened, on this site: browsers keep the storage of a frame apart for each site that frames it. */
export interface KnownTicket {
  id: string;
  ticket_number: string;
  subject: string;
  email: string;
  /** Of the organization's answers, how many have been looked at. */
  seen: number;
}
export const ticketsKept = 5;

function stored(key: string): unknown {
  try {
    return JSON.parse(storage.get(key) ?? 'null');
  } catch {
    return null;
  }
}

const isKnown = (each: unknown): each is KnownTicket => {
  const ticket = each as Partial<KnownTicket> | null;
  return typeof ticket?.id === 'string' && typeof ticket.email === 'string' && typeof ticket.ticket_number === 'string';
};

/** What the frame remembers for one organization. Wiped or forbidden storage costs the memory, nothing else. */
export function memoryOf(organization: string) {
  const name = (what: string) => `widget:${organization}:${what}`;
  const tickets = (): KnownTicket[] => {
    const list = stored(name('tickets'));
    return Array.isArray(list) ? list.filter(isKnown).slice(0, ticketsKept) : [];
  };
  return {
    tickets,
    /** The newest first. */
    keep: (ticket: KnownTicket): KnownTicket[] => {
      const list = [ticket, ...tickets().filter(({ id }) => id !== ticket.id)].slice(0, ticketsKept);
      storage.set(name('tickets'), JSON.stringify(list));
      return list;
    },
    markSeen: (id: string, seen: number): KnownTicket[] => {
      const list = tickets().map((ticket) => (ticket.id === id ? { ...ticket, seen } : ticket));
      storage.set(name('tickets'), JSON.stringify(list));
      return list;
    },
    draft: (of: string): Record<string, string> => {
      const draft = stored(name(`draft:${of}`));
      const texts = Object.entries((draft ?? {}) as Record<string, unknown>).filter(([, text]) => typeof text === 'string');
      return Object.fromEntries(texts) as Record<string, string>;
    },
    keepDraft: (of: string, draft: Record<string, string>): void => {
      if (Object.values(draft).some(Boolean)) storage.set(name(`draft:${of}`), JSON.stringify(draft));
      else storage.remove(name(`draft:${of}`));
    },
  };
}
export type Memory = ReturnType<typeof memoryOf>;
