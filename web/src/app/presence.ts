import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { mayHaveSession, send, sendSignedIn, type ApiRequest } from '../lib/http';
import { useKnownSession } from './session-store';

export type PresenceState = 'viewing' | 'writing' | 'writing_note';
export interface PersonPresent {
  user_id: string;
  state: PresenceState;
}

/** A mark lives 45 s at the gateway: one renewal may be lost on the way. */
const renewMs = 25_000;
const nobody: PersonPresent[] = [];

/** Who is at the tickets this tab shows. Ephemeral, and nothing the server is asked for again: not in RTK Query. */
const present = new Map<string, PersonPresent[]>();
/** The tickets on screen with their readers: what is heard of others is not kept. */
const readers = new Map<string, Set<() => void>>();

/** What the stream or an own call said of a ticket; live.ts brings the former. */
export function setPresence(ticket_id: string, people: PersonPresent[]): void {
  const waiting = readers.get(ticket_id);
  if (!waiting) return;
  present.set(ticket_id, people);
  for (const reader of waiting) reader();
}

function subscribe(ticket_id: string, reader: () => void): () => void {
  const waiting = readers.get(ticket_id) ?? new Set();
  readers.set(ticket_id, waiting.add(reader));
  return () => {
    waiting.delete(reader);
    if (waiting.size > 0) return;
    readers.delete(ticket_id);
    present.delete(ticket_id);
  };
}

/** Each visit to a page counts for itself: two tabs of one person leave one by one, and a late 'left' takes nobody away who is back. */
const newVisit = () => Math.random().toString(36).slice(2, 14);

const markRequest = (ticket_id: string, visit: string, state: PresenceState | 'left'): ApiRequest => ({
  path: `/tickets/${ticket_id}/presence`,
  method: 'PUT',
  body: { state, visit },
  isOptional: true,
});

async function mark(ticket_id: string, visit: string, state: PresenceState): Promise<void> {
  const answer = await sendSignedIn(markRequest(ticket_id, visit, state));
  // Presence is a courtesy: whoever cannot be told who is there sees nobody, and is not bothered with the reason.
  setPresence(ticket_id, answer.problem ? nobody : (answer.data as PersonPresent[]));
}

/** Survives the page (`keepalive`), and never begins a refresh: who has signed out is gone anyway. */
function leave(ticket_id: string, visit: string): void {
  if (mayHaveSession()) void send({ ...markRequest(ticket_id, visit, 'left'), keepalive: true });
}

/** Tells the colleagues that this person is at a ticket, until the returned function is called. */
function stay(ticket_id: string, visit: string, state: PresenceState): () => void {
  const renew = () => {
    if (document.visibilityState === 'visible') void mark(ticket_id, visit, state);
  };
  renew();
  const timer = setInterval(renew, renewMs);
  document.addEventListener('visibilitychange', renew);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', renew);
  };
}

/**
 * Who else is at this ticket, never oneself; and tells them that one is there: at once, with each change of `state`, and every 25 seconds
 * while the page is visible.
 */
export function usePresence(ticketId: string | undefined, state: PresenceState): PersonPresent[] {
  const me = useKnownSession()?.profile.user_id;
  const visit = useRef('');

  useEffect(() => {
    if (!ticketId) return;
    const current = (visit.current = newVisit());
    const left = () => leave(ticketId, current);
    window.addEventListener('pagehide', left);
    return () => {
      window.removeEventListener('pagehide', left);
      left();
    };
  }, [ticketId]);
  useEffect(() => (ticketId ? stay(ticketId, visit.current, state) : undefined), [ticketId, state]);

  const people = useSyncExternalStore(
    useMemo(() => (reader: () => void) => (ticketId ? subscribe(ticketId, reader) : () => undefined), [ticketId]),
    () => (ticketId ? (present.get(ticketId) ?? nobody) : nobody),
  );
  return useMemo(() => people.filter(({ user_id }) => user_id !== me), [people, me]);
}
