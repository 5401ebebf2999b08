import { mergeRefusal } from './merge';

const ticket = (id: string, overrides: object = {}) => ({
  id,
  ticket_number: `ACM-${id}`,
  customer_email: 'carla@example.com',
  anonymized_at: null,
  merged_into_id: null as string | null,
  ...overrides,
});

it('allows two tickets of one customer to be merged', () => expect(mergeRefusal(ticket('1'), ticket('2'))).toBeUndefined());

it.each([
  [ticket('1'), ticket('1'), 'A ticket cannot be merged into itself. Choose another one.'],
  [ticket('1', { merged_into_id: '2' }), ticket('2'), 'ACM-1 has already been merged into ACM-2.'],
  [ticket('1', { merged_into_id: '3' }), ticket('2'), 'ACM-1 has already been merged into another ticket. Merge that one instead.'],
  [ticket('1'), ticket('2', { merged_into_id: '1' }), 'ACM-2 has already been merged into ACM-1.'],
  [ticket('1'), ticket('2', { merged_into_id: '3' }), 'ACM-2 was merged into another ticket. Merge into that one instead.'],
  [
    ticket('1'),
    ticket('2', { customer_email: 'bob@example.com' }),
    'ACM-1 is from carla@example.com, ACM-2 from bob@example.com. If it is the same person, give both tickets the same address first.',
  ],
  [
    ticket('1', { anonymized_at: '2026-01-01T00:00:00.000Z' }),
    ticket('2'),
    'ACM-1 was anonymized. It has no customer, and no conversation.',
  ],
  [
    ticket('1'),
    ticket('2', { anonymized_at: '2026-01-01T00:00:00.000Z' }),
    'ACM-2 was anonymized. It has no customer, and no conversation.',
  ],
])('%# explains why a merge is rejected, and what to do', (source, target, detail) => expect(mergeRefusal(source, target)).toBe(detail));
