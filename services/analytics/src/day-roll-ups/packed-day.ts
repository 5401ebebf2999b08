import { crc32 } from 'node:zlib';
import type { CountedTicket } from './counted-ticket';
import type { BreakdownSum, CountedWork } from './day-breakdown';
import { FiguresSum, type DayEvent, type DayRollUp } from './day-figures';
import type { CohortFilter, EventOfDay, TicketOfDay } from './day-input.store';
import { unassigned, type DimensionFields } from './dimensions';
import type { Duration } from './duration';
import { TimeSlice } from './time-slice';

/**
 * All tickets of a day, and all events on it, as columns of numbers: the figures of any combination of filters are counted without reading
 * facts, and without parsing. The numbers of fields are positions in `Values`.
 *
 * The bytes: the format, the number of tickets and of events, and a checksum of all other bytes (four bytes each); the columns in the order of
 * `columnsOf`; and `Values` as JSON. Numbers are little-endian, as on all processors that Node supports.
 */
/** Changes with the layout. Bytes of another format are not read. */
export const packedFormat = 2;
const headerLength = 16;
const checksumAt = 12;
const [bytesPerTicket, bytesPerEvent] = [34, 11];

/** What is counted ticket by ticket. */
type CountedFigures = CountedWork & Omit<CountedTicket, keyof DimensionFields>;

/** The different values of each field on the day. */
type Values = { [Field in keyof DimensionFields]: DimensionFields[Field][] } & { status: CountedTicket['status'][] };
const dimensionFields = ['priority', 'channel', 'category', 'assigned_to', 'tags'] as const satisfies (keyof DimensionFields)[];
type DimensionColumns = Record<keyof DimensionFields, Uint8Array | Uint16Array>;

/** By bit; `#readTicket` reads them in this order. */
const flags = ['is_breached', 'is_escalated', 'is_surveyed', 'is_reopened', 'has_one_reply'] as const satisfies (keyof CountedTicket)[];
const breachedBit = 1 << flags.indexOf('is_breached');
const kinds = ['resolved', 'reopened', 'breached'] as const satisfies DayEvent['kind'][];

function columnsOf(buffer: ArrayBuffer, tickets: number, events: number) {
  let offset = headerLength;
  const next = <T extends ArrayBufferView>(Type: new (buffer: ArrayBuffer, offset: number, length: number) => T, length: number): T => {
    const column = new Type(buffer, offset, length);
    offset += column.byteLength;
    return column;
  };
  // Larger elements first: a column starts at a multiple of the size of its elements.
  const hours = [next(Float64Array, tickets), next(Float64Array, tickets)] as const;
  const buckets = [next(Uint16Array, tickets), next(Uint16Array, tickets)] as const;
  const shorts = (length: number) => ({
    category: next(Uint16Array, length),
    assigned_to: next(Uint16Array, length),
    tags: next(Uint16Array, length),
  });
  const [shortsOfTickets, shortsOfEvents] = [shorts(tickets), { ...shorts(events), times: next(Uint16Array, events) }];
  const bytes = (length: number) => ({ priority: next(Uint8Array, length), channel: next(Uint8Array, length) });
  const bars = [next(Uint8Array, tickets), next(Uint8Array, tickets)] as const;
  const durations = [0, 1].map((i) => ({ hours: hours[i]!, bucket: buckets[i]!, bar: bars[i]! }));
  const ofTickets = { status: next(Uint8Array, tickets), hour: next(Uint8Array, tickets), flags: next(Uint8Array, tickets) };
  return {
    tickets: {
      first_response: durations[0]!,
      resolution: durations[1]!,
      ...shortsOfTickets,
      ...ofTickets,
      rating: next(Uint8Array, tickets),
      ...bytes(tickets),
    },
    events: { ...shortsOfEvents, kind: next(Uint8Array, events), ...bytes(events) },
  };
}

const lengthOf = (tickets: number, events: number): number => headerLength + tickets * bytesPerTicket + events * bytesPerEvent;

const checksumOf = (packed: Buffer): number => crc32(packed.subarray(headerLength), crc32(packed.subarray(0, checksumAt)));

/** Packs the tickets and events of one day. Empty if a field has more different values than a column can number. */
export async function packDay(tickets: readonly TicketOfDay[], events: readonly EventOfDay[], slice = new TimeSlice()): Promise<Buffer> {
  const merged = mergeEvents(events);
  const bytes = new ArrayBuffer(lengthOf(tickets.length, merged.length));
  new Uint32Array(bytes, 0, 3).set([packedFormat, tickets.length, merged.length]);
  const columns = columnsOf(bytes, tickets.length, merged.length);
  const values: Values = { priority: [], channel: [], category: [], assigned_to: [], tags: [], status: [] };
  const positions = Object.fromEntries(Object.keys(values).map((field) => [field, new Map()])) as Record<
    keyof Values,
    Map<string | null, number>
  >;
  /** `key` identifies the value within its field. */
  const positionOf = <Field extends keyof Values>(field: Field, value: Values[Field][number], key: string | null): number => {
    let position = positions[field].get(key);
    if (position === undefined) positions[field].set(key, (position = (values[field] as unknown[]).push(value) - 1));
    return position;
  };
  const writeDimensions = (to: DimensionColumns, i: number, of: DimensionFields): void => {
    for (const field of ['priority', 'channel', 'category', 'assigned_to'] as const) to[field][i] = positionOf(field, of[field], of[field]);
    const tags = of.tags.toSorted();
    to.tags[i] = positionOf('tags', tags, JSON.stringify(tags));
  };
  for (const [i, ticket] of tickets.entries()) {
    if (slice.isOver) await slice.next();
    const to = columns.tickets;
    writeDimensions(to, i, ticket);
    to.status[i] = positionOf('status', ticket.status, ticket.status);
    to.hour[i] = ticket.created_hour;
    to.flags[i] = flags.reduce((bits, flag, bit) => bits | (ticket[flag] ? 1 << bit : 0), 0);
    to.rating[i] = ticket.rating ?? 0;
    for (const name of ['first_response', 'resolution'] as const) {
      to[name].hours[i] = ticket[name]?.hours ?? NaN;
      to[name].bucket[i] = ticket[name]?.bucket ?? 0;
      to[name].bar[i] = ticket[name]?.bar ?? 0;
    }
  }
  for (const [i, event] of merged.entries()) {
    if (slice.isOver) await slice.next();
    writeDimensions(columns.events, i, event);
    columns.events.kind[i] = kinds.indexOf(event.kind);
    columns.events.times[i] = event.times;
  }
  const isTooDiverse = dimensionFields.some((field) => values[field].length > 2 ** (8 * columns.tickets[field].BYTES_PER_ELEMENT));
  if (isTooDiverse) return Buffer.alloc(0);
  const packed = Buffer.concat([Buffer.from(bytes), Buffer.from(JSON.stringify(values))]);
  packed.writeUInt32LE(checksumOf(packed), checksumAt);
  return packed;
}

/** One event for each ticket and kind, with the number of times that it happened. */
function mergeEvents(events: readonly EventOfDay[]): (EventOfDay & { times: number })[] {
  const merged = new Map<string, EventOfDay & { times: number }>();
  for (const event of events) {
    const key = `${event.kind} ${event.ticket_id}`;
    const found = merged.get(key);
    if (found) found.times += 1;
    else merged.set(key, { ...event, times: 1 });
  }
  return [...merged.values()];
}

/** Not 0: V8 stores the hours as a double from the beginning. */
const noDuration: Duration = { hours: NaN, bucket: 0, bar: 0 };

/**
 * Why a day is counted from the facts: it is `not packed` if it could not be, or if a process of another version has computed it. `damaged`
 * bytes are not those that were written.
 */
export type NotPacked = 'not packed' | 'damaged';

/** A packed day, read. */
export class PackedDay {
  readonly #columns: ReturnType<typeof columnsOf>;
  readonly #values: Values;

  /** About the memory that it takes: the bytes, the parsed values and the columns. */
  readonly size: number;

  private constructor(packed: Buffer) {
    // A copy, which is aligned.
    const { buffer } = new Uint8Array(packed);
    const [, tickets, events] = new Uint32Array(buffer, 0, 3) as unknown as [number, number, number];
    this.#columns = columnsOf(buffer, tickets, events);
    const json = packed.toString('utf8', lengthOf(tickets, events));
    this.#values = JSON.parse(json) as Values;
    this.size = 4_000 + packed.length + 5 * json.length;
  }

  static read(packed: Buffer | null): PackedDay | NotPacked {
    if (packed === null || packed.length === 0) return 'not packed';
    if (packed.length <= headerLength) return 'damaged';
    if (packed.readUInt32LE(0) !== packedFormat) return 'not packed';
    return packed.readUInt32LE(checksumAt) === checksumOf(packed) ? new PackedDay(packed) : 'damaged';
  }

  /** The figures of the tickets that match the filter. Adds their breakdown to `breakdown`. */
  async count(filter: CohortFilter, breakdown: BreakdownSum | null, slice = new TimeSlice()): Promise<Omit<DayRollUp, 'breakdown'>> {
    const figures = new FiguresSum();
    const { tickets, events } = this.#columns;
    const [ticket, first_response, resolution] = [{} as CountedFigures, { ...noDuration }, { ...noDuration }];
    const positions = this.#matching(tickets, tickets.status.length, filter);
    for (const i of positions) {
      if (slice.isOver) await slice.next();
      this.#readTicket(i, ticket, first_response, resolution);
      figures.addTicket(ticket);
      breakdown?.addWork(ticket);
    }
    if (breakdown) this.#addValues(breakdown, positions);
    const times = { resolved: 0, reopened: 0, breached: 0 };
    for (const i of this.#matching(events, events.kind.length, filter)) {
      const kind = kinds[events.kind[i]!]!;
      times[kind] += events.times[i]!;
      figures.on_day[kind === 'breached' ? 'breaches' : kind] += 1;
    }
    return { backlog_growth: positions.length - times.resolved + times.reopened, figures: figures.stored() };
  }

  /** Counts the fields with few values by position, which takes a fraction of the time of counting each ticket's values. */
  #addValues(breakdown: BreakdownSum, positions: readonly number[]): void {
    const { tickets } = this.#columns;
    const values = this.#values;
    const breaches = tally(
      tickets.priority,
      positions.filter((i) => (tickets.flags[i]! & breachedBit) > 0),
    );
    for (const [at, count] of tally(tickets.priority, positions)) breakdown.addPriority(values.priority[at]!, count, breaches.get(at) ?? 0);
    for (const field of ['status', 'channel', 'category'] as const)
      for (const [at, count] of tally(tickets[field], positions)) breakdown.addValue(field, values[field][at]!, count);
    for (const [at, count] of tally(tickets.tags, positions)) breakdown.addTags(values.tags[at]!, count);
  }

  /** The positions of the tickets or events that match the filter. */
  #matching(columns: DimensionColumns, length: number, filter: CohortFilter): number[] {
    const conditions = this.#conditions(filter);
    if (conditions.some(({ matches }) => !matches.includes(1))) return [];
    const [first, ...others] = conditions.map(({ field, matches }) => ({ column: columns[field], matches }));
    let found: number[] = [];
    for (let i = 0; i < length; i += 1) if (!first || first.matches[first.column[i]!]) found.push(i);
    for (const { column, matches } of others) found = found.filter((i) => matches[column[i]!]);
    return found;
  }

  /** For each field of the filter, which of its values match: 1 or 0 by position. */
  #conditions({ priority, channel, category, assignee, tag }: CohortFilter): { field: keyof DimensionFields; matches: Uint8Array }[] {
    const assigned_to = assignee === unassigned ? null : assignee;
    const equal = Object.entries({ priority, channel, category, assigned_to }).flatMap(([name, wanted]) => {
      const field = name as 'priority' | 'channel' | 'category' | 'assigned_to';
      return wanted === undefined ? [] : [{ field, matches: Uint8Array.from(this.#values[field], (value) => Number(value === wanted)) }];
    });
    return tag === undefined
      ? equal
      : [...equal, { field: 'tags', matches: Uint8Array.from(this.#values.tags, (tags) => Number(tags.includes(tag))) }];
  }

  /** Reads a ticket into `ticket` and its durations, because creating objects for each of thousands takes longer than counting them. */
  #readTicket(i: number, ticket: CountedFigures, first_response: Duration, resolution: Duration): void {
    const { tickets } = this.#columns;
    const values = this.#values;
    const bits = tickets.flags[i]!;
    ticket.assigned_to = values.assigned_to[tickets.assigned_to[i]!]!;
    ticket.status = values.status[tickets.status[i]!]!;
    ticket.created_hour = tickets.hour[i]!;
    ticket.first_response = readDuration(tickets.first_response, i, first_response);
    ticket.resolution = readDuration(tickets.resolution, i, resolution);
    ticket.rating = tickets.rating[i]! || null;
    ticket.is_breached = (bits & breachedBit) > 0;
    ticket.is_escalated = (bits & 2) > 0;
    ticket.is_surveyed = (bits & 4) > 0;
    ticket.is_reopened = (bits & 8) > 0;
    ticket.has_one_reply = (bits & 16) > 0;
  }
}

/** How many of the tickets have each value, by the position of the value. */
function tally(column: Uint8Array | Uint16Array, positions: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const i of positions) counts.set(column[i]!, (counts.get(column[i]!) ?? 0) + 1);
  return counts;
}

type DurationColumns = ReturnType<typeof columnsOf>['tickets']['resolution'];
function readDuration({ hours, bucket, bar }: DurationColumns, i: number, duration: Duration): Duration | null {
  duration.hours = hours[i]!;
  duration.bucket = bucket[i]!;
  duration.bar = bar[i]!;
  return Number.isNaN(duration.hours) ? null : duration;
}
