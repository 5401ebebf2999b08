import type { Actor, Comment, Envelope, Role, Ticket } from '@tandem/contracts';
import type { TicketNoticeKind } from '../schema';

/** Notifications older than this are deleted. */
export const retentionDays = 90;
/** Maximum number of notifications deleted in one transaction. */
export const pruneBatch = 5_000;
/** Unread notifications are counted up to this number; the bell shows '99+'. */
export const unreadCap = 100;

/**
 * Per recipient: one email within this time about a customer's replies on one ticket, and at most `mailsBeforeDigest` emails of all kinds
 * before a digest collects them (docs/product-rules.md#notifications).
 */
export const staffMailWindowSeconds = 600;
export const mailsBeforeDigest = 5;
/** Admins are notified of one problem with the task tool at most once in this time. */
export const taskSyncAlertSeconds = 3_600;
/** A digest lists at most this many events and counts the rest. */
export const maxDigestItems = 50;

/** One recipient and the kind of their notification. */
export interface Notice {
  user_id: string;
  kind: TicketNoticeKind;
}

/** The candidates for an event, before checking who is an active member. */
export interface Addressees {
  /** If a person is listed twice, only the first notice counts. */
  people: Notice[];
  /** The notice for managers and admins: `always`, or only if no active member is assigned. */
  leads?: { kind: TicketNoticeKind; when: 'always' | 'unassigned' };
}

type Cause = Pick<Envelope, 'actor' | 'requestid'>;

/** The request ids that our own processes use while creating tickets in bulk: `seedDemoTickets`, an import. */
const bulkRequests = new Set(['demo', 'import']);

/**
 * Whether the event comes from a bulk import, which notifies no one. The actor `system` is not enough: automatic assignment and the SLA
 * timers use it too. A client cannot use these request ids, because the gateway generates its own and accepts none from outside.
 */
export const isImported = ({ actor, requestid }: Cause): boolean => actor.type === 'system' && bulkRequests.has(requestid);

const userOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.user_id : null);

/** Notifies the new assignee, unless they assigned themselves. */
export function onAssigned(ticket: Pick<Ticket, 'assigned_to'>, actor: Actor): Addressees {
  const { assigned_to } = ticket;
  if (assigned_to === null || assigned_to === userOf(actor)) return { people: [] };
  return { people: [{ user_id: assigned_to, kind: 'assigned' }] };
}

/**
 * Notifies the people mentioned, except the author. Messages from outside also notify the assignee and the watchers: from the customer, or
 * from an unknown sender whose email became a note with their address, but not from an auto-responder. Staff comments notify only those
 * mentioned, because a team working on one ticket would get constant notifications.
 */
export function onComment(
  ticket: Pick<Ticket, 'assigned_to' | 'watchers'>,
  comment: Pick<Comment, 'mentions' | 'user_id' | 'is_from_customer' | 'customer_email'>,
  actor: Actor,
): Addressees {
  const mentioned = comment.mentions.map((user_id): Notice => ({ user_id, kind: 'mention' }));
  const isFromOutside = comment.is_from_customer || (comment.customer_email !== null && actor.type === 'customer');
  const followers = isFromOutside ? followersOf(ticket, 'customer_replied') : [];
  return { people: [...mentioned, ...followers].filter(({ user_id }) => user_id !== comment.user_id) };
}

/** A due time is near: notifies the assignee and the watchers. */
export const onSlaWarning = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'sla_warning'),
});

/** A due time was missed: also notifies managers and admins if no active member is assigned. */
export const onSlaBreach = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'sla_breached'),
  leads: { kind: 'sla_breached', when: 'unassigned' },
});

/** Notifies managers and admins, and the assignee. */
export const onEscalation = ({ assigned_to }: Pick<Ticket, 'assigned_to'>): Addressees => ({
  people: followersOf({ assigned_to, watchers: [] }, 'escalated'),
  leads: { kind: 'escalated', when: 'always' },
});

/** The time of a snooze has come: notifies the assignee. A reply of the customer that ends it has its own notification. */
export const onWoken = ({ assigned_to }: Pick<Ticket, 'assigned_to'>, actor: Actor): Addressees => ({
  people: actor.type === 'system' ? followersOf({ assigned_to, watchers: [] }, 'snooze_ended') : [],
});

/** An email to the customer did not arrive: notifies the assignee and watchers, and managers and admins if no active member is assigned. */
export const onDeliveryFailure = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'delivery_failed'),
  leads: { kind: 'delivery_failed', when: 'unassigned' },
});

const followersOf = ({ assigned_to, watchers }: Pick<Ticket, 'assigned_to' | 'watchers'>, kind: TicketNoticeKind): Notice[] =>
  [...(assigned_to === null ? [] : [assigned_to]), ...watchers].map((user_id) => ({ user_id, kind }));

/** The final recipients: active members, each once. Sorted by id, so that two transactions that notify the same people cannot deadlock. */
export function noticesOf(
  { people, leads }: Addressees,
  team: { user_id: string; role: Role; is_active: boolean }[],
  assigned_to: string | null,
): Notice[] {
  const active = team.filter(({ is_active }) => is_active);
  const isActive = new Set(active.map(({ user_id }) => user_id));
  const isLed = leads && (leads.when === 'always' || assigned_to === null || !isActive.has(assigned_to));
  const managing = isLed ? active.filter(({ role }) => role !== 'agent').map(({ user_id }) => ({ user_id, kind: leads.kind })) : [];
  const notices = new Map<string, Notice>();
  for (const notice of [...people, ...managing]) {
    if (isActive.has(notice.user_id) && !notices.has(notice.user_id)) notices.set(notice.user_id, notice);
  }
  return [...notices.values()].sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
}

/** Identity's event about a new member can arrive after the event that names them; after this time the member is no longer expected. */
const memberWaitMs = 60_000;

/** Whether an unknown recipient's member event may still arrive. If so, the event is retried later. */
export const mayStillArrive = (time: string, now = Date.now()): boolean => now - Date.parse(time) < memberWaitMs;
