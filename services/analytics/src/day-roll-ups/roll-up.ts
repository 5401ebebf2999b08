import type { Day } from '../local-time/local-time';
import type { DayInput, EventsOfDay, TicketOfDay } from './day-input.store';
import { DayCount, type DayRollUp } from './day-figures';
import { slicesOf, type Slice } from './dimensions';
import { TimeSlice } from './time-slice';

export type RollUp = Slice & { day: Day } & DayRollUp;

/** The roll-ups of every slice on every day of the input. */
export async function rollUpsOf({ tickets, events }: DayInput, time = new TimeSlice()): Promise<RollUp[]> {
  const counts = new Map<string, Slice & { day: Day; count: DayCount }>();
  const countOf = (day: Day, { dimension, key }: Slice): DayCount => {
    const id = `${day} ${dimension} ${key}`;
    let found = counts.get(id);
    if (!found) counts.set(id, (found = { dimension, key, day, count: new DayCount() }));
    return found.count;
  };
  for (const ticket of tickets) {
    if (time.isOver) await time.next();
    for (const slice of slicesOf(ticket)) countOf(ticket.day, slice).addTicket(ticket);
  }
  for (const event of events) {
    if (time.isOver) await time.next();
    for (const slice of slicesOf(event)) countOf(event.day, slice).addEvent(event);
  }
  return [...counts.values()].map(({ count, ...place }) => ({ ...place, ...count.result() }));
}

/** The roll-up of each day, of all tickets. */
export async function dayTotals(
  tickets: readonly TicketOfDay[],
  events: readonly EventsOfDay[],
  time = new TimeSlice(),
): Promise<(DayRollUp & { day: Day })[]> {
  const counts = new Map<Day, DayCount>();
  const countOf = (day: Day): DayCount => {
    let found = counts.get(day);
    if (!found) counts.set(day, (found = new DayCount()));
    return found;
  };
  for (const ticket of tickets) {
    if (time.isOver) await time.next();
    countOf(ticket.day).addTicket(ticket);
  }
  for (const event of events) countOf(event.day).addEvents(event);
  return [...counts].map(([day, count]) => ({ day, ...count.result() }));
}
