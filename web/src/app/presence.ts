import { markPresence } from '@tandem/contracts/endpoints';
import { useEffect, useMemo, useRef } from 'react';
import { createExternalStore } from '../lib/external-store';
import { call, type Result } from '../lib/call';
import { send, sendSignedIn } from '../lib/http';
import { mayHaveSession } from '../lib/session-cookie';
import { useKnownSession } from './session-store';

export type PersonPresent = Result<typeof markPresence>[number];
export type PresenceState = PersonPresent['state'];

/** The gateway forgets a presence mark after 45 s, so one lost renewal has no effect. */
const renewMs = 25_000;
const noPeople: PersonPresent[] = [];

/** Users present at the tickets that this tab shows. Ephemeral data that is never refetched, so it is not in RTK Query. */
const present = createExternalStore<Record<string, PersonPresent[]>>(() => ({}));
/** The number of components that show a ticket. Presence updates of other tickets are dropped. */
const shown = new Map<string, number>();

/** Stores the presence list of a ticket, from the event stream (live.ts) or from the response to this tab's own request. */
export function setPresence(ticket_id: string, people: PersonPresent[]): void {
  if (shown.has(ticket_id)) present.set({ ...present.get(), [ticket_id]: people });
}

/** Accepts the presence updates of a ticket until the returned function is called. */
function show(ticket_id: string): () => void {
  shown.set(ticket_id, (shown.get(ticket_id) ?? 0) + 1);
  return () => {
    const left = (shown.get(ticket_id) ?? 1) - 1;
    if (left > 0) return void shown.set(ticket_id, left);
    shown.delete(ticket_id);
    const { [ticket_id]: _, ...others } = present.get();
    present.set(others);
  };
}

/** A separate id per page visit: two tabs of one user leave independently, and a late 'left' does not remove a user who has returned. */
const newVisit = () => Math.random().toString(36).slice(2, 14);

async function mark(ticket_id: string, visit: string, state: PresenceState): Promise<void> {
  const answer = await sendSignedIn(call(markPresence, { params: { id: ticket_id }, body: { state, visit }, isOptional: true }));
  // Presence is optional: on failure show no other users, and no error.
  setPresence(ticket_id, answer.problem ? noPeople : answer.data);
}

/** Uses `keepalive` to outlive the page. Never refreshes the access token: a signed-out user is no longer present anyway. */
function leave(ticket_id: string, visit: string): void {
  if (mayHaveSession()) void send(call(markPresence, { params: { id: ticket_id }, body: { state: 'left', visit }, keepalive: true }));
}

/** Reports this user as present at a ticket until the returned function is called. */
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
 * The other users at this ticket. Also reports this user as present: immediately, on each change of `state`, and every 25 seconds while
 * the page is visible.
 */
export function usePresence(ticketId: string | undefined, state: PresenceState): PersonPresent[] {
  const me = useKnownSession()?.profile.user_id;
  const visit = useRef('');

  useEffect(() => (ticketId ? show(ticketId) : undefined), [ticketId]);
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

  const people = present.use((all) => (ticketId ? (all[ticketId] ?? noPeople) : noPeople));
  return useMemo(() => people.filter(({ user_id }) => user_id !== me), [people, me]);
}
