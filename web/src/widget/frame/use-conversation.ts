import type { PublicTicket } from '@tandem/contracts';
import { useEffect, useState } from 'preact/hooks';
import type { ApiProblem } from '../../lib/problem';
import type { Calls } from './calls';

/** State of a ticket that is being loaded, was loaded, or failed to load. */
export interface Conversation {
  /** Id of the ticket in this state: while another ticket is loading, the previous one is not shown. */
  id: string | undefined;
  ticket: PublicTicket | undefined;
  problem: ApiProblem | undefined;
}
const nothing: Conversation = { id: undefined, ticket: undefined, problem: undefined };

/** All visitors of a site share 100 calls a minute: poll often while a conversation is open, rarely while the widget is closed. */
export const pollMs = { looking: 15_000, closed: 60_000 };

interface Watched {
  id: string;
  email: string;
}

/**
 * Polls the ticket while the page is visible, or not at all if `everyMs` is undefined. After a rate limit it waits as long as the server
 * asks.
 */
export function useConversation(calls: Calls, watched: Watched | undefined, everyMs: number | undefined) {
  const [conversation, setConversation] = useState(nothing);
  const [round, setRound] = useState(0);
  const id = watched?.id;
  const email = watched?.email;
  useEffect(() => {
    if (!id || !email || everyMs === undefined) return;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let askedAt = 0;
    const ask = async () => {
      clearTimeout(timer);
      askedAt = Date.now();
      const { value, problem } = await calls.read(id, email);
      if (left) return;
      setConversation((before) => {
        const same = before.id === id ? before : nothing;
        if (value) return { id, ticket: value, problem: undefined };
        // A failed later poll must not remove the conversation from the page.
        return { id, ticket: problem?.status === 404 ? undefined : same.ticket, problem };
      });
      timer = setTimeout(askWhenSeen, Math.max(everyMs, (problem?.retry_after_seconds ?? 0) * 1_000));
    };
    const askWhenSeen = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    const onReturn = () => {
      if (Date.now() - askedAt >= everyMs) askWhenSeen();
    };
    void ask();
    document.addEventListener('visibilitychange', onReturn);
    addEventListener('online', askWhenSeen);
    return () => {
      left = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
      removeEventListener('online', askWhenSeen);
    };
  }, [calls, id, email, everyMs, round]);
  return {
    conversation: conversation.id === id ? conversation : nothing,
    refresh: () => setRound((before) => before + 1),
    /** Sets a ticket that another call has returned. */
    put: (ticket: PublicTicket) => setConversation({ id: ticket.id, ticket, problem: undefined }),
  };
}
