import type { Day } from '../local-time/local-time';
import type { DayInput } from './day-input.store';
import { DayCount, type DayRollUp } from './day-figures';
import { slicesOf, type DimensionFields, type Slice } from './dimensions';

export type RollUp = Slice & { day: Day } & DayRollUp;

/** The roll-ups of every slice on every day of the input. */
export const rollUpsOf = (input: DayInput): RollUp[] => countDays(input, slicesOf);

const whole: Slice[] = [{ dimension: 'all', key: '' }];
/** The roll-up of each day, of all tickets of the input. */
export const dayTotals = (input: DayInput): RollUp[] => countDays(input, () => whole);

function countDays({ tickets, events }: DayInput, slices: (fields: DimensionFields) => Slice[]): RollUp[] {
  const counts = new Map<string, Slice & { day: Day; count: DayCount }>();
  const countOf = (day: Day, { dimension, key }: Slice): DayCount => {
    const id = `${day} ${dimension} ${key}`;
    let found = counts.get(id);
    if (!found) counts.set(id, (found = { dimension, key, day, count: new DayCount() }));
    return found.count;
  };
  for (const ticket of tickets) for (const slice of slices(ticket)) countOf(ticket.day, slice).addTicket(ticket);
  for (const event of events) for (const slice of slices(event)) countOf(event.day, slice).addEvent(event);
  return [...counts.values()].map(({ count, ...place }) => ({ ...place, ...count.result() }));
}
