import type { Activity, Comment } from '@tandem/contracts';

/** What the conversation shows below the description, in order: comments, and what happened between them. */
export type ConversationEntry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'comment'; key: string; comment: Comment }
  | { kind: 'events'; key: string; events: Activity[] };

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
  /** The first comment that the user has not read. */
  firstUnreadId?: string | null | undefined;
}

/** The creation is the description itself, and events before the first loaded comment would look as if nothing had been said before. */
function eventsOf({ comments, hasEarlier, activities }: ConversationParts): Activity[] {
  const from = hasEarlier ? (comments[0]?.created_at ?? '') : '';
  return activities
    .filter(({ kind, created_at }) => kind !== 'created' && created_at >= from)
    .sort((one, other) => (one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0));
}

/** Joins comments and events by their time, with a divider where a day begins, and joins consecutive events into one entry. */
export function conversationEntries(parts: ConversationParts): ConversationEntry[] {
  const entries: ConversationEntry[] = [];
  let day = dayOf(parts.since);
  const divide = (at: string) => {
    if (dayOf(at) === day) return;
    day = dayOf(at);
    entries.push({ kind: 'day', key: `day ${day}`, at });
  };
  const events = eventsOf(parts);
  let next = 0;
  const addEventsBefore = (time?: string) => {
    for (; next < events.length && (time === undefined || events[next]!.created_at <= time); next += 1) {
      const event = events[next]!;
      divide(event.created_at);
      const last = entries.at(-1);
      if (last?.kind === 'events') last.events.push(event);
      else entries.push({ kind: 'events', key: event.id, events: [event] });
    }
  };
  for (const comment of parts.comments) {
    addEventsBefore(comment.created_at);
    divide(comment.created_at);
    if (comment.id === parts.firstUnreadId) entries.push({ kind: 'unread', key: 'unread' });
    entries.push({ kind: 'comment', key: comment.id, comment });
  }
  addEventsBefore();
  return entries;
}
