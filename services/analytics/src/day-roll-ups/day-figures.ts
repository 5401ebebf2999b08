import { isOpen, zeros, type CountedTicket } from './counted-ticket';
import { BreakdownSum, type DayBreakdown } from './day-breakdown';
import { addDuration, addHistogram, decodedOnce, emptyHistogram, storeHistogram, type StoredHistogram } from './histogram';
import type { DimensionFields } from './dimensions';

/** The events of a ticket on a day, regardless of when it was created. */
export interface DayEvent {
  kind: 'resolved' | 'reopened' | 'breached';
  ticket_id: string;
}
/** All events of a kind on a day. */
export interface EventCount {
  kind: DayEvent['kind'];
  times: number;
  tickets: number;
}

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

  addTicket(ticket: Omit<CountedTicket, keyof DimensionFields>): void {
    this.total += 1;
    if (isOpen(ticket.status)) this.open += 1;
    if (ticket.is_surveyed) this.surveys += 1;
    if (ticket.is_surveyed && ticket.rating !== null) this.answered += 1;
    if (ticket.rating !== null) this.ratings[ticket.rating - 1]! += 1;
    if (ticket.is_breached) this.breaches += 1;
    if (ticket.is_escalated) this.escalated += 1;
    if (ticket.is_reopened) this.reopened += 1;
    if (ticket.resolution && ticket.has_one_reply) this.one_touch += 1;
    if (ticket.first_response) addDuration(this.first_response, ticket.first_response);
    if (ticket.resolution) addDuration(this.resolution, ticket.resolution);
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
    const decoded = decodedOnce(day, () => [day.first_response[2], day.resolution[2]]);
    addHistogram(this.resolution, day.resolution, decoded, addHistogram(this.first_response, day.first_response, decoded, 0));
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

/** The roll-up of one slice on one day. */
export interface DayRollUp {
  /** How much the backlog grew on the day: created minus resolved plus reopened, counting each time. */
  backlog_growth: number;
  figures: DayFigures;
  /** Null if it is not needed. */
  breakdown: DayBreakdown | null;
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
    this.addEvents({ kind, times: 1, tickets: this.#tickets[kind].add(ticket_id).size });
  }

  /** `tickets` is the number of different tickets until now. */
  addEvents({ kind, times, tickets }: EventCount): void {
    this.#figures.on_day[kind === 'breached' ? 'breaches' : kind] = tickets;
    if (kind === 'resolved') this.#growth -= times;
    if (kind === 'reopened') this.#growth += times;
  }

  result(): DayRollUp {
    return { backlog_growth: this.#growth, figures: this.#figures.stored(), breakdown: this.#breakdown.stored() };
  }
}
