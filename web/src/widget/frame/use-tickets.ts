import type { PublicTicket } from '@tandem/contracts';
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from './calls';
import { replyCount } from './ConversationView';
import type { HostPage } from './host';
import type { KnownTicket, WidgetStorage } from './storage';
import { useTexts } from './texts';
import { pollMs, useConversation } from './use-conversation';

interface Watching {
  calls: Calls;
  stored: WidgetStorage;
  host: HostPage;
  isOpen: boolean;
  /** Email of the identified visitor: they see only their own tickets, not those of previous users of this browser. */
  email: string | undefined;
  /** Id of the ticket on screen. */
  shown: string | undefined;
}

/** This browser's tickets, the one that is polled, and its unread replies. */
export function useTickets({ calls, stored, host, isOpen, email, shown }: Watching) {
  const t = useTexts();
  const [all, setAll] = useState<KnownTicket[]>(stored.tickets);
  const known = email ? all.filter((ticket) => ticket.email === email) : all;
  const watched = shown ? known.find(({ id }) => id === shown) : known[0];
  const pace = isOpen ? (shown ? pollMs.looking : undefined) : pollMs.closed;
  const { conversation, refresh, put } = useConversation(calls, watched, pace);
  const { ticket } = conversation;
  const answers = ticket ? replyCount(ticket) : 0;
  const unread = ticket && watched ? Math.max(0, answers - watched.seen) : 0;
  const isSeen = isOpen && shown !== undefined && shown === ticket?.id;
  useEffect(() => {
    if (isSeen && unread > 0 && shown) setAll(stored.markSeen(shown, answers));
    else if (!isOpen) host.send({ type: 'unread', count: unread, label: t('tickets.unread', { count: unread }) });
  }, [host, stored, isOpen, isSeen, shown, unread, answers, t]);
  const save = (ticket: Omit<KnownTicket, 'seen'>) => setAll(stored.save({ ...ticket, seen: 0 }));
  return {
    known,
    conversation,
    refresh,
    /** The ticket with unread replies, shown when the visitor opens the widget. */
    news: unread > 0 ? watched?.id : undefined,
    save,
    add: (added: PublicTicket) => {
      save({ id: added.id, ticket_number: added.ticket_number, subject: added.subject, email: added.customer_email });
      put(added);
    },
  };
}
