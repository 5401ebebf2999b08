import { screen, within } from '@testing-library/react';
import { FakeEventSource } from '../../../testing/event-source';
import { aComment, aMember, anActivity, anId, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { joined } from './conversation';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket()];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const conversation = () => within(screen.getByRole('list', { name: 'Conversation' }));
const commentCalls = () => backend.calls.filter((call) => call.startsWith('GET') && call.includes('/comments'));

it('opens a ticket with many comments in one call, and loads earlier ones on request', async () => {
  backend.comments = Array.from({ length: 120 }, (_, index) => aComment(ticket(), { content: `Comment ${index + 1}` }));
  ticket().comment_count = 120;
  const { person } = open();
  expect(await screen.findByText('Comment 120')).toBeInTheDocument();
  expect(screen.getByText('Comment 71')).toBeInTheDocument();
  expect(screen.queryByText('Comment 70')).not.toBeInTheDocument();
  expect(commentCalls()).toHaveLength(0);
  await person.click(screen.getByRole('button', { name: 'Show earlier comments (70)' }));
  expect(await screen.findByText('Comment 21')).toBeInTheDocument();
  const texts = conversation()
    .getAllByText(/^Comment \d+$/)
    .map((element) => element.textContent);
  expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => `Comment ${index + 21}`));
});

it('refetches only the newest page after a comment, and keeps earlier pages', async () => {
  backend.comments = Array.from({ length: 60 }, (_, index) => aComment(ticket(), { content: `Comment ${index + 1}` }));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: /Show earlier comments/ }));
  await screen.findByText('Comment 1');
  const before = commentCalls().length;
  backend.comments.push(aComment(ticket(), { content: 'Just in' }));
  FakeEventSource.last.send({ type: 'ticket.comment.added', subject: ticket().id });
  expect(await screen.findByText('Just in')).toBeInTheDocument();
  expect(screen.getByText('Comment 1')).toBeInTheDocument();
  expect(commentCalls()).toHaveLength(before + 1);
});

it('starts over if the newest page does not overlap with the known pages', () => {
  const comments = Array.from({ length: 6 }, (_, index) => aComment(ticket(), { content: `${index}` }));
  const known = { comments: comments.slice(0, 2), earlier: null, total: 2 };
  const fresh = { comments: comments.slice(4), earlier: 'c', total: 6 };
  expect(joined(known, fresh)).toBe(fresh);
  const meets = { comments: comments.slice(1, 4), earlier: 'c', total: 4 };
  expect(joined(known, meets).comments).toEqual(comments.slice(0, 4));
});

it('collapses long text, and shows HTML as plain text', async () => {
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  backend.comments = [
    aComment(ticket(), { content: `${evil}\n${'A long mail. '.repeat(400)}The end` }),
    aComment(ticket(), { content: 'مرحبا' }),
  ];
  const { person } = open();
  expect(await screen.findByText(/<img src=x onerror/)).toBeInTheDocument();
  expect(document.querySelector('main img, main script')).toBeNull();
  expect(screen.getByText('مرحبا')).toHaveAttribute('dir', 'auto');
  expect(screen.queryByText(/The end$/)).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Show more' }));
  expect(screen.getByText(/The end$/)).toBeInTheDocument();
});

it('highlights mentions, and shows the original ticket of a merged comment', async () => {
  const source = aTicket({ ticket_number: 'NC-0012' });
  backend.tickets.push(source);
  const priya = aMember({ first_name: 'Priya', last_name: 'Raman', email: 'priya@northwind.example' });
  backend.members.push(priya);
  backend.comments = [aComment(ticket(), { content: 'See @Priya Raman please', mentions: [priya.user_id], merged_from_id: source.id })];
  open();
  expect(await screen.findByText('@Priya Raman')).toBeInTheDocument();
  expect(await screen.findByText(/from NC-0012/)).toBeInTheDocument();
});

it('describes every change in the timeline', async () => {
  backend.activities = [
    anActivity(ticket(), { kind: 'created', actor_type: 'customer', author: null }),
    anActivity(ticket(), { changes: { status: { from: 'open', to: 'resolved' } } }),
    anActivity(ticket(), { changes: { assigned_to: { from: null, to: backend.me.user_id }, tags: { from: ['a'], to: ['b'] } } }),
  ];
  open();
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  const lines = changes.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines[0]).toContain('Marek Lindqvist assigned Ada Okafor');
  expect(lines[0]).toContain('added the tags b and removed the tags a');
  expect(lines[1]).toContain('Marek Lindqvist changed status from Open to Resolved');
  expect(lines[2]).toContain('The customer created the ticket');
});

it('names the API token behind a comment or a change', async () => {
  const importer = { id: anId(), name: 'Importer', via: 'api' as const };
  const assistant = { id: anId(), name: 'Assistant', via: 'mcp' as const };
  backend.comments = [aComment(ticket(), { author: null, token: importer })];
  backend.activities = [
    anActivity(ticket(), { actor_type: 'token', author: null, token: importer, changes: { status: { from: 'open', to: 'resolved' } } }),
    anActivity(ticket(), { actor_type: 'token', author: null, token: assistant, changes: { priority: { from: 'low', to: 'high' } } }),
  ];
  open();
  expect(within(await screen.findByRole('list', { name: 'Conversation' })).getByText('API · Importer')).toBeInTheDocument();
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  const lines = changes.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines.some((line) => line.includes('API · Importer changed status'))).toBe(true);
  expect(lines.some((line) => line.includes('API · Assistant (via MCP) changed priority'))).toBe(true);
});
