import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { house } from '../../../testing/house';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aPublicTicket, portal } from '../testing';

beforeEach(() => {
  sessionStorage.clear();
  portal();
});

const reply = {
  id: 'c1',
  content: 'New bags are on the way.',
  is_from_customer: false,
  author_name: 'Ada',
  attachments: [],
  created_at: '2026-11-20T11:00:00.000Z',
};

/** Opens the ticket's page as its customer; the server keeps the ticket and takes comments. */
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

it('shows the ticket, its status in the customer’s words, and the conversation', async () => {
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
  expect(house.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

it('keeps a comment that could not be sent, also over a reload', async () => {
  const { person, unmount, ticket } = await openTicket();
  server.use(http.post(api('/public/tickets/:id/comments'), () => refuse('service.unavailable')));
  await person.type(screen.getByLabelText('Add a comment'), 'Thank you.');
  await person.click(screen.getByRole('button', { name: 'Send comment' }));
  expect(await screen.findByText('Failed to add comment. Please try again.')).toBeInTheDocument();
  unmount();
  renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(await screen.findByLabelText('Add a comment')).toHaveValue('Thank you.');
});

it.each(['resolved', 'closed'] as const)('takes no comment on a ticket that is %s and offers a new one', async (status) => {
  await openTicket({ status, writing: 'locked' });
  expect(screen.queryByLabelText('Add a comment')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'submit a new ticket' })).toHaveAttribute('href', '/submit-ticket');
});

it('asks for the address where the link has none, and then shows the ticket', async () => {
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

it('denies access where id and address do not belong together, and lets another address be tried', async () => {
  server.use(http.get(api('/public/tickets/:id'), () => refuse('ticket.not_found')));
  const { person } = renderApp(`/ticket-status/${aPublicTicket().id}?email=eve%40example.com`);
  expect(await screen.findByRole('heading', { name: 'Ticket not found' })).toBeInTheDocument();
  expect(await screen.findByText('Access Denied')).toBeInTheDocument();
  expect(screen.getAllByText('No ticket found with that email address for this organization.')).toHaveLength(2);
  await person.click(screen.getByRole('button', { name: 'Try another address' }));
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
});

it('tells a failure from a refusal, and tries again', async () => {
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

it('shows a reply that came meanwhile when the person returns to the page', async () => {
  const { ticket } = await openTicket();
  ticket.comments = [reply];
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.getByText('New bags are on the way.')).toBeInTheDocument());
});
