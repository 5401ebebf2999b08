import type { TicketFactRow } from '../schema';
import type { DimensionFields } from './dimensions';
import {
  addBuckets,
  addDuration,
  addHistogram,
  bucketText,
  emptyHistogram,
  storeHistogram,
  type Histogram,
  type StoredHistogram,
} from './histogram';

/** The ticket data that the figures need. */
export type CountedTicket = Pick<
  TicketFactRow,
  'status' | 'created_hour' | 'first_response_time_hours' | 'resolution_time_hours' | 'reopen_count' | 'public_reply_count'
> &
  DimensionFields & { rating: number | null; is_breached: boolean; is_escalated: boolean; is_surveyed: boolean };

/** The events of a ticket on a day, regardless of when it was created. */
export interface DayEvent {
  kind: 'resolved' | 'reopened' | 'breached';
  ticket_id: string;
}

/** The lower ends of the bars of the histograms, in hours. The last bar has no upper end. */
export const barEdges = [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 48, 72, 168] as const;

/** The figures of the tickets created on a day. */
export interface DayFigures {
  total: number;
  open: number;
  surveys: number;
  /** Surveys that were sent and answered; a rating can also come from a page without an invitation. */
  answered: number;
  /** The number of ratings of 1, 2, 3, 4 and 5. */
  ratings: number[];
  breaches: number;
  escalated: number;
  reopened: number;
  one_touch: number;
  first_response: StoredHistogram;
  resolution: StoredHistogram;
  /** Tickets that were resolved, reopened and breached on the day, regardless of when they were created. */
  on_day: { resolved: number; reopened: number; breaches: number };
}

/** An array without member names, because each day stores one per assignee. */
export type AssigneeFigures = [
  assigned: number,
  open: number,
  resolved: number,
  ratings: number,
  rating_sum: number,
  first_response_buckets: string,
  resolution_buckets: string,
];

/** The same tickets by their fields; the empty key is for tickets without a value. */
export interface DayBreakdown {
  /** Tickets and breaches. */
  priority: Record<string, [number, number]>;
  status: Record<string, number>;
  channel: Record<string, number>;
  category: Record<string, number>;
  tag: Record<string, number>;
  hours: number[];
  first_response_bars: number[];
  resolution_bars: number[];
  assignees: Record<string, AssigneeFigures>;
}

interface AssigneeCounts {
  assigned: number;
  open: number;
  resolved: number;
  ratings: number;
  rating_sum: number;
  first_response: Histogram;
  resolution: Histogram;
}

const increment = <K>(counts: Map<K, number>, key: K, by = 1): unknown => counts.set(key, (counts.get(key) ?? 0) + by);
export const zeros = (length: number): number[] => Array.from({ length }, () => 0);
export const isOpen = (status: string): boolean => status === 'open' || status === 'in_progress';

const barOf = (hours: number): number =>
  Math.max(
    0,
    barEdges.findLastIndex((edge) => hours >= edge),
  );

/**
 * Adds up one day's tickets and events, or the stored figures of several days. Counts only, in maps, because a key can be any text that a
 * customer typed.
 */
export class FiguresSum {
  total = 0;
  open = 0;
  surveys = 0;
  answered = 0;
  ratings = zeros(5);
  breaches = 0;
  escalated = 0;
  reopened = 0;
  one_touch = 0;
  first_response = emptyHistogram();
  resolution = emptyHistogram();
  on_day = { resolved: 0, reopened: 0, breaches: 0 };

  addTicket(ticket: CountedTicket): void {
    this.total += 1;
    if (isOpen(ticket.status)) this.open += 1;
    if (ticket.is_surveyed) this.surveys += 1;
    if (ticket.is_surveyed && ticket.rating !== null) this.answered += 1;
    if (ticket.rating !== null) this.ratings[ticket.rating - 1]! += 1;
    if (ticket.is_breached) this.breaches += 1;
    if (ticket.is_escalated) this.escalated += 1;
    if (ticket.reopen_count > 0) this.reopened += 1;
    if (ticket.resolution_time_hours !== null && ticket.public_reply_count === 1) this.one_touch += 1;
    if (ticket.first_response_time_hours !== null) addDuration(this.first_response, ticket.first_response_time_hours);
    if (ticket.resolution_time_hours !== null) addDuration(this.resolution, ticket.resolution_time_hours);
  }

  addDay(day: DayFigures): void {
    this.total += day.total;
    this.open += day.open;
    this.surveys += day.surveys;
    this.answered += day.answered;
    day.ratings.forEach((count, i) => (this.ratings[i]! += count));
    this.breaches += day.breaches;
    this.escalated += day.escalated;
    this.reopened += day.reopened;
    this.one_touch += day.one_touch;
    addHistogram(this.first_response, day.first_response);
    addHistogram(this.resolution, day.resolution);
  }

  stored(): DayFigures {
    const { total, open, surveys, answered, ratings, breaches, escalated, reopened, one_touch, on_day } = this;
    return {
      total,
      open,
      surveys,
      answered,
      ratings,
      breaches,
      escalated,
      reopened,
      one_touch,
      first_response: storeHistogram(this.first_response),
      resolution: storeHistogram(this.resolution),
      on_day,
    };
  }
}

const newAssignee = (): AssigneeCounts => ({
  assigned: 0,
  open: 0,
  resolved: 0,
  ratings: 0,
  rating_sum: 0,
  first_response: emptyHistogram(),
  resolution: emptyHistogram(),
});

/** Like `FiguresSum`, for the breakdown. */
export class BreakdownSum {
  priority = new Map<string, [number, number]>();
  status = new Map<string, number>();
  channel = new Map<string, number>();
  category = new Map<string, number>();
  tag = new Map<string, number>();
  hours = zeros(24);
  first_response_bars = zeros(barEdges.length);
  resolution_bars = zeros(barEdges.length);
  assignees = new Map<string, AssigneeCounts>();

  addTicket(ticket: CountedTicket): void {
    this.#addPriority(ticket.priority, 1, ticket.is_breached ? 1 : 0);
    increment(this.status, ticket.status);
    increment(this.channel, ticket.channel ?? '');
    increment(this.category, ticket.category ?? '');
    for (const tag of new Set(ticket.tags)) increment(this.tag, tag);
    this.hours[ticket.created_hour]! += 1;
    if (ticket.first_response_time_hours !== null) this.first_response_bars[barOf(ticket.first_response_time_hours)]! += 1;
    if (ticket.resolution_time_hours !== null) this.resolution_bars[barOf(ticket.resolution_time_hours)]! += 1;
    if (ticket.assigned_to === null) return;
    const assignee = this.#assignee(ticket.assigned_to);
    assignee.assigned += 1;
    if (isOpen(ticket.status)) assignee.open += 1;
    if (ticket.rating !== null) {
      assignee.ratings += 1;
      assignee.rating_sum += ticket.rating;
    }
    if (ticket.first_response_time_hours !== null) addDuration(assignee.first_response, ticket.first_response_time_hours);
    if (ticket.resolution_time_hours !== null) {
      assignee.resolved += 1;
      addDuration(assignee.resolution, ticket.resolution_time_hours);
    }
  }

  addDay(day: DayBreakdown): void {
    for (const [key, [count, breaches]] of Object.entries(day.priority)) this.#addPriority(key, count, breaches);
    for (const field of ['status', 'channel', 'category', 'tag'] as const) {
      for (const [key, count] of Object.entries(day[field])) increment(this[field], key, count);
    }
    for (const field of ['hours', 'first_response_bars', 'resolution_bars'] as const) {
      day[field].forEach((count, i) => (this[field][i]! += count));
    }
    for (const [user_id, [assigned, open, resolved, ratings, rating_sum, first_response, resolution]] of Object.entries(day.assignees)) {
      const sum = this.#assignee(user_id);
      sum.assigned += assigned;
      sum.open += open;
      sum.resolved += resolved;
      sum.ratings += ratings;
      sum.rating_sum += rating_sum;
      addBuckets(sum.first_response, first_response);
      addBuckets(sum.resolution, resolution);
    }
  }

  stored(): DayBreakdown {
    return {
      priority: Object.fromEntries(this.priority),
      status: Object.fromEntries(this.status),
      channel: Object.fromEntries(this.channel),
      category: Object.fromEntries(this.category),
      tag: Object.fromEntries(this.tag),
      hours: this.hours,
      first_response_bars: this.first_response_bars,
      resolution_bars: this.resolution_bars,
      assignees: Object.fromEntries(
        [...this.assignees].map(([user_id, { assigned, open, resolved, ratings, rating_sum, first_response, resolution }]) => [
          user_id,
          [assigned, open, resolved, ratings, rating_sum, bucketText(first_response), bucketText(resolution)] satisfies AssigneeFigures,
        ]),
      ),
    };
  }

  #addPriority(key: string, count: number, breaches: number): void {
    const before = this.priority.get(key) ?? [0, 0];
    this.priority.set(key, [before[0] + count, before[1] + breaches]);
  }

  #assignee(user_id: string): AssigneeCounts {
    let assignee = this.assignees.get(user_id);
    if (!assignee) this.assignees.set(user_id, (assignee = newAssignee()));
    return assignee;
  }
}

/** The roll-up of one slice on one day. */
export interface DayRollUp {
  /** How much the backlog grew on the day: created minus resolved plus reopened, counting each time. */
  backlog_growth: number;
  figures: DayFigures;
  breakdown: DayBreakdown;
}

/** Computes the roll-up of one slice on one day from its tickets and events. */
export class DayCount {
  readonly #figures = new FiguresSum();
  readonly #breakdown = new BreakdownSum();
  readonly #tickets = { resolved: new Set<string>(), reopened: new Set<string>(), breached: new Set<string>() };
  #growth = 0;

  addTicket(ticket: CountedTicket): void {
    this.#figures.addTicket(ticket);
    this.#breakdown.addTicket(ticket);
    this.#growth += 1;
  }

  addEvent({ kind, ticket_id }: DayEvent): void {
    this.#tickets[kind].add(ticket_id);
    if (kind === 'resolved') this.#growth -= 1;
    if (kind === 'reopened') this.#growth += 1;
  }

  result(): DayRollUp {
    const { resolved, reopened, breached } = this.#tickets;
    this.#figures.on_day = { resolved: resolved.size, reopened: reopened.size, breaches: breached.size };
    return { backlog_growth: this.#growth, figures: this.#figures.stored(), breakdown: this.#breakdown.stored() };
  }
}
