import type { LiveEventName } from '@tandem/contracts';
import { streamEvents } from '@tandem/contracts/endpoints';
import { longestReplayMs } from '@tandem/contracts/values';
import { announce } from '../lib/announce';
import { reportStream } from '../lib/connection';
import { urlOf } from '../lib/api-url';
import { call } from '../lib/call';
import { mayHaveSession } from '../lib/session-cookie';
import { t } from '../lib/staff-texts';
import { addOwnTicket, publishRead, publishReplyDrafted, publishTicketChange } from '../lib/ticket-changes';
import { api, tagTypes, type TagType } from './api';
import { setPresence, type PersonPresent } from './presence';
import { again } from './read-again';
import type { AppDispatch } from './store';

type Tag = TagType | { type: TagType; id: string };
interface LiveEvent {
  type: LiveEventName;
  subject: string;
  /** Whether the user of this page caused the event, here, in another tab or on another device. */
  own: boolean;
}

const ticketTags = (id: string): Tag[] => [{ type: 'Ticket', id }, 'TicketList', 'ViewCounts'];
const taskTags = (id: string): Tag[] => [{ type: 'TicketTask', id }];
const emailTags = (id: string): Tag[] => [{ type: 'Emails', id }];
const articleTags = (id: string): Tag[] => ['ArticleList', { type: 'Article', id }, { type: 'ArticleVersions', id }];
const memberTags = (): Tag[] => ['Members', 'Invitations', 'Session'];

/**
 * The cache tags that each event invalidates, by its subject: the ticket, except where a comment says otherwise. Events carry ids only;
 * pages that show the data request it again.
 */
const tagsByEvent: Record<LiveEventName, (subject: string) => Tag[]> = {
  // The subject is the token.
  'api_token.changed': () => ['ApiTokens'],
  // The subject is the article. An open editor does not replace unsaved text.
  'article.published': articleTags,
  'article.unpublished': articleTags,
  'branding.updated': () => ['Branding'],
  'email.bounced': emailTags,
  'email.delivered': emailTags,
  'email.failed': emailTags,
  'member.joined': memberTags,
  'member.updated': memberTags,
  // The subject is the organization.
  'metrics.updated': () => ['Stats', 'Analytics'],
  // The subject is the notified user: only that user's count is outdated.
  'notification.created': (id) => [{ type: 'Notifications', id }],
  // Every session ends with it: pages notice when they read theirs.
  'organization.deleted': () => ['Session'],
  'organization.wording_changed': () => ['Wording'],
  'organization.updated': () => ['Organization', 'Session'],
  'survey.submitted': (id) => [{ type: 'Ticket', id }],
  // Ticket changes made through a task, and linking or unlinking a task, are sent as ticket.updated.
  'task.linked': taskTags,
  'task.synced': taskTags,
  'task.unlinked': taskTags,
  // The subject is the integration or the connection.
  'task.sync_failed': () => ['TaskTools', 'Integrations'],
  'ticket.assigned': ticketTags,
  'ticket.closed': ticketTags,
  'ticket.comment.added': (id) => [{ type: 'Comments', id }, { type: 'Ticket', id }, 'TicketList'],
  'ticket.created': () => ['TicketList', 'ViewCounts'],
  'ticket.escalated': ticketTags,
  // Rows are changed without a request (`publishRead`).
  'ticket.marked_unread': () => [],
  'ticket.merged': ticketTags,
  'ticket.read': () => [],
  'ticket.reopened': ticketTags,
  // The open ticket loads its history and the draft itself (`useReplyDrafted`); this removes one that is cached without them.
  'ticket.reply_drafted': (id) => [{ type: 'Ticket', id }],
  'ticket.resolved': ticketTags,
  'ticket.sla.breached': ticketTags,
  'ticket.sla.warning': ticketTags,
  'ticket.updated': ticketTags,
  // The subject is the organization. Lists reload their rows (`reportEvent`).
  'tickets.deleted': () => ['Ticket', 'TicketList', 'Stats', 'ViewCounts', 'Analytics'],
  // The subject is the import: imported tickets have no events of their own.
  'tickets.imported': (id) => [{ type: 'Imports', id }, 'TicketList', 'Stats', 'ViewCounts', 'Analytics', 'ArticleList'],
  // The settings page reads the widget's settings again on every visit.
  'widget.updated': () => [],
};

/** A server that is newer than this page may send events that the page does not know. */
export const tagsOf = ({ type, subject }: Pick<LiveEvent, 'type' | 'subject'>): Tag[] =>
  (tagsByEvent as Partial<typeof tagsByEvent>)[type]?.(subject) ?? [];

/** One change often emits several events: they are handled as one batch. */
const gatherMs = 60;
/**
 * Minimum interval between refetches of data that is counted or listed over all tickets, however many events arrive: a user may make 100
 * API calls per minute.
 */
const calmMs: Partial<Record<TagType, number>> = {
  TicketList: 5_000,
  Stats: 5_000,
  Analytics: 5_000,
  ViewCounts: 10_000,
  Notifications: 2_000,
  TicketTask: 2_000,
};
/** For the tag of all tickets: an undone import deletes thousands, in many events. */
const allTicketsCalmMs = 5_000;
const longestCalmMs = Math.max(...Object.values(calmMs));
const keyOf = (tag: Tag): string => (typeof tag === 'string' ? tag : `${tag.type} ${tag.id}`);
const calmOf = (tag: Tag): number => (tag === 'Ticket' ? allTicketsCalmMs : (calmMs[typeof tag === 'string' ? tag : tag.type] ?? 0));
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Invalidates tags in batches, and frequently changing ones at most once per `calmMs`. */
function createInvalidation(dispatch: AppDispatch) {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let flushAt = 0;
  let gathered: Tag[] = [];
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
  return {
    add: (tags: Tag[]) => {
      gathered.push(...tags);
      flushSoon();
    },
    stop: () => clearTimeout(gathering),
  };
}

/** Passes events about tickets to the lists, and announces new tickets of others. */
function reportEvent({ type, subject, own }: LiveEvent): void {
  if (type === 'ticket.created' && own) addOwnTicket(subject);
  else if (type === 'ticket.created') announce(t('app.new_ticket_has_arrived'));
  if (type === 'tickets.imported' || type === 'tickets.deleted') publishTicketChange('gap');
  if (type === 'ticket.reply_drafted') publishReplyDrafted(subject);
  else if (type === 'ticket.read' || type === 'ticket.marked_unread') publishRead(subject, type === 'ticket.marked_unread');
  else if (type.startsWith('ticket.')) publishTicketChange({ id: subject, isNew: type === 'ticket.created' });
}

/** The stream begins where the page did, which may have read its data long before the stream opens. */
function createLiveSource(): EventSource {
  const since_ms = Math.min(Math.round(performance.now()), longestReplayMs);
  return new EventSource(urlOf(call(streamEvents, { query: { since_ms } })));
}

/** Keeps the organization's event stream open. After every gap, all data on screen is read again. */
export function openLive(dispatch: AppDispatch, createSource = createLiveSource): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const invalidation = createInvalidation(dispatch);
  let missedSomething = false;
  let pauseMs = firstPauseMs;
  let stopped = false;

  /** Reads the session first, which refreshes an expired access token, and opens the stream only if there still is a session. */
  const reconnect = () =>
    void dispatch(api.endpoints.readSession.initiate(undefined, again)).then(({ data }) => {
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
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent;
      invalidation.add(tagsOf(event));
      reportEvent(event);
    });
    source.addEventListener('presence', ({ data }: MessageEvent<string>) => {
      const { ticket_id, people } = JSON.parse(data) as { ticket_id: string; people: PersonPresent[] };
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
    invalidation.stop();
    source?.close();
  };
}
