import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { aComment, aCustomField, aMember, anActivity, anId, aSession, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, server } from '../../../testing/server';
import { pictureMarkdown } from '@tandem/contracts/values';
import { joined } from './conversation';
import { conversationEntries } from './conversation-entries';

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
  // The element is replaced when the code for Markdown has been loaded.
  await waitFor(() => expect(screen.getByText('Comment 120')).toBeInTheDocument());
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
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3))';
  backend.comments = [
    aComment(ticket(), { content: `${evil}\n${'A long mail. '.repeat(400)}The end` }),
    aComment(ticket(), { content: 'مرحبا' }),
  ];
  const { person } = open();
  expect(await screen.findByText(/<img src=x onerror/)).toBeInTheDocument();
  expect(document.querySelector('main img, main script')).toBeNull();
  expect(screen.getByText('مرحبا')).toHaveAttribute('dir', 'auto');
  expect(document.querySelector('main [href^="javascript"]')).toBeNull();
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
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Timeline' }));
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  const lines = changes.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines[0]).toContain('Marek Lindqvist assigned Ada Okafor');
  expect(lines[0]).toContain('added the tag b and removed the tag a');
  expect(lines[1]).toContain('Marek Lindqvist changed status from Open to Resolved');
  expect(lines[2]).toContain('The customer created the ticket');
});

it('describes changes of custom fields, those of deleted fields by their keys', async () => {
  const options = [
    { value: 'basic', label: 'Basic' },
    { value: 'pro', label: 'Pro' },
  ];
  backend.customFields = [
    aCustomField({ key: 'product', type: 'choice', label: 'Product', options }),
    aCustomField({ key: 'order', label: 'Order number' }),
    aCustomField({ key: 'notes', type: 'long_text', label: 'Notes' }),
  ];
  const change = (key: string, from: unknown, to: unknown) => anActivity(ticket(), { changes: { [`custom_fields.${key}`]: { from, to } } });
  backend.activities = [
    change('product', 'basic', 'pro'),
    change('order', null, '1234'),
    change('order', '1234', null),
    change('notes', 'Short', 'Long'),
    change('serial', 'S-1', 'S-2'),
  ];
  // Until the fields have loaded, the changes would have keys instead of labels.
  const loaded = Promise.withResolvers<void>();
  server.use(http.get(api('/custom-fields'), () => loaded.promise));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Timeline' }));
  await waitFor(() => expect(backend.calls).toContain('GET /custom-fields'));
  expect(screen.queryByRole('list', { name: 'Changes' })).not.toBeInTheDocument();
  loaded.resolve();
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  const lines = changes.getAllByRole('listitem').map((line) => line.querySelector('p')?.textContent);
  expect(lines.reverse()).toEqual([
    'Marek Lindqvist changed Product from Basic to Pro',
    'Marek Lindqvist set Order number to 1234',
    'Marek Lindqvist cleared Order number',
    'Marek Lindqvist changed Notes',
    'Marek Lindqvist changed serial from S-1 to S-2',
  ]);
});

it('names the API token behind a comment or a change', async () => {
  const importer = { id: anId(), name: 'Importer', via: 'api' as const };
  const assistant = { id: anId(), name: 'Assistant', via: 'mcp' as const };
  backend.comments = [aComment(ticket(), { author: null, token: importer })];
  backend.activities = [
    anActivity(ticket(), { actor_type: 'token', author: null, token: importer, changes: { status: { from: 'open', to: 'resolved' } } }),
    anActivity(ticket(), { actor_type: 'token', author: null, token: assistant, changes: { priority: { from: 'low', to: 'high' } } }),
  ];
  const { person } = open();
  expect(await within(await screen.findByRole('list', { name: 'Conversation' })).findByText('API · Importer')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Timeline' }));
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  const lines = changes.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines.some((line) => line.includes('API · Importer changed status'))).toBe(true);
  expect(lines.some((line) => line.includes('API · Assistant (via MCP) changed priority'))).toBe(true);
});

describe('events in the conversation', () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;
  const status = (from: string, to: string) => ({ status: { from, to } });

  it('appear between the comments, and several in a row as one line that unfolds', async () => {
    ticket().last_comment_at = at('10:30');
    backend.comments = [
      aComment(ticket(), { content: 'First', created_at: at('10:10') }),
      aComment(ticket(), { content: 'Second', created_at: at('10:30') }),
    ];
    backend.activities = [
      anActivity(ticket(), { kind: 'created', created_at: at('10:05') }),
      anActivity(ticket(), { changes: status('open', 'in_progress'), created_at: at('10:20') }),
      anActivity(ticket(), { changes: status('in_progress', 'open'), created_at: at('10:40') }),
      anActivity(ticket(), {
        changes: { priority: { from: 'low', to: 'high' } },
        actor_type: 'task-tool',
        author: null,
        created_at: at('10:41'),
      }),
    ];
    const { person } = open();
    await screen.findByText('Second');
    const entries = () =>
      conversation()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    expect(entries()).toEqual([
      'Friday, Nov 20, 2026',
      expect.stringContaining('All twelve bags'),
      expect.stringContaining('First'),
      expect.stringContaining('Marek Lindqvist set In Progress'),
      expect.stringContaining('Second'),
      expect.stringContaining('Marek Lindqvist and The task tool made 2 changes'),
    ]);
    const several = conversation().getByRole('button', { name: /made 2 changes/ });
    expect(several).toHaveAttribute('aria-expanded', 'false');
    await person.click(several);
    expect(entries().at(-1)).toContain('The task tool set High priority');
    expect(backend.calls.filter((call) => call.includes('/timeline'))).toHaveLength(0);
  });

  it('are separated by day, and omitted where the comments before them are not loaded', () => {
    const comments = [aComment(ticket(), { created_at: '2026-11-22T10:00:00.000Z' })];
    const activities = [
      anActivity(ticket(), { created_at: '2026-11-23T10:00:00.000Z' }),
      anActivity(ticket(), { created_at: '2026-11-21T10:00:00.000Z' }),
    ];
    const kinds = (hasEarlier: boolean) =>
      conversationEntries({ since: at('10:00'), comments, activities, hasEarlier }).map(({ kind }) => kind);
    expect(kinds(false)).toEqual(['day', 'events', 'day', 'comment', 'day', 'events']);
    expect(kinds(true)).toEqual(['day', 'comment', 'day', 'events']);
  });

  it('marks where the unread comments begin', () => {
    const comments = [aComment(ticket()), aComment(ticket())];
    const parts = { since: at('10:05'), comments, activities: [], hasEarlier: false, firstUnreadId: comments[1]!.id };
    expect(conversationEntries(parts).map(({ kind }) => kind)).toEqual(['comment', 'unread', 'comment']);
  });
});

it('has a line above the first comment of others that the user has not read', async () => {
  const minutes = (minute: number) => `2026-11-20T10:${minute}:00.000Z`;
  ticket().last_comment_at = minutes(10);
  backend.comments = [
    aComment(ticket(), { content: 'Read', created_at: minutes(10) }),
    aComment(ticket(), { content: 'My own', created_at: minutes(20), user_id: backend.me.user_id }),
    aComment(ticket(), { content: 'Unread', created_at: minutes(30) }),
  ];
  open();
  const line = await screen.findByText('New');
  expect(line.nextElementSibling).toHaveTextContent('Unread');
  expect(line.previousElementSibling).toHaveTextContent('My own');
});

it('formats the Markdown of staff, and shows the text of customers as they typed it', async () => {
  const markdown = '**Important**\n- one\n- two\n\n[Docs](https://docs.example) and `code`';
  backend.comments = [
    aComment(ticket(), { content: markdown }),
    aComment(ticket(), { content: '**my text**', is_from_customer: true, author: null, email_proof: null }),
    aComment(ticket(), { content: '**by mail**', is_internal: true, author: null, customer_email: 'eve@example.com' }),
  ];
  open();
  expect((await screen.findByText('Important')).tagName).toBe('STRONG');
  expect(conversation().getByText('one').tagName).toBe('LI');
  const docs = conversation().getByRole('link', { name: 'Docs' });
  expect(docs).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  expect(conversation().getByText('code').tagName).toBe('CODE');
  expect(conversation().getByText('**my text**')).toBeInTheDocument();
  expect(conversation().getByText('**by mail**')).toBeInTheDocument();
});

it('shows a picture in the text of its comment, and never one of another comment', async () => {
  const file = { id: anId(), file_name: 'screen shot.png', size: 10, content_type: 'image/png', created_at: '2026-11-20T10:05:00.000Z' };
  const expires_at = '2026-11-20T10:10:00.000Z';
  server.use(http.post(api('/attachments/:id/link'), () => answer({ url: '/signed/shot.png', expires_at })));
  backend.comments = [
    aComment(ticket(), { content: `See\n${pictureMarkdown(file.file_name)}`, attachments: [file] }),
    aComment(ticket(), { content: `${pictureMarkdown(file.file_name)} ![x](https://evil.example/p.png)` }),
  ];
  open();
  expect(await screen.findByRole('button', { name: 'Open screen shot.png' })).toBeInTheDocument();
  expect(conversation().queryByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  expect(conversation().getByText(/\[screen shot.png\]/)).toBeInTheDocument();
  expect(conversation().getByRole('link', { name: 'x' })).toHaveAttribute('href', 'https://evil.example/p.png');
  expect(document.querySelector('img[src^="https://evil"]')).toBeNull();
});

it('shows that a message came by email', async () => {
  ticket().channel = 'email';
  open();
  expect(await screen.findByText('via email')).toBeInTheDocument();
});

describe('what a rule did', () => {
  const rule = { id: anId(), name: 'Refunds to Ada' };
  const byRule = { actor_type: 'system' as const, author: null, rule };
  beforeEach(() => {
    backend.comments = [aComment(ticket(), { content: 'We are closed', author: null, rule, created_at: '2026-11-20T10:06:00.000Z' })];
    backend.activities = [anActivity(ticket(), { ...byRule, changes: { priority: { from: 'medium', to: 'high' } } })];
  });
  const links = async () => {
    const { person } = open();
    await screen.findByText('We are closed');
    await person.click(screen.getByRole('button', { name: 'Timeline' }));
    await conversation().findByText(/set High priority/);
    const timeline = await screen.findByRole('list', { name: 'Changes' });
    expect(timeline).toHaveTextContent('Rule “Refunds to Ada” changed priority from Medium to High');
    expect(await conversation().findByRole('article', { name: /by Rule “Refunds to Ada”/ })).toHaveTextContent('We are closed');
    return [conversation(), within(timeline)].flatMap((part) => part.queryAllByRole('link', { name: 'Rule “Refunds to Ada”' }));
  };

  it('names the rule and links to it', async () => {
    const found = await links();
    expect(found).toHaveLength(3);
    for (const link of found) expect(link).toHaveAttribute('href', `/settings?tab=rules&rule=${rule.id}`);
  });

  it('has no link for agents, who cannot open it', async () => {
    backend.signIn(aSession(aMember({ role: 'agent' })));
    expect(await links()).toEqual([]);
  });
});
