import { commentOf, ticketOf } from '@tandem/testing';
import { portalView, publicComment } from './portal';

const at = '2026-05-01T10:00:00.000Z';
const comment = commentOf('00000000-0000-7000-8000-000000000002', {
  id: '00000000-0000-7000-8000-000000000001',
  content: 'Have you tried turning it off?',
  user_id: '00000000-0000-7000-8000-000000000003',
  author: { first_name: 'Ada', last_name: 'Agent' },
  created_at: at,
});
const ticket = ticketOf('00000000-0000-7000-8000-000000000004', {
  id: comment.ticket_id,
  ticket_number: 'ACM-0001',
  subject: 'Printer',
  description: null,
  status: 'open',
  priority: 'high',
  category: null,
  tags: ['vip'],
  cc: ['copied@example.com'],
  watchers: ['00000000-0000-7000-8000-000000000005'],
  customer_name: 'Carla',
  customer_email: 'carla@example.com',
  assigned_to: comment.user_id,
  assignee: { user_id: comment.user_id!, first_name: 'Ada', last_name: 'Agent', email: 'ada@acme.test' },
  comment_count: 2,
  clickup_task_id: 'abc',
  created_at: at,
  updated_at: at,
  resolved_at: null,
  version: 3,
});

const alone = {
  merged_into: null,
  follow_up_of: null,
  attachments: [],
  writing: 'comment' as const,
  earlier_cursor: null,
  custom_fields: [],
};

it('shows customers exactly these fields of a ticket', () => {
  expect(Object.keys(portalView(ticket, [], alone)).sort()).toEqual(
    ['attachments', 'category', 'comments', 'created_at', 'custom_fields', 'customer_email', 'customer_name', 'description', 'earlier_cursor', 'follow_up_of', 'id', 'language', 'merged_into', 'priority', 'resolved_at', 'status', 'subject', 'ticket_number', 'updated_at', 'writing'], // prettier-ignore
  );
});
it('shows neither the people in Cc nor the watchers', () => {
  const shown = JSON.stringify(portalView(ticket, [{ ...comment, content: 'Hello' }], alone));
  expect(shown).not.toMatch(/copied@example\.com|"cc"|watchers|00000000-0000-7000-8000-000000000005/);
});
it('shows names of staff, but never their addresses', () => {
  expect(JSON.stringify(portalView(ticket, [comment], alone))).not.toMatch(/ada@acme\.test|user_id|vip|abc/);
  expect(publicComment(comment, 'Carla').author_name).toBe('Ada Agent');
  expect(publicComment({ ...comment, author: { first_name: null, last_name: 'Agent' } }, 'Carla').author_name).toBe('Agent');
  expect(publicComment({ ...comment, author: null }, 'Carla').author_name).toBeNull();
});
it('shows the customer’s name as on the ticket', () => {
  const theirs = { ...comment, is_from_customer: true, user_id: null, author: null, customer_email: 'carla@example.com' };
  expect(publicComment(theirs, 'Carla').author_name).toBe('Carla');
  expect(publicComment(theirs, null).author_name).toBeNull();
});
it('throws for an internal note', () => {
  expect(() => portalView(ticket, [{ ...comment, is_internal: true }], alone)).toThrow('internal note');
});
