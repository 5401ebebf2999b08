import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../../testing/backend';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aFile, aPublicTicket, choose, portal } from '../testing';

beforeEach(() => portal());

const reply = {
  id: 'c1',
  content: 'New bags are on the way.',
  is_from_customer: false,
  author_name: 'Ada',
  attachments: [],
  created_at: '2026-11-20T11:00:00.000Z',
};

/** Opens the ticket's page as its customer; the fake server returns the ticket and accepts comments. */
async function openTicket(overrides: Parameters<typeof aPublicTicket>[0] = {}) {
  const ticket = aPublicTicket(overrides);
  server.use(
    http.get(api('/public/tickets/:id'), ({ request }) =>
      new URL(request.url).searchParams.get('email') === ticket.customer_email ? answer(ticket) : refuse('ticket.not_found'),
    ),
    http.post(api('/public/tickets/:id/comments'), async ({ request }) => {
      const { content } = (await request.json()) as { content: string };
      const comment = { ...reply, id: `c${ticket.comments.length + 2}`, content, is_from_customer: true, author_name: null };
      ticket.comments = [...ticket.comments, comment];
      return answer({ comment, new_ticket: null }, { status: 201 });
    }),
  );
  const view = renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  await screen.findByRole('heading', { name: ticket.subject });
  return { ...view, ticket };
}

it('shows the ticket, its customer-facing status and the conversation', async () => {
  await openTicket({ status: 'waiting_for_customer', comments: [reply] });
  expect(screen.getByText('NC-0042')).toBeInTheDocument();
  expect(screen.getByText('Pending')).toBeInTheDocument();
  const entries = within(screen.getByRole('list', { name: 'Conversation' })).getAllByRole('listitem');
  expect(entries[0]).toHaveTextContent('All twelve bags came ground.');
  expect(entries[1]).toHaveTextContent(/Ada.*New bags are on the way\./);
});

it('sends a comment and shows it in the conversation', async () => {
  const { person } = await openTicket();
  await person.type(screen.getByLabelText('Add a comment'), 'Thank you.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByText('Comment Added')).toBeInTheDocument();
  expect(await within(screen.getByRole('list', { name: 'Conversation' })).findByText('Thank you.')).toBeInTheDocument();
  expect(screen.getByLabelText('Add a comment')).toHaveValue('');
});

it('sends no empty comment and returns to the field', async () => {
  const { person } = await openTicket();
  await person.type(screen.getByLabelText('Add a comment'), '   ');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(screen.getByLabelText('Add a comment')).toHaveFocus();
  expect(screen.getByLabelText('Add a comment')).toBeInvalid();
  expect(backend.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

it('keeps an unsent comment, even after a reload', async () => {
  const { person, unmount, ticket } = await openTicket();
  server.use(http.post(api('/public/tickets/:id/comments'), () => refuse('limit.exceeded')));
  await person.type(screen.getByLabelText('Add a comment'), 'Thank you.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByText('Failed to add comment. Please try again.')).toBeInTheDocument();
  unmount();
  renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(await screen.findByLabelText('Add a comment')).toHaveValue('Thank you.');
});

it('sends a comment delayed by an outage after a reload, with the same key', async () => {
  const { person, unmount, ticket } = await openTicket();
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('/public/tickets/:id/comments'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return refuse('service.unavailable');
    }),
  );
  await person.type(screen.getByLabelText('Add a comment'), 'Thank you.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByText('Your comment is sent when you’re back online')).toBeInTheDocument();
  const stored = { ...sessionStorage } as Record<string, string>;
  unmount();
  act(dropUnsentWork);
  await waitFor(() => expect(sessionStorage.getItem(`sending:comment:${ticket.id}`)).toBeNull());
  for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
  renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(await screen.findByText('Your comment is sent when you’re back online')).toBeInTheDocument();
  await waitFor(() => expect(keys.length).toBeGreaterThan(1));
  expect(new Set(keys).size).toBe(1);
});

it.each(['resolved', 'closed'] as const)('accepts no comment on a %s ticket and offers a new one', async (status) => {
  await openTicket({ status, writing: 'locked' });
  expect(screen.queryByLabelText('Add a comment')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'submit a new ticket' })).toHaveAttribute('href', '/submit-ticket');
});

it('asks for the address if the link has none, then shows the ticket', async () => {
  const ticket = aPublicTicket();
  server.use(http.get(api('/public/tickets/:id'), () => answer(ticket)));
  const { person, address } = renderApp(`/ticket-status/${ticket.id}`);
  expect(await screen.findByRole('heading', { name: 'Check Ticket Status' })).toBeInTheDocument();

  await person.click(screen.getByRole('button', { name: 'View ticket' }));
  expect(await screen.findByText('Missing Information')).toBeInTheDocument();
  expect(screen.getAllByText('Please enter your email address to view the ticket.')).not.toHaveLength(0);
  expect(screen.getByLabelText('Email')).toHaveFocus();

  await person.keyboard('jonas@example.com{Enter}');
  expect(await screen.findByRole('heading', { name: 'Wrong grind' })).toBeInTheDocument();
  expect(address()).toBe(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
});

it('denies access if ID and address do not match, and allows another address', async () => {
  server.use(http.get(api('/public/tickets/:id'), () => refuse('ticket.not_found')));
  const { person } = renderApp(`/ticket-status/${aPublicTicket().id}?email=eve%40example.com`);
  expect(await screen.findByRole('heading', { name: 'Ticket not found' })).toBeInTheDocument();
  expect(await screen.findByText('Access Denied')).toBeInTheDocument();
  expect(screen.getAllByText('No ticket found with that email address for this organization.')).toHaveLength(2);
  await person.click(screen.getByRole('button', { name: 'Try another address' }));
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
});

it('distinguishes a failure from a rejection, and offers a retry', async () => {
  const ticket = aPublicTicket();
  let isLimited = true;
  server.use(
    http.get(api('/public/tickets/:id'), () => (isLimited ? refuse('limit.exceeded', {}, { 'retry-after': '60' }) : answer(ticket))),
  );
  const { person } = renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(await screen.findByText('Failed to load ticket information.')).toBeInTheDocument();
  expect(screen.getByText(/\(in a minute\)/)).toBeInTheDocument();
  expect(await screen.findByText('Failed to authenticate. Please try again.')).toBeInTheDocument();
  isLimited = false;
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { name: 'Wrong grind' })).toBeInTheDocument();
});

it('shows a new reply when the user returns to the page', async () => {
  const { ticket } = await openTicket();
  ticket.comments = [reply];
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.getByText('New bags are on the way.')).toBeInTheDocument());
});

it.each([
  ['reopen', 'Your message reopens this ticket.'],
  ['new_ticket', 'Your message starts a new ticket.'],
] as const)('explains the effect of a message before it is written (%s)', async (writing, sentence) => {
  await openTicket({ status: 'resolved', writing });
  expect(screen.getByLabelText('Add a comment')).toHaveAccessibleDescription(sentence);
});

it('opens the new ticket that a message started', async () => {
  const { person, ticket, address } = await openTicket({ status: 'closed', writing: 'new_ticket' });
  const followUp = aPublicTicket({
    ticket_number: 'NC-0043',
    subject: 'Wrong grind again',
    follow_up_of: { id: ticket.id, ticket_number: ticket.ticket_number },
  });
  server.use(
    http.get(api('/public/tickets/:id'), ({ params }) => answer(params.id === followUp.id ? followUp : ticket)),
    http.post(api('/public/tickets/:id/comments'), () =>
      answer({ comment: null, new_ticket: { id: followUp.id, ticket_number: followUp.ticket_number } }, { status: 201 }),
    ),
  );
  await person.type(screen.getByLabelText('Add a comment'), 'It happened again.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByRole('heading', { name: 'Wrong grind again' })).toBeInTheDocument();
  expect(await screen.findByText('It starts your new ticket NC-0043.')).toBeInTheDocument();
  expect(address()).toBe(`/ticket-status/${followUp.id}?email=jonas%40example.com`);
  expect(screen.getByRole('link', { name: ticket.ticket_number })).toHaveAttribute(
    'href',
    `/ticket-status/${ticket.id}?email=jonas%40example.com`,
  );
  expect(screen.getByLabelText('Add a comment')).toHaveValue('');
});

it('shows the unsent text if the conversation has ended in the meantime', async () => {
  const { person, ticket } = await openTicket();
  server.use(
    http.post(api('/public/tickets/:id/comments'), () => {
      Object.assign(ticket, { status: 'closed', writing: 'locked' });
      return refuse('ticket.locked');
    }),
  );
  await person.type(screen.getByLabelText('Add a comment'), 'One more thing.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByText(/This conversation has ended/)).toBeInTheDocument();
  expect(screen.getByText('One more thing.')).toBeInTheDocument();
});

it('sends files with a comment', async () => {
  const { person } = await openTicket();
  let body: { attachment_ids?: string[] } = {};
  server.use(
    http.post(api('/public/tickets/:id/comments'), async ({ request }) => {
      body = (await request.json()) as typeof body;
      return answer({ comment: null, new_ticket: null }, { status: 201 });
    }),
  );
  choose(aFile());
  expect(await screen.findByText('5 B')).toBeInTheDocument();
  await person.type(screen.getByLabelText('Add a comment'), 'See the photo.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  await screen.findByText('Comment Added');
  expect(body.attachment_ids).toHaveLength(1);
  expect(screen.queryByRole('list', { name: 'Attached files' })).not.toBeInTheDocument();
});

it('shows the progress of the ticket, and when it is the customer’s turn', async () => {
  const { unmount } = await openTicket({ status: 'in_progress' });
  const current = () => within(screen.getByRole('list', { name: 'Progress' })).getAllByRole('listitem', { current: 'step' });
  expect(current().map(({ textContent }) => textContent)).toEqual(['Being worked on']);
  unmount();
  await openTicket({ status: 'waiting_for_customer' });
  expect(current().map(({ textContent }) => textContent)).toEqual(['Your turn']);
});

it('shows a small image as a thumbnail, and as an icon if its link cannot be requested', async () => {
  const file = { id: 'f1', file_name: 'bags.png', size: 2_048, content_type: 'image/png', created_at: reply.created_at };
  server.use(
    http.post(api('/public/tickets/:id/attachments/:file/link'), ({ params }) =>
      params.file === 'f1'
        ? answer({ url: '/api/v1/files/signed', expires_at: '2030-01-01T00:00:00.000Z' })
        : refuse('attachment.not_found'),
    ),
  );
  await openTicket({ attachments: [file, { ...file, id: 'f2', file_name: 'gone.png' }] });
  const files = within(await screen.findByRole('list', { name: 'Files' }));
  const [first, second] = files.getAllByRole('listitem');
  await waitFor(() => expect(first!.querySelector('img')).toHaveAttribute('src', '/api/v1/files/signed'));
  expect(second!.querySelector('img')).toBeNull();
});

it('loads a large image only on request, with a fresh link', async () => {
  const file = { id: 'f1', file_name: 'bags.png', size: 2_048_000, content_type: 'image/png', created_at: reply.created_at };
  const { person, ticket } = await openTicket({ attachments: [file] });
  let email: unknown;
  server.use(
    http.post(api('/public/tickets/:id/attachments/:file/link'), async ({ request }) => {
      email = await request.json();
      return answer({ url: '/api/v1/files/signed', expires_at: '2030-01-01T00:00:00.000Z' });
    }),
  );
  expect(screen.queryByRole('img', { name: 'bags.png' })).not.toBeInTheDocument();
  expect(backend.calls.some((call) => call.endsWith('/link'))).toBe(false);
  await person.click(await screen.findByRole('button', { name: 'Show bags.png' }));
  expect(await screen.findByRole('img', { name: 'bags.png' })).toHaveAttribute('src', '/api/v1/files/signed');
  expect(email).toEqual({ email: ticket.customer_email });
  await person.click(screen.getByRole('button', { name: 'Hide bags.png' }));
  expect(screen.queryByRole('img', { name: 'bags.png' })).not.toBeInTheDocument();
});

it('downloads a file by a signed link, and shows an error without one', async () => {
  const file = { id: 'f1', file_name: 'invoice.pdf', size: 2_048, content_type: 'application/pdf', created_at: reply.created_at };
  const { person } = await openTicket({ comments: [{ ...reply, attachments: [file] }] });
  const clicked: string[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(`${this.pathname} ${this.download}`);
  });
  server.use(
    http.post(api('/public/tickets/:id/attachments/:file/link'), () =>
      answer({ url: '/api/v1/files/signed', expires_at: '2030-01-01T00:00:00.000Z' }),
    ),
  );
  await person.click(await screen.findByRole('button', { name: 'Download invoice.pdf, 2 KB' }));
  await waitFor(() => expect(clicked).toEqual(['/api/v1/files/signed invoice.pdf']));
  jest.restoreAllMocks();
  server.use(http.post(api('/public/tickets/:id/attachments/:file/link'), () => refuse('attachment.not_found')));
  await person.click(screen.getByRole('button', { name: 'Download invoice.pdf, 2 KB' }));
  expect(await screen.findByText('Couldn’t open the file')).toBeInTheDocument();
});

it('loads earlier messages page by page, and shows an error if that fails', async () => {
  const { person } = await openTicket({ comments: [reply], earlier_cursor: 'one' });
  let isAway = true;
  server.use(
    http.get(api('/public/tickets/:id/comments'), ({ request }) => {
      if (isAway) return refuse('limit.exceeded');
      const query = new URL(request.url).searchParams;
      expect(query.get('email')).toBe('jonas@example.com');
      const isFirst = query.get('cursor') === 'one';
      const pagination = { page: null, limit: 50, total: 4, next_cursor: isFirst ? 'two' : null };
      const texts = isFirst ? ['third', 'second'] : ['first'];
      return answer(
        texts.map((content) => ({ ...reply, id: content, content })),
        { pagination },
      );
    }),
  );
  await person.click(screen.getByRole('button', { name: 'Show earlier messages' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Couldn’t load earlier messages. Please try again.');
  isAway = false;
  await person.click(screen.getByRole('button', { name: 'Show earlier messages' }));
  await screen.findByText('second');
  await person.click(screen.getByRole('button', { name: 'Show earlier messages' }));
  await screen.findByText('first');
  expect(screen.queryByRole('button', { name: 'Show earlier messages' })).not.toBeInTheDocument();
  const texts = within(screen.getByRole('list', { name: 'Conversation' }))
    .getAllByRole('listitem')
    .map((entry) => entry.textContent);
  expect(texts.map((text) => /first|second|third|New bags|All twelve/.exec(text ?? '')?.[0])).toEqual([
    'All twelve',
    'first',
    'second',
    'third',
    'New bags',
  ]);
});

it('links a merged ticket to the ticket that continues it', async () => {
  await openTicket({ status: 'closed', writing: 'locked', merged_into: { id: 'other', ticket_number: 'NC-0050' } });
  expect(screen.getByRole('link', { name: 'NC-0050' })).toHaveAttribute('href', '/ticket-status/other?email=jonas%40example.com');
  expect(screen.queryByLabelText('Add a comment')).not.toBeInTheDocument();
});

it('links to the survey once the ticket is resolved', async () => {
  const { ticket } = await openTicket({ status: 'resolved', writing: 'locked' });
  expect(screen.getByRole('link', { name: 'Tell us how it went' })).toHaveAttribute(
    'href',
    `/survey/${ticket.id}?email=jonas%40example.com`,
  );
});

it('formats the replies of staff, not the customer’s own text, and shows only pictures of the same reply', async () => {
  const picture = { id: 'f1', file_name: 'shot.png', content_type: 'image/png', size: 5, created_at: reply.created_at };
  const content =
    '**Done.** ![The screen](shot.png)\n\n[Docs](https://docs.example) [bad](javascript:alert(1)) ![x](https://evil.example/p.png)';
  server.use(
    http.post(api('/public/tickets/:id/attachments/:file/link'), () => answer({ url: '/signed/shot.png', expires_at: reply.created_at })),
  );
  await openTicket({
    description: '**as typed**',
    comments: [
      { ...reply, content, attachments: [picture] },
      { ...reply, id: 'c2', content: '![The screen](shot.png)' },
    ],
  });
  expect(screen.getByText('**as typed**')).toBeInTheDocument();
  expect(screen.getByText('Done.').tagName).toBe('STRONG');
  expect(await screen.findByRole('img', { name: 'The screen' })).toHaveAttribute('src', '/signed/shot.png');
  expect(screen.getByText('[The screen]')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Docs' })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  expect(screen.queryByRole('link', { name: 'bad' })).not.toBeInTheDocument();
  expect(screen.getAllByRole('img')).toHaveLength(1);
});
