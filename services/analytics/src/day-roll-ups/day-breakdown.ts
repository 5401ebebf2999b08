import { isOpen, zeros, type CountedTicket } from './counted-ticket';
import { barEdges } from './duration';
import { addBuckets, addDuration, bucketText, decodedOnce, emptyHistogram, type Histogram } from './histogram';

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
  /**
   * Tickets with several tags, by the positions of these tags among the sorted names in `tag` ('0,3'): tickets with any of some tags cannot be
   * counted from the counts of each tag.
   */
  tag_sets: Record<string, number>;
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

const increment = <K>(counts: Map<K, number>, key: K, by: number): unknown => counts.set(key, (counts.get(key) ?? 0) + by);
export type CountedWork = Pick<CountedTicket, 'status' | 'created_hour' | 'assigned_to' | 'rating' | 'first_response' | 'resolution'>;

const newAssignee = (): AssigneeCounts => ({
  assigned: 0,
  open: 0,
  resolved: 0,
  ratings: 0,
  rating_sum: 0,
  first_response: emptyHistogram(),
  resolution: emptyHistogram(),
});

/** Like `FiguresSum` in `day-figures.ts`, for the breakdown. */
export class BreakdownSum {
  priority = new Map<string, [number, number]>();
  status = new Map<string, number>();
  channel = new Map<string, number>();
  category = new Map<string, number>();
  tag = new Map<string, number>();
  /** By the sorted tags as JSON. */
  tag_sets = new Map<string, number>();
  hours = zeros(24);
  first_response_bars = zeros(barEdges.length);
  resolution_bars = zeros(barEdges.length);
  assignees = new Map<string, AssigneeCounts>();

  addTicket(ticket: CountedTicket): void {
    this.addPriority(ticket.priority, 1, ticket.is_breached ? 1 : 0);
    this.addValue('status', ticket.status, 1);
    this.addValue('channel', ticket.channel, 1);
    this.addValue('category', ticket.category, 1);
    this.addTags(ticket.tags, 1);
    this.addWork(ticket);
  }

  addPriority(key: string, count: number, breaches: number): void {
    const before = this.priority.get(key) ?? [0, 0];
    this.priority.set(key, [before[0] + count, before[1] + breaches]);
  }

  addValue(field: 'status' | 'channel' | 'category', value: string | null, count: number): void {
    increment(this[field], value ?? '', count);
  }

  /** Adds tickets that all have these tags. */
  addTags(all: readonly string[], count: number): void {
    const tags = all.length < 2 ? all : [...new Set(all)].sort();
    for (const tag of tags) increment(this.tag, tag, count);
    if (tags.length > 1) increment(this.tag_sets, JSON.stringify(tags), count);
  }

  /** When a ticket was created, how long it took, and who worked on it. */
  addWork(ticket: CountedWork): void {
    this.hours[ticket.created_hour]! += 1;
    if (ticket.first_response) this.first_response_bars[ticket.first_response.bar]! += 1;
    if (ticket.resolution) this.resolution_bars[ticket.resolution.bar]! += 1;
    if (ticket.assigned_to === null) return;
    const assignee = this.#assignee(ticket.assigned_to);
    assignee.assigned += 1;
    if (isOpen(ticket.status)) assignee.open += 1;
    if (ticket.rating !== null) {
      assignee.ratings += 1;
      assignee.rating_sum += ticket.rating;
    }
    if (ticket.first_response) addDuration(assignee.first_response, ticket.first_response);
    if (ticket.resolution) {
      assignee.resolved += 1;
      addDuration(assignee.resolution, ticket.resolution);
    }
  }

  addDay(day: DayBreakdown): void {
    for (const [key, [count, breaches]] of Object.entries(day.priority)) this.addPriority(key, count, breaches);
    for (const field of ['status', 'channel', 'category', 'tag'] as const) {
      for (const [key, count] of Object.entries(day[field])) increment(this[field], key, count);
    }
    for (const field of ['hours', 'first_response_bars', 'resolution_bars'] as const) {
      day[field].forEach((count, i) => (this[field][i]! += count));
    }
    const decoded = decodedOnce(day, () => Object.values(day.assignees).flatMap(([, , , , , ...texts]) => texts));
    let place = 0;
    for (const [user_id, [assigned, open, resolved, ratings, rating_sum]] of Object.entries(day.assignees)) {
      const sum = this.#assignee(user_id);
      sum.assigned += assigned;
      sum.open += open;
      sum.resolved += resolved;
      sum.ratings += ratings;
      sum.rating_sum += rating_sum;
      place = addBuckets(sum.resolution, decoded, addBuckets(sum.first_response, decoded, place));
    }
  }

  stored(): DayBreakdown {
    return {
      priority: Object.fromEntries(this.priority),
      status: Object.fromEntries(this.status),
      channel: Object.fromEntries(this.channel),
      category: Object.fromEntries(this.category),
      tag: Object.fromEntries(this.tag),
      tag_sets: this.#storedTagSets(),
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

  #storedTagSets(): DayBreakdown['tag_sets'] {
    const positions = new Map([...this.tag.keys()].sort().map((tag, position) => [tag, position]));
    const place = (tags: string) => (JSON.parse(tags) as string[]).map((tag) => positions.get(tag)).join();
    return Object.fromEntries([...this.tag_sets].map(([tags, count]) => [place(tags), count]));
  }

  #assignee(user_id: string): AssigneeCounts {
    let assignee = this.assignees.get(user_id);
    if (!assignee) this.assignees.set(user_id, (assignee = newAssignee()));
    return assignee;
  }
}

/** The tickets of a day with a tag other than the `listed` ones. */
export function countOtherTags({ tag, tag_sets = {} }: DayBreakdown, listed: ReadonlySet<string>): number {
  const isOther = Object.keys(tag)
    .sort()
    .map((name) => !listed.has(name));
  let total = 0;
  for (const [name, count] of Object.entries(tag)) if (!listed.has(name)) total += count;
  // A ticket with several other tags has been counted for each of them.
  for (const [positions, count] of Object.entries(tag_sets)) {
    const others = positions.split(',').filter((position) => isOther[Number(position)]).length;
    total -= Math.max(0, others - 1) * count;
  }
  return total;
}
