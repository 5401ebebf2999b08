import { BreakdownSum } from './day-breakdown';
import { DayCount } from './day-figures';
import type { CohortFilter, EventOfDay, TicketOfDay } from './day-input.store';
import { unassigned } from './dimensions';
import { durationOf } from './duration';
import { packDay, PackedDay } from './packed-day';

const day = '2026-01-01';
const pick = <T>(n: number, ...values: T[]): T => values[n % values.length]!;
/** Fields with different periods, so that all combinations occur. */
const fieldsOf = (n: number) => ({
  day,
  priority: pick(n, 'low', 'high'),
  channel: pick(n >> 1, null, 'portal', 'email'),
  category: pick(n, null, '', 'Ünïcode', '__proto__', 'null'),
  assigned_to: pick(n >> 2, null, 'a', 'b'),
  tags: pick(n, [], ['vip'], ['vip', '"x", y'], ['null'], ['vip', 'vip'], ['']),
});
const tickets = Array.from(
  { length: 120 },
  (_, n): TicketOfDay =>
    ({
      ...fieldsOf(n),
      status: pick(n, 'open', 'resolved', 'waiting_for_customer'),
      created_hour: n % 24,
      first_response: pick(n, null, ...[0, 1.1, 1 / 3, 9_000, 1e9].map(durationOf)),
      resolution: pick(n >> 1, null, ...[0.1 + 0.2, 77.7].map(durationOf)),
      rating: pick(n, null, 1, 2, 3, 4, 5, null),
      is_breached: n % 2 === 0,
      is_escalated: n % 3 === 0,
      is_surveyed: n % 4 < 2,
      is_reopened: n % 5 === 0,
      has_one_reply: n % 7 > 3,
    }) as TicketOfDay,
);
const kindOf = (n: number) => pick(n, 'resolved' as const, 'reopened' as const, 'breached' as const, 'resolved' as const);
const events = Array.from(
  { length: 200 },
  // Some tickets have several events of a kind.
  (_, n): EventOfDay => ({ ...fieldsOf(n % 70), kind: kindOf(n), ticket_id: String(n % 70) }) as EventOfDay,
);

const filters: CohortFilter[] = [
  {},
  { priority: 'high', tag: 'vip' },
  { category: '', assignee: unassigned },
  { category: '__proto__', channel: 'email' },
  { category: 'null', tag: 'null' },
  { assignee: 'b', tag: '', priority: 'high' },
  { priority: 'high', tag: 'none such' },
  { priority: 'urgent', channel: 'portal' },
];

/** A day that can be read. */
function unpack(packed: Buffer): PackedDay {
  const day = PackedDay.read(packed);
  if (typeof day === 'string') throw new Error(`The day is ${day}`);
  return day;
}

it.each(filters)('has the figures of the tickets and events that match %j', async (filter) => {
  const matches = (fields: TicketOfDay | EventOfDay) =>
    (filter.priority ?? fields.priority) === fields.priority &&
    (filter.channel ?? fields.channel) === fields.channel &&
    (filter.category ?? fields.category) === fields.category &&
    (filter.assignee ?? fields.assigned_to ?? unassigned) === (fields.assigned_to ?? unassigned) &&
    (filter.tag === undefined || fields.tags.includes(filter.tag));
  const expected = new DayCount();
  for (const ticket of tickets.filter(matches)) expected.addTicket(ticket);
  for (const event of events.filter(matches)) expected.addEvent(event);
  const packed = unpack(await packDay(tickets, events));
  const breakdown = new BreakdownSum();
  expect({ ...(await packed.count(filter, breakdown)), breakdown: breakdown.stored() }).toEqual(expected.result());
});

it('does not read bytes of another format', async () => {
  const packed = await packDay(tickets, events);
  packed.writeUInt32LE(1);
  expect([PackedDay.read(packed), PackedDay.read(null)]).toEqual(['not packed', 'not packed']);
});

it('notices each changed, missing and added byte', async () => {
  const packed = await packDay(tickets.slice(0, 3), events.slice(0, 2));
  const read = (change: (bytes: Buffer) => Buffer | void) => {
    const bytes = Buffer.from(packed);
    return PackedDay.read(change(bytes) ?? bytes);
  };
  // From the number of tickets on: the first four bytes are the format.
  const others = [...packed.keys()].slice(4).filter((at) => read((bytes) => void (bytes[at]! ^= 1)) !== 'damaged');
  expect(others).toEqual([]);
  for (const length of [1, 4, 15, 16, 17, packed.length - 1]) expect(read((bytes) => bytes.subarray(0, length))).toBe('damaged');
  expect(read((bytes) => Buffer.concat([bytes, Buffer.from('x')]))).toBe('damaged');
});

it('does not pack a day with more different values than a column can number', async () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => ({ ...tickets[0]!, category: String(n) }));
  expect(PackedDay.read(await packDay(of(65_537), []))).toBe('not packed');
  const { figures } = await unpack(await packDay(of(65_536), [])).count({ category: '65535', priority: 'low' }, null);
  expect(figures.total).toBe(1);
});

it('lets the process handle other requests while it packs and counts a day of 100,000 tickets', async () => {
  const many = Array.from({ length: 100_000 }, (_, n) => tickets[n % tickets.length]!);
  let turns = 0;
  const other = setInterval(() => (turns += 1), 1);
  const packed = await packDay(many, []);
  const whilePacking = turns;
  await unpack(packed).count({}, new BreakdownSum());
  clearInterval(other);
  expect([whilePacking, turns - whilePacking].map((count) => count > 0)).toEqual([true, true]);
});
