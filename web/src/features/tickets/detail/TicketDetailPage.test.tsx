import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { aComment, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ subject: 'Wrong grind', resolved_at: null })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const conversation = () => screen.getByRole('list', { name: 'Conversation' });

it('shows conversation, properties, customer and timeline', async () => {
  backend.comments = [
    aComment(ticket(), { content: 'See https://example.com/a.' }),
    aComment(ticket(), { content: 'Between us', is_internal: true }),
    aComment(ticket(), { content: 'Thanks!', is_from_customer: true, author: null }),
  ];
  const { person } = open();
  expect(await screen.findByRole('heading', { name: 'Wrong grind' })).toBeInTheDocument();
  // Until the code for Markdown has loaded, comments are plain text in other elements.
  const link = await within(conversation()).findByRole('link', { name: 'https://example.com/a' });
  expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  expect(within(conversation()).getByText('Between us')).toBeInTheDocument();
  expect(within(conversation()).getByText('Internal note')).toBeInTheDocument();
  expect(within(conversation()).getByText('All twelve bags came ground.')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Customer' })).toHaveTextContent('jonas@example.com');
  const timeline = screen.getByRole('region', { name: 'Timeline' });
  await person.click(within(timeline).getByRole('button', { name: 'Timeline' }));
  expect(timeline).toHaveTextContent('Created');
  expect(timeline).not.toHaveTextContent('Resolved');
  expect(screen.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', `/tickets/${ticket().id}/edit`);
});

it('sends a trimmed public reply and shows it immediately', async () => {
  const { person } = open();
  const box = await screen.findByRole('textbox', { name: 'Public reply' });
  const send = screen.getByRole('button', { name: 'Send Reply' });
  await person.type(box, '   ');
  expect(send).toBeDisabled();
  await person.type(box, 'On its way  ');
  await person.keyboard('{Control>}{Enter}{/Control}');
  expect(await within(conversation()).findByText(/Sending in \d+ s/)).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  // The sent text and the comment from the server are different elements with the same text.
  await waitFor(() => expect(within(conversation()).getByText('On its way')).toBeInTheDocument());
  expect(box).toHaveValue('');
  expect(await screen.findByText('Comment added')).toBeInTheDocument();
  expect(backend.comments[0]).toMatchObject({ content: 'On its way', is_internal: false });
});

it('writes an internal note by keyboard', async () => {
  const { person } = open();
  await screen.findByRole('textbox', { name: 'Public reply' });
  await person.keyboard('n');
  const box = screen.getByRole('textbox', { name: 'Internal note' });
  expect(box).toHaveFocus();
  expect(screen.getByText('Visible to your team only')).toBeInTheDocument();
  await person.type(box, 'Call the roastery');
  await person.click(screen.getByRole('button', { name: 'Add Note' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(backend.comments[0]).toMatchObject({ content: 'Call the roastery', is_internal: true }));
});

it.each([
  ['permission.denied', 'Failed to add comment'],
  ['demo.limited', 'Failed to add comment. This is more than a live demo can store'],
] as const)('returns the text to the composer if sending fails with %s', async (code, message) => {
  server.use(http.post(api('/tickets/:id/comments'), () => refuse(code)));
  const { person } = open();
  await person.type(await screen.findByRole('textbox', { name: 'Public reply' }), 'On its way');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue('On its way');
  expect(within(conversation()).queryByText('On its way')).not.toBeInTheDocument();
});

it('keeps an unsent text per ticket', async () => {
  const { person, unmount } = open();
  await person.type(await screen.findByRole('textbox', { name: 'Public reply' }), 'Half a sen');
  unmount();
  open();
  expect(await screen.findByRole('textbox', { name: 'Public reply' })).toHaveValue('Half a sen');
});

it('changes status, priority and assignee optimistically', async () => {
  const { person } = open();
  const choose = async (name: string, option: string) => {
    await person.click(await screen.findByRole('combobox', { name }));
    await person.click(await screen.findByRole('option', { name: option }));
  };
  await choose('Status', 'In Progress');
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('In Progress');
  expect(await screen.findByText('Ticket status updated')).toBeInTheDocument();
  await choose('Priority', 'Urgent');
  await choose('Assignee', 'Marek Lindqvist');
  await waitFor(() =>
    expect(ticket()).toMatchObject({ status: 'in_progress', priority: 'urgent', assigned_to: backend.members[1]?.user_id }),
  );
});

it('reverts a rejected status with an error', async () => {
  server.use(http.patch(api('/tickets/:id'), () => refuse('permission.denied')));
  const { person } = open();
  await screen.findByRole('combobox', { name: 'Status' });
  await person.keyboard('e');
  expect(await screen.findByText('Failed to update ticket status')).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Open');
});

it('opens the selects with s, p and a', async () => {
  const { person } = open();
  await screen.findByRole('combobox', { name: 'Status' });
  for (const [key, option] of [
    ['s', 'Waiting for Customer'],
    ['p', 'Urgent'],
    ['a', 'Marek Lindqvist'],
  ] as const) {
    await person.keyboard(key);
    expect(await screen.findByRole('option', { name: option })).toBeInTheDocument();
    await person.keyboard('{Escape}');
  }
});

it('shows a teammate’s comment and status change without a reload', async () => {
  open();
  await screen.findByRole('combobox', { name: 'Status' });
  backend.comments = [aComment(ticket(), { content: 'From the other desk' })];
  ticket().status = 'closed';
  FakeEventSource.last.send({ type: 'ticket.comment.added', subject: ticket().id });
  expect(await screen.findByText('From the other desk')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Closed'));
});

it('shows Ticket Not Found for an unknown ticket, with a link back', async () => {
  renderApp('/tickets/01980000-0000-7000-8000-00000000dead');
  expect((await screen.findAllByText('Ticket Not Found')).length).toBeGreaterThan(0);
  expect(screen.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute('href', '/tickets');
});

it('returns to the list if the ticket cannot be loaded', async () => {
  server.use(http.get(api('/tickets/:id'), () => refuse('permission.denied')));
  const { address } = open();
  expect(await screen.findByText('Failed to load ticket')).toBeInTheDocument();
  await waitFor(() => expect(address()).toBe('/tickets'));
});

it('copies its URL', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  expect(await screen.findByText('Copied!')).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/tickets/${ticket().id}`);
});
