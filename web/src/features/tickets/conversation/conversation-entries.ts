import type { Activity, Comment, TicketEmail } from '@tandem/contracts';

/** The entries of the conversation below the description, in order: comments, and the events between them. */
export type ConversationEntry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'comment'; key: string; comment: Comment }
  | { kind: 'events'; key: string; events: Activity[] }
  | { kind: 'undelivered'; key: string; email: TicketEmail };

const dayOf = (iso: string): string => new Date(iso).toDateString();

interface ConversationParts {
  /** When the description was written. */
  since: string;
  /** The loaded comments, oldest first. */
  comments: Comment[];
  /** Whether comments before these are not loaded. */
  hasEarlier: boolean;
  /** The loaded activities, in any order. */
  activities: Activity[];
  /** The latest emails to the customer. Those that did not arrive are shown. */
  emails?: TicketEmail[] | undefined;
  /** The first comment that the user has not read. */
  firstUnreadId?: string | null | undefined;
}

interface Happening {
  at: string;
  what: Activity | TicketEmail;
}

/** The creation is the description itself, and events before the first loaded comment would look as if nothing had been said before. */
function happeningsOf({ comments, hasEarlier, activities, emails = [] }: ConversationParts): Happening[] {
  const from = hasEarlier ? (comments[0]?.created_at ?? '') : '';
  const lost = emails.filter(({ state }) => state === 'failed' || state === 'bounced');
  return [...activities.filter(({ kind }) => kind !== 'created'), ...lost]
    .map((what) => ({ at: what.created_at, what }))
    .filter(({ at }) => at >= from)
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** Joins comments, events and lost emails by their time, with a divider where a day begins, and joins consecutive events into one entry. */
export function conversationEntries(parts: ConversationParts): ConversationEntry[] {
  const entries: ConversationEntry[] = [];
  let day = dayOf(parts.since);
  const divide = (at: string) => {
    if (dayOf(at) === day) return;
    day = dayOf(at);
    entries.push({ kind: 'day', key: `day ${day}`, at });
  };
  const happenings = happeningsOf(parts);
  let next = 0;
  const addHappeningsBefore = (time?: string) => {
    for (; next < happenings.length && (time === undefined || happenings[next]!.at <= time); next += 1) {
      const { at, what } = happenings[next]!;
      divide(at);
      const last = entries.at(-1);
      if ('to_address' in what) entries.push({ kind: 'undelivered', key: what.id, email: what });
      else if (last?.kind === 'events') last.events.push(what);
      else entries.push({ kind: 'events', key: what.id, events: [what] });
    }
  };
  for (const comment of parts.comments) {
    addHappeningsBefore(comment.created_at);
    divide(comment.created_at);
    if (comment.id === parts.firstUnreadId) entries.push({ kind: 'unread', key: 'unread' });
    entries.push({ kind: 'comment', key: comment.id, comment });
  }
  addHappeningsBefore();
  return entries;
}
