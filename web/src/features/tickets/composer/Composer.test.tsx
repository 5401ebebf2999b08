import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { aComment, aMacro, aMember, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0042' })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const conversation = () => within(screen.getByRole('list', { name: 'Conversation' }));
const reply = () => screen.findByRole('textbox', { name: 'Public reply' });
const sent = () => backend.comments.map(({ content }) => content);
const posts = () => backend.calls.filter((call) => call.startsWith('POST /tickets/') && call.endsWith('/comments'));

it('takes a text back into the composer while it waits, and sends nothing', async () => {
  const { person } = open();
  await person.type(await reply(), 'Too early');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  expect(await conversation().findByText('Too early')).toBeInTheDocument();
  expect(conversation().getByText(/Sending in (10|9) s/)).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await reply()).toHaveValue('Too early');
  expect(conversation().queryByText('Too early')).not.toBeInTheDocument();
  expect(posts()).toEqual([]);
});

it('puts a text that is taken back before what was begun since', async () => {
  const { person } = open();
  await person.type(await reply(), 'First');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.type(await reply(), 'Second');
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await reply()).toHaveValue('First\n\nSecond');
});

it('sends what waits when the page is closed, and keeps its draft until then', async () => {
  const { person } = open();
  await person.type(await reply(), 'Going home');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Going home'));
  act(() => void window.dispatchEvent(new Event('pagehide')));
  await waitFor(() => expect(sent()).toEqual(['Going home']));
});

it('still sends after the person went elsewhere in the app', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'On its way');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  unmount();
  open();
  expect(await screen.findByText('On its way')).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(sent()).toEqual(['On its way']));
  await waitFor(async () => expect(await reply()).toHaveValue(''));
});

it('holds a reply back when somebody wrote in the meantime, says who, and sends it anyway when told to', async () => {
  const first = aComment(ticket(), { content: 'Known', user_id: backend.members[1]!.user_id });
  backend.comments = [first];
  const { person } = open();
  await screen.findByText('Known');
  await person.type(await reply(), 'My answer');
  backend.comments.push(aComment(ticket(), { content: 'Just in', user_id: backend.members[1]!.user_id }));
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  const note = await screen.findByRole('alert');
  await waitFor(() => expect(note).toHaveTextContent('Marek Lindqvist wrote in the meantime'));
  const news = conversation().getByText('Just in').closest('article')!;
  expect(within(news).getByText('New')).toBeInTheDocument();
  expect(sent()).toEqual(['Known', 'Just in']);
  await person.click(screen.getByRole('button', { name: 'Send anyway' }));
  await waitFor(() => expect(sent()).toEqual(['Known', 'Just in', 'My answer']));
});

it('resolves with the reply in one step', async () => {
  const { person } = open();
  await person.type(await reply(), 'Done');
  await person.click(screen.getByRole('button', { name: 'More ways to send' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Send and resolve' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(ticket().status).toBe('resolved'));
  expect(posts()).toHaveLength(1);
});

it('offers colleagues after an @ and sends whom the text still mentions', async () => {
  backend.members.push(aMember({ first_name: 'Priya', last_name: 'Raman', email: 'priya@northwind.example' }));
  const { person } = open();
  await person.type(await reply(), 'Ask @mar');
  const list = await screen.findByRole('listbox', { name: 'Mention a teammate' });
  expect(within(list).getAllByRole('option')).toHaveLength(1);
  expect(await reply()).toHaveAttribute('aria-activedescendant', within(list).getByRole('option').id);
  await person.keyboard('{Enter}');
  await waitFor(async () => expect(await reply()).toHaveValue('Ask @Marek Lindqvist '));
  await person.type(await reply(), 'and @Pri');
  await person.click(await screen.findByRole('option', { name: /Priya Raman/ }));
  await waitFor(async () => expect(await reply()).toHaveValue('Ask @Marek Lindqvist and @Priya Raman '));
  fireEvent.change(await reply(), { target: { value: 'Ask @Priya Raman' } });
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(backend.comments[0]?.mentions).toEqual([backend.members[2]!.user_id]));
});

it('puts a canned reply in, filled and with its changes, of which each can be taken out', async () => {
  backend.macros = [
    aMacro({
      name: 'Shipped',
      content: 'Hello {{customer.name}}, {{ticket.number}} is on its way.',
      changes: { status: 'resolved', priority: 'low' },
    }),
    aMacro({ name: 'Refund', content: 'Money back' }),
  ];
  const { person } = open();
  await person.type(await reply(), '/');
  await person.type(await screen.findByRole('combobox', { name: 'Search canned replies' }), 'ship');
  await screen.findByRole('option', { name: /Shipped/ });
  expect(screen.queryByRole('option', { name: /Refund/ })).not.toBeInTheDocument();
  await person.keyboard('{Enter}');
  expect(await reply()).toHaveValue('Hello Jonas Weber, NC-0042 is on its way.');
  await person.click(await screen.findByRole('button', { name: 'Do not change: Priority: Low' }));
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(ticket()).toMatchObject({ status: 'resolved', priority: 'medium' }));
});

it('shows the newer draft of another device', async () => {
  backend.drafts.set(ticket().id, { content: 'From my phone', is_internal: true, updated_at: new Date().toISOString() });
  open();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Internal note' })).toHaveValue('From my phone'));
});

it('saves the draft when the person leaves the ticket', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'Half a sen');
  expect(backend.drafts.size).toBe(0);
  unmount();
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Half a sen'));
});

it('asks before the browser leaves only while the server does not have the text', async () => {
  server.use(http.put(api('/tickets/:id/draft'), () => refuse('service.unavailable')));
  const { person } = open();
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  await person.type(await reply(), 'Not yet');
  expect(leave()).toBe(true);
  expect(await screen.findByText(/Draft saved in this browser only/)).toBeInTheDocument();
});

it('shows and sends nothing of one person after another has signed in', async () => {
  const { person, unmount } = open();
  await person.type(await reply(), 'Only mine to say');
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(backend.drafts.get(ticket().id)?.content).toBe('Only mine to say'));
  act(() => dropUnsentWork());
  unmount();
  backend.drafts.clear();
  backend.me = aMember({ email: 'grace@northwind.example', first_name: 'Grace' });
  backend.signIn();
  open();
  expect(await reply()).toHaveValue('');
  expect(screen.queryByText('Only mine to say')).not.toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('pagehide')));
  expect(posts()).toEqual([]);
});
