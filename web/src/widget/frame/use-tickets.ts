import type { PublicTicket } from '@tandem/contracts';
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from './calls';
import { answersIn } from './ConversationView';
import type { HostPage } from './host';
import type { KnownTicket, Memory } from './memory';
import { paceMs, useConversation } from './use-conversation';

interface Watching {
  calls: Calls;
  memory: Memory;
  host: HostPage;
  isOpen: boolean;
  /** Of the visitor for whom the site vouches: they see their own tickets, not those of whoever used this browser before. */
  email: string | undefined;
  /** The ticket that is on the screen. */
  shown: string | undefined;
}

/** The tickets of this browser, the one that is watched, and what of it is new. */
export function useTickets({ calls, memory, host, isOpen, email, shown }: Watching) {
  const [all, setAll] = useState<KnownTicket[]>(memory.tickets);
  const known = email ? all.filter((ticket) => ticket.email === email) : all;
  const watched = shown ? known.find(({ id }) => id === shown) : known[0];
  const pace = isOpen ? (shown ? paceMs.looking : undefined) : paceMs.closed;
  const { conversation, refresh, put } = useConversation(calls, watched, pace);
  const { ticket } = conversation;
  const answers = ticket ? answersIn(ticket) : 0;
  const unread = ticket && watched ? Math.max(0, answers - watched.seen) : 0;
  const isSeen = isOpen && shown !== undefined && shown === ticket?.id;
  useEffect(() => {
    if (isSeen && unread > 0 && shown) setAll(memory.markSeen(shown, answers));
    else if (!isOpen) host.say({ type: 'unread', count: unread });
  }, [host, memory, isOpen, isSeen, shown, unread, answers]);
  const keep = (kept: Omit<KnownTicket, 'seen'>) => setAll(memory.keep({ ...kept, seen: 0 }));
  return {
    known,
    conversation,
    refresh,
    /** The ticket with news, for whoever opens the widget again. */
    news: unread > 0 ? watched?.id : undefined,
    keep,
    add: (added: PublicTicket) => {
      keep({ id: added.id, ticket_number: added.ticket_number, subject: added.subject, email: added.customer_email });
      put(added);
    },
  };
}
