import type { TicketStatus } from '@tandem/contracts';
import { toCounts, isZero, countDifference } from './ticket-facts';

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
  expect(isZero(countDifference(fact('open'), fact('in_progress')))).toBe(true);
  expect(isZero(countDifference(fact('open'), fact('open', 'somebody')))).toBe(false);
});
