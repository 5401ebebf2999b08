import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { announce } from '../lib/announce';
import { reportStream } from '../lib/connection';
import { mayHaveSession } from '../lib/http';
import { addOwnTicket, publishTicketChange } from '../lib/ticket-changes';
import { api, tagTypes, type TagType } from './api';
import { setPresence, type PersonPresent } from './presence';
import type { AppDispatch } from './store';

type Tag = TagType | { type: TagType; id: string };
interface LiveEvent {
  type: string;
  subject: string;
  /** The user of this page caused it, here, in another tab or on another device. */
  own: boolean;
}

/** The cache tags that an event invalidates. Events carry ids only; pages that show the data request it again. */
export function tagsOf({ type, subject }: Pick<LiveEvent, 'type' | 'subject'>): Tag[] {
  if (type === 'metrics.updated') return ['Stats'];
  if (type === 'ticket.created') return ['TicketList', 'ViewCounts'];
  if (type === 'ticket.comment.added') return [{ type: 'Comments', id: subject }, { type: 'Ticket', id: subject }, 'TicketList'];
  // The event's subject is the integration or the connection.
  if (type === 'task.sync_failed') return ['TaskTools', 'Integrations'];
  // Ticket changes made through a task, and linking or unlinking a task, are sent as ticket.updated.
  if (type.startsWith('task.')) return [{ type: 'TicketTask', id: subject }];
  if (type.startsWith('ticket.')) return [{ type: 'Ticket', id: subject }, 'TicketList', 'ViewCounts'];
  // The event's subject is the notified user: only that user's count is outdated.
  if (type === 'notification.created') return [{ type: 'Notifications', id: subject }];
  if (type.startsWith('email.')) return [{ type: 'Emails', id: subject }];
  if (type === 'survey.submitted') return [{ type: 'Ticket', id: subject }];
  if (type.startsWith('member.')) return ['Members', 'Invitations', 'Session'];
  if (type.startsWith('branding.')) return ['Branding'];
  if (type.startsWith('organization.')) return ['Organization', 'Session'];
  return [];
}

/** One change often emits several events: they are handled as one batch. */
const gatherMs = 60;
/**
 * Minimum interval between refetches of data that is counted or listed over all tickets, however many events arrive: a user may make 100
 * API calls per minute.
 */
const calmMs: Partial<Record<TagType, number>> = {
  TicketList: 5_000,
  Stats: 5_000,
  ViewCounts: 10_000,
  Notifications: 2_000,
  TicketTask: 2_000,
};
const longestCalmMs = Math.max(...Object.values(calmMs));
const keyOf = (tag: Tag): string => (typeof tag === 'string' ? tag : `${tag.type} ${tag.id}`);
const calmOf = (tag: Tag): number => calmMs[typeof tag === 'string' ? tag : tag.type] ?? 0;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Keeps the organization's event stream open. After every gap, all data on screen is read again. */
export function openLive(dispatch: AppDispatch, createSource = () => new EventSource('/api/v1/events')): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let flushAt = 0;
  let gathered: Tag[] = [];
  let missedSomething = false;
  let pauseMs = firstPauseMs;
  let stopped = false;

  const readAt = new Map<string, number>();
  const flush = () => {
    const now = Date.now();
    const waitOf = (tag: Tag) => (readAt.get(keyOf(tag)) ?? 0) + calmOf(tag) - now;
    const ready = gathered.filter((tag) => waitOf(tag) <= 0);
    for (const [key, at] of readAt) if (now - at > longestCalmMs) readAt.delete(key);
    for (const tag of ready) if (calmOf(tag) > 0) readAt.set(keyOf(tag), now);
    gathered = [...new Map(gathered.filter((tag) => !ready.includes(tag)).map((tag) => [keyOf(tag), tag])).values()];
    const waits = gathered.map(waitOf);
    gathering = gathered.length > 0 ? setTimeout(flush, Math.min(...waits)) : undefined;
    flushAt = now + Math.min(...waits);
    dispatch(api.util.invalidateTags(ready));
  };
  const flushSoon = () => {
    const at = Date.now() + gatherMs;
    if (gathering && flushAt <= at) return;
    clearTimeout(gathering);
    gathering = setTimeout(flush, gatherMs);
    flushAt = at;
  };
  const onEvent = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as LiveEvent;
    gathered.push(...tagsOf(event));
    if (event.type === 'ticket.created') {
      if (event.own) addOwnTicket(event.subject);
      else announce('A new ticket has arrived');
    }
    if (event.type.startsWith('ticket.')) publishTicketChange({ id: event.subject, isNew: event.type === 'ticket.created' });
    flushSoon();
  };
  /** Reads the session first, which refreshes an expired access token, and opens the stream only if there still is a session. */
  const reconnect = () =>
    void dispatch(api.endpoints.readSession.initiate(undefined, { forceRefetch: true, subscribe: false })).then(({ data }) => {
      if (stopped) return;
      if (data) connect();
      else if (mayHaveSession()) retry();
    });
  const retry = () => {
    timer = setTimeout(reconnect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };
  const connect = () => {
    source = createSource();
    source.addEventListener('message', onEvent);
    source.addEventListener('presence', (message: MessageEvent<string>) => {
      const { ticket_id, people } = JSON.parse(message.data) as { ticket_id: string; people: PersonPresent[] };
      setPresence(ticket_id, people);
    });
    // The user's permissions changed and the server ends the stream: reconnect immediately, without the browser's retry delay.
    source.addEventListener('access', () => {
      source?.close();
      missedSomething = true;
      reconnect();
    });
    source.addEventListener('open', () => {
      reportStream(true);
      pauseMs = firstPauseMs;
      if (missedSomething) {
        dispatch(api.util.invalidateTags([...tagTypes]));
        publishTicketChange('gap');
      }
      missedSomething = false;
    });
    source.addEventListener('error', () => {
      reportStream(false);
      missedSomething = true;
      // The browser reconnects after a lost connection, but not after a refusal: the access token may have expired.
      if (source?.readyState !== EventSource.CLOSED) return;
      retry();
    });
  };
  connect();
  return () => {
    stopped = true;
    reportStream(true);
    clearTimeout(timer);
    clearTimeout(gathering);
    source?.close();
  };
}

export function useLive(): void {
  const dispatch = useDispatch<AppDispatch>();
  useEffect(() => openLive(dispatch), [dispatch]);
}
