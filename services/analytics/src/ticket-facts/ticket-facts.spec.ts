import type { Ticket, TicketStatus } from '@tandem/contracts';
import { ticketOf } from '@tandem/testing';
import { countedValues, countDifference, hasChanged, hasMoved, toCounts, toFact } from './ticket-facts';

const fact = (status: TicketStatus, assigned_to: string | null = null) => ({ status, assigned_to });

it.each([
  [fact('open'), { total: 1, open: 1, resolved: 0, unassigned: 1 }],
  [fact('in_progress', 'somebody'), { total: 1, open: 1, resolved: 0, unassigned: 0 }],
  [fact('waiting_for_customer'), { total: 1, open: 0, resolved: 0, unassigned: 1 }],
  [fact('resolved'), { total: 1, open: 0, resolved: 1, unassigned: 0 }],
  [fact('closed'), { total: 1, open: 0, resolved: 0, unassigned: 0 }],
])('%j counts as %j', (ticket, counts) => expect(toCounts(ticket)).toEqual(counts));

it('countDifference is the change of each count', () => {
  expect(countDifference(undefined, fact('open'))).toEqual({ total: 1, open: 1, resolved: 0, unassigned: 1 });
  expect(countDifference(fact('open'), fact('resolved', 'somebody'))).toEqual({ total: 0, open: -1, resolved: 1, unassigned: -1 });
  expect(countDifference(fact('open'), fact('in_progress'))).toEqual({ total: 0, open: 0, resolved: 0, unassigned: 0 });
});

it('an event changes a figure unless only its sequence differs, and moves the ticket if a field that filters use has changed', () => {
  const ticket = ticketOf('0192f0c1-0000-7000-8000-000000000001', { tags: ['a'] });
  const before = toFact(ticket, 1, 'UTC');
  const renamed: Ticket = { ...ticket, subject: 'Other', tags: ['a'] };
  expect(hasChanged(before, toFact(renamed, 2, 'UTC'))).toBe(false);
  const resolved = toFact({ ...ticket, status: 'resolved' }, 2, 'UTC');
  expect([hasChanged(before, resolved), hasMoved(before, resolved)]).toEqual([true, false]);
  const tagged = toFact({ ...ticket, tags: ['a', 'b'] }, 2, 'UTC');
  expect([hasChanged(before, tagged), hasMoved(before, tagged)]).toEqual([true, true]);
});

it('a custom field changes a figure if its value is counted, but moves the ticket nowhere', () => {
  const ticket = ticketOf('0192f0c1-0000-7000-8000-000000000001', { custom_fields: { plan: 'pro', topics: ['a', 'b'] } });
  const before = toFact(ticket, 1, 'UTC');
  // PostgreSQL returns the members of an object in another order.
  const same: Ticket = { ...ticket, custom_fields: { topics: ['a', 'b'], order: 'No. 17', plan: 'pro' } };
  expect(hasChanged(before, toFact(same, 2, 'UTC'))).toBe(false);
  const changed = toFact({ ...ticket, custom_fields: { plan: 'basic', topics: ['a', 'b'] } }, 2, 'UTC');
  expect([hasChanged(before, changed), hasMoved(before, changed)]).toEqual([true, false]);
});

it('only values with the form of choices and yes/no are counted', () => {
  const option = 'a'.repeat(40);
  const counted = { plan: 'pro', long: option, topics: ['a', 'b_2'], urgent: false };
  const others = { name: 'Carla', words: 'two words', longer: `${option}a`, date: '2026-03-31', amount: 7, list: ['a', 'Not an option'] };
  expect(countedValues({ ...counted, ...others })).toEqual(counted);
});
