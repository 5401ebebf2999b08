import type { Day } from '../local-time/local-time';
import type { DayInput, EventsOfDay, TicketOfDay } from './day-input.store';
import { DayCount, type DayRollUp } from './day-figures';
import type { Dimension } from '../schema';
import { eachSlice, type Slice } from './dimensions';
import { TimeSlice } from './time-slice';

export type RollUp = Slice & { day: Day } & DayRollUp;

/** The roll-ups of every slice on a day, whose input this is. */
export async function rollUpsOf(day: Day, { tickets, events }: DayInput, time = new TimeSlice()): Promise<RollUp[]> {
  const counts = new Map<Dimension, Map<string, DayCount>>();
  const countOf = (dimension: Dimension, key: string): DayCount => {
    let ofDimension = counts.get(dimension);
    if (!ofDimension) counts.set(dimension, (ofDimension = new Map<string, DayCount>()));
    let found = ofDimension.get(key);
    if (!found) ofDimension.set(key, (found = new DayCount()));
    return found;
  };
  for (const ticket of tickets) {
    if (time.isOver) await time.next();
    eachSlice(ticket, (dimension, key) => countOf(dimension, key).addTicket(ticket));
  }
  for (const event of events) {
    if (time.isOver) await time.next();
    eachSlice(event, (dimension, key) => countOf(dimension, key).addEvent(event));
  }
  return [...counts].flatMap(([dimension, ofKeys]) => [...ofKeys].map(([key, count]) => ({ dimension, key, day, ...count.result() })));
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
