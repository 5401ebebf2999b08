import { shortSpan, workingSpan } from '@tandem/contracts/values';
import { render, screen } from '@testing-library/react';
import { DueBadge } from './due-badge';

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour + 60_000).toISOString();
const ticket = (more: object = {}) => ({
  status: 'open' as const,
  next_due_at: null,
  sla_paused_since: null,
  sla_breached_at: null,
  escalated_at: null,
  ...more,
});

it.each([
  ['Due in 5h', { next_due_at: inHours(5) }],
  ['Due in 3d', { next_due_at: inHours(72) }],
  ['Due in 30m', { next_due_at: inHours(0.5) }],
  ['Overdue 3h', { next_due_at: inHours(-3.5) }],
  ['Paused', { sla_paused_since: inHours(-1) }],
  ['Escalated', { escalated_at: inHours(-1) }],
])('shows %s, and the exact time on hover', (text, more) => {
  render(<DueBadge ticket={ticket(more)} />);
  expect(screen.getByText(text).closest('[title]')).toHaveAttribute('title', expect.stringMatching(/20\d\d/));
});

it('shows nothing without a policy or once the ticket is resolved or closed', () => {
  const { container, rerender } = render(<DueBadge ticket={ticket()} />);
  expect(container).toBeEmptyDOMElement();
  rerender(<DueBadge ticket={ticket({ status: 'resolved', escalated_at: inHours(-1) })} />);
  expect(container).toBeEmptyDOMElement();
});

it('formats durations in short form', () => {
  expect([10, hour, 47 * hour, 49 * hour].map(shortSpan)).toEqual(['1m', '1h', '47h', '2d']);
  expect([0, 40, 320, 60, 4280].map(workingSpan)).toEqual(['0m', '40m', '5h 20m', '1h', '71h']);
});
