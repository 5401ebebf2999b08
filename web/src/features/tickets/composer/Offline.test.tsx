import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { FakeEventSource } from '../../../testing/event-source';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0001', status: 'open' })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const conversation = () => screen.getByRole('list', { name: 'Conversation' });
const comeBack = () => act(() => void dispatchEvent(new Event('online')));

/** Refuses comments with 503 until the outage ends; later ones reach the default handler. */
function outage() {
  const keys: (string | null)[] = [];
  let isOver = false;
  server.use(
    http.post(api('/tickets/:id/comments'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return isOver ? undefined : refuse('service.unavailable');
    }),
  );
  return { keys, end: () => (isOver = true) };
}
async function send(person: ReturnType<typeof open>['person'], text: string) {
  await person.type(await screen.findByRole('textbox', { name: 'Public reply' }), text);
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
}

it('a reply written during an outage stays visible and is added once after the outage', async () => {
  const { keys, end } = outage();
  const { person } = open();
  await send(person, 'On its way');
  expect(await within(conversation()).findByText('Waiting for connection')).toBeInTheDocument();
  expect(screen.getByText('Offline. Your text is saved')).toBeInTheDocument();
  expect(screen.getByText('Reply to NC-0001 is sent when you’re back online')).toBeInTheDocument();
  end();
  comeBack();
  expect(await screen.findByText('Comment added')).toBeInTheDocument();
  expect(backend.comments.map(({ content }) => content)).toEqual(['On its way']);
  expect(new Set(keys).size).toBe(1);
  await waitFor(() => expect(screen.queryByText('Offline. Your text is saved')).not.toBeInTheDocument());
});

it('a waiting reply can be withdrawn to the composer', async () => {
  outage();
  const { person } = open();
  await send(person, 'Too early');
  await person.click(await within(conversation()).findByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue('Too early'));
  expect(screen.queryByText('Failed to add comment')).not.toBeInTheDocument();
  expect(screen.queryByText('Offline. Your text is saved')).not.toBeInTheDocument();
});

it('a waiting reply is sent after a reload, from any page, with the same key', async () => {
  const { keys, end } = outage();
  const { person, unmount } = open();
  await send(person, 'Survives');
  await within(conversation()).findByText('Waiting for connection');
  const [tab, browser] = [sessionStorage, localStorage].map((storage) => ({ ...storage }));
  unmount();
  // Simulates a reload: only stored data survives.
  dropUnsentWork();
  await waitFor(() => expect(sessionStorage.getItem('outbox')).toBeNull());
  await new Promise((resolve) => setTimeout(resolve));
  for (const [key, value] of Object.entries(tab!)) sessionStorage.setItem(key, value);
  for (const [key, value] of Object.entries(browser!)) localStorage.setItem(key, value);
  end();
  renderApp('/dashboard');
  await waitFor(() => expect(backend.comments.map(({ content }) => content)).toEqual(['Survives']));
  expect(new Set(keys).size).toBe(1);
});

it('a waiting reply is sent once after a visit to public pages', async () => {
  const { keys, end } = outage();
  const { person } = open();
  await send(person, 'On its way');
  await within(conversation()).findByText('Waiting for connection');
  await person.click(screen.getByRole('button', { name: /^Your profile/ }));
  await person.click(await screen.findByRole('menuitem', { name: 'Documentation' }));
  await person.click(await screen.findByRole('link', { name: 'Tandem' }));
  await person.click(await screen.findByRole('link', { name: 'Dashboard' }));
  await screen.findByRole('heading', { name: 'Support Dashboard' });
  expect(screen.getByText('Reply to NC-0001 is sent when you’re back online')).toBeInTheDocument();
  end();
  comeBack();
  expect(await screen.findByText('Comment added')).toBeInTheDocument();
  expect(screen.queryByText('Failed to add comment')).not.toBeInTheDocument();
  expect(backend.comments.map(({ content }) => content)).toEqual(['On its way']);
  expect(new Set(keys).size).toBe(1);
});

it('a status change stays visible and is sent later, or is undone without an error when withdrawn', async () => {
  const sent: unknown[] = [];
  let isOver = false;
  server.use(
    http.patch(api('/tickets/:id'), async ({ request }) => {
      sent.push(request.headers.get('idempotency-key'));
      return isOver ? answer({ ...ticket(), status: 'resolved', version: ticket().version + 1 }) : refuse('service.unavailable');
    }),
  );
  const { person } = open();
  await screen.findByRole('combobox', { name: 'Status' });
  await person.keyboard('e');
  await person.click(await screen.findByRole('button', { name: 'Withdraw: Status Resolved' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Open'));
  expect(screen.queryByText('Failed to update ticket status')).not.toBeInTheDocument();
  sent.length = 0;
  await person.keyboard('e');
  await screen.findByText('Status Resolved is sent when you’re back online');
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Resolved');
  isOver = true;
  comeBack();
  expect(await screen.findByText('Ticket status updated')).toBeInTheDocument();
  expect(new Set(sent).size).toBe(1);
});

it('shows that the connection is lost while the browser is offline', async () => {
  open();
  await screen.findByRole('combobox', { name: 'Status' });
  act(() => void dispatchEvent(new Event('offline')));
  expect(screen.getByText('Offline. Your text is saved')).toBeInTheDocument();
  comeBack();
  await waitFor(() => expect(screen.queryByText('Offline. Your text is saved')).not.toBeInTheDocument());
});

it('shows that the connection is lost while the event stream cannot reconnect', async () => {
  open();
  await screen.findByRole('combobox', { name: 'Status' });
  act(() => void FakeEventSource.last.dispatchEvent(new Event('error')));
  expect(await screen.findByText('Offline. Your text is saved')).toBeInTheDocument();
  act(() => FakeEventSource.last.open());
  await waitFor(() => expect(screen.queryByText('Offline. Your text is saved')).not.toBeInTheDocument());
});
