import type { Actor, Comment, Envelope, Role, Ticket } from '@tandem/contracts';
import type { TicketNoticeKind } from '../schema';

/** Notices older than this are deleted. */
export const keptDays = 90;
/** Notices deleted in one transaction. */
export const pruneBatch = 5_000;
/** Unread notices are counted no further: the bell says '99+'. */
export const unreadCap = 100;

/** Within this time one person gets one mail about a customer's replies on a ticket, and as many mails of all kinds before a digest gathers them. */
export const staffMailWindowSeconds = 600;
export const mailsBeforeDigest = 5;
/** Admins are told of one problem with the task tool once in this time. */
export const taskSyncAlertSeconds = 3_600;
/** A digest names as many, and counts the rest. */
export const digestNames = 50;

/** One person and what they are told. */
export interface Notice {
  user_id: string;
  kind: TicketNoticeKind;
}

/** Whom an event is for, before anybody asks who of them is there. */
export interface Addressees {
  /** The first notice of a person counts: nobody is told twice of one event. */
  people: Notice[];
  /** What managers and admins are told: `always`, or only where no active member is assigned. */
  leads?: { kind: TicketNoticeKind; when: 'always' | 'unassigned' };
}

type Cause = Pick<Envelope, 'actor' | 'requestid'>;

/** How a process names its own request while it brings in tickets from elsewhere: `seedDemoTickets`, an import. */
const bulkRequests = new Set(['demo', 'import']);

/**
 * Whether tickets are being brought in, of which nobody wants to hear one by one. The actor `system` alone does not say so: automatic
 * assignment and the clocks act as the system too. What is brought in runs in a request that its process has named so, and nobody else
 * can: the gateway makes its requests' ids itself and takes none from outside.
 */
export const isBroughtIn = ({ actor, requestid }: Cause): boolean => actor.type === 'system' && bulkRequests.has(requestid);

const userOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.user_id : null);

/** The new assignee, unless they took it themselves. */
export function onAssigned(ticket: Pick<Ticket, 'assigned_to'>, actor: Actor): Addressees {
  const { assigned_to } = ticket;
  if (assigned_to === null || assigned_to === userOf(actor)) return { people: [] };
  return { people: [{ user_id: assigned_to, kind: 'assigned' }] };
}

/**
 * Whoever is mentioned, but for the author; and of what somebody outside writes the assignee and the watchers: the customer, or a stranger
 * whose mail is a note (its address stands there), but no machine that answers. What staff write tells nobody else: a team that works on a
 * ticket together would ring all day.
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

/** A due time is near: the assignee and the watchers. */
export const onSlaWarning = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'sla_warning'),
});

/** A due time was missed: the same, and managers and admins where nobody else would do anything about it. */
export const onSlaBreach = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'sla_breached'),
  leads: { kind: 'sla_breached', when: 'unassigned' },
});

/** Product decisions: 'an event, a mail to the admins and managers'; and to the assignee, whose ticket it is. */
export const onEscalation = ({ assigned_to }: Pick<Ticket, 'assigned_to'>): Addressees => ({
  people: followersOf({ assigned_to, watchers: [] }, 'escalated'),
  leads: { kind: 'escalated', when: 'always' },
});

/** A mail to the customer did not arrive: whoever works on the ticket, and managers and admins where nobody does. */
export const onDeliveryFailure = (ticket: Pick<Ticket, 'assigned_to' | 'watchers'>): Addressees => ({
  people: followersOf(ticket, 'delivery_failed'),
  leads: { kind: 'delivery_failed', when: 'unassigned' },
});

const followersOf = ({ assigned_to, watchers }: Pick<Ticket, 'assigned_to' | 'watchers'>, kind: TicketNoticeKind): Notice[] =>
  [...(assigned_to === null ? [] : [assigned_to]), ...watchers].map((user_id) => ({ user_id, kind }));

/**
 * Who is really told: active members, each once. In the order of their ids, so that two transactions that tell the same people never
 * wait for each other in a circle.
 */
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

/** Between identity's telling that somebody joined and our hearing of it there are moments; after this long nobody will come any more. */
const memberWaitMs = 60_000;

/** Whether an addressee whom nobody here knows may still be on the way: then the event is repeated a little later. */
export const mayStillCome = (time: string, now = Date.now()): boolean => now - Date.parse(time) < memberWaitMs;
