import { act, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { FakeEventSource } from '../../testing/event-source';
import { aNotice, aTicket, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';

beforeEach(() => backend.signIn());

const calls = (call: string) => backend.calls.filter((each) => each.startsWith(call));
const bell = (name: string | RegExp = /^Notifications/) => screen.findByRole('button', { name });
const list = () => screen.findByRole('dialog', { name: 'Notifications' });
async function emitNotification(subject: string) {
  // The code of the event stream may still be loading.
  const stream = await waitFor(() => FakeEventSource.last);
  act(() => stream.send({ type: 'notification.created', subject }));
}

async function open(path = '/dashboard') {
  const view = renderApp(path);
  await view.person.click(await bell());
  return { ...view, list: await list() };
}

describe('the bell', () => {
  it('shows no count without unread notifications, and counts once', async () => {
    backend.notices = [aNotice({ read_at: '2026-11-20T10:05:00.000Z' })];
    renderApp('/dashboard');
    await bell('Notifications');
    // The bell is shown, and counts, while the code of the dashboard is still loading.
    await waitFor(() => expect(document.title).toBe('Support Dashboard · Tandem'));
    await waitFor(() => expect(calls('GET /notifications')).toEqual(['GET /notifications/unread']));
  });

  it('shows the unread count, including in the tab title, until sign-out', async () => {
    backend.notices = [aNotice(), aNotice(), aNotice()];
    const { person } = renderApp('/dashboard');
    expect(await bell('Notifications, 3 unread')).toHaveTextContent('3');
    await waitFor(() => expect(document.title).toBe('(3) Support Dashboard · Tandem'));
    await person.click(screen.getByRole('button', { name: 'Your profile' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() => expect(document.title).toBe('Sign In · Tandem'));
  });

  it('caps the count at 99', async () => {
    backend.notices = Array.from({ length: 120 }, () => aNotice());
    renderApp('/dashboard');
    expect(await bell('Notifications, 99+ unread')).toHaveTextContent('99+');
  });

  it('updates and announces the count for its user’s notifications only', async () => {
    renderApp('/dashboard');
    await bell('Notifications');
    await waitFor(() => expect(calls('GET /notifications/unread')).toHaveLength(1));
    backend.notices = [aNotice()];
    await emitNotification('somebody-else');
    await emitNotification(backend.me.user_id);
    await bell('Notifications, 1 unread');
    await waitFor(() => expect(screen.getByText('New notification, 1 unread')).toHaveAttribute('aria-live', 'polite'));
    expect(calls('GET /notifications')).toHaveLength(2);
  });

  it('has no count if it cannot be loaded', async () => {
    server.use(http.get(api('/notifications/unread'), () => refuse('permission.denied')));
    renderApp('/dashboard');
    await bell('Notifications');
    await waitFor(() => expect(calls('GET /notifications/unread')).toHaveLength(1));
  });
});

describe('the list', () => {
  it('describes each kind of notification in a sentence', async () => {
    backend.notices = [
      aNotice({ kind: 'assigned' }),
      aNotice({ kind: 'assigned', actor_name: null }),
      aNotice({ kind: 'mention' }),
      aNotice({ kind: 'customer_replied', actor_name: '<b>Jonas</b>' }),
      aNotice({ kind: 'sla_warning', actor_name: null }),
      aNotice({ kind: 'sla_breached', actor_name: null }),
      aNotice({ kind: 'escalated', actor_name: null, read_at: '2026-11-20T10:05:00.000Z' }),
    ];
    const { list } = await open();
    const links = await within(list).findAllByRole('link', { name: /NC-0042/ });
    const sentences = [
      'Unread: Grace Hopper assigned NC-0042 to you',
      'Unread: NC-0042 was assigned to you',
      'Unread: Grace Hopper mentioned you in NC-0042',
      'Unread: <b>Jonas</b> replied to NC-0042',
      'Unread: NC-0042 is due soon',
      'Unread: NC-0042 has missed its due time',
      'NC-0042 has been escalated',
    ];
    expect(links.map((link) => link.textContent)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence) as string));
    expect(links[0]).toHaveTextContent('Wrong grind');
    expect(links[0]).toHaveTextContent('5m ago');
    const { violations } = await axe.run(list, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('opens the ticket and marks its notifications as read with one call', async () => {
    const ticket = aTicket();
    backend.tickets = [ticket];
    backend.notices = [aNotice({ ticket_id: ticket.id }), aNotice({ ticket_id: ticket.id }), aNotice()];
    const { person, list, address } = await open();
    await person.click((await within(list).findAllByRole('link', { name: /NC-0042/ }))[0]!);
    await waitFor(() => expect(address()).toBe(`/tickets/${ticket.id}`));
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument();
    await bell('Notifications, 1 unread');
    expect(calls('POST /notifications/read')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Notifications, 1 unread' })).not.toHaveFocus();
  });

  it('shows the notifications of a ticket as one entry at its newest one, with its unread count', async () => {
    const ticket_id = aTicket().id;
    const at = (minutes: number) => ({ ticket_id, created_at: new Date(Date.now() - minutes * 60_000).toISOString() });
    backend.notices = [
      aNotice({ kind: 'customer_replied', actor_name: 'Jonas', ...at(1) }),
      aNotice({ kind: 'mention', ticket_number: 'NC-0007' }),
      aNotice({ kind: 'sla_warning', ...at(10) }),
      aNotice({ kind: 'mention', ...at(20) }),
      aNotice({ kind: 'sla_warning', ...at(25) }),
      aNotice({ kind: 'assigned', ...at(30), read_at: '2026-11-20T10:05:00.000Z' }),
    ];
    const { list, person } = await open();
    const entries = await within(list).findAllByRole('listitem');
    expect(entries).toHaveLength(2);
    expect(entries[0]).toHaveTextContent(/^4 unread: Jonas replied to NC-0042Wrong grind1m ago/);
    expect(entries[0]).toHaveTextContent('NC-0042 is due soon (2 times) · 10m ago');
    expect(entries[0]).toHaveTextContent('Grace Hopper mentioned you in NC-0042 · 20m ago');
    expect(entries[0]).toHaveTextContent('1 more update');
    expect(entries[1]).toHaveTextContent('Unread: Grace Hopper mentioned you in NC-0007');
    await bell('Notifications, 5 unread');
    await person.click(within(entries[0]!).getByRole('link'));
    await bell('Notifications, 1 unread');
    expect(backend.notices.map(({ read_at }) => read_at !== null)).toEqual([true, false, true, true, true, true]);
    expect(calls('POST /notifications/read')).toHaveLength(1);
  });

  it('links notifications without a ticket to the integration and marks only that one as read', async () => {
    const message = 'ClickUp no longer accepts the token of Ada. Connect it again.';
    const alert = aNotice({ kind: 'task_sync_failed', ticket_id: null, ticket_number: null, actor_name: null, subject: message });
    backend.notices = [alert, aNotice()];
    const { person, list, address } = await open();
    const link = await within(list).findByRole('link', { name: /Unread: The integration needs attention/ });
    expect(link).toHaveTextContent(message);
    await person.click(link);
    await waitFor(() => expect(address()).toBe('/integration'));
    await waitFor(() => expect(backend.notices.map(({ read_at }) => read_at !== null)).toEqual([true, false]));
    await bell('Notifications, 1 unread');
  });

  it('marks the notification that is opened as read, also before the unread ones are counted', async () => {
    const counted = Promise.withResolvers<void>();
    server.use(http.get(api('/notifications/unread'), () => counted.promise));
    backend.notices = [aNotice(), aNotice()];
    const { person, list } = await open();
    const [link] = await within(list).findAllByRole('link', { name: /^Unread/ });
    expect(within(list).getByRole('button', { name: 'Mark all as read' })).toBeEnabled();
    await person.click(link!);
    await waitFor(() => expect(backend.notices.some(({ read_at }) => read_at !== null)).toBe(true));
    counted.resolve();
  });

  it('marks all as read', async () => {
    backend.notices = [aNotice(), aNotice()];
    const { person, list } = await open();
    await within(list).findAllByText('Unread:');
    await person.click(within(list).getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(within(list).queryByText('Unread:')).not.toBeInTheDocument());
    expect(within(list).getByRole('button', { name: 'Mark all as read' })).toBeDisabled();
    await waitFor(() => expect(backend.notices.every(({ read_at }) => read_at !== null)).toBe(true));
  });

  it('reverts with an error if the server rejects it', async () => {
    server.use(http.post(api('/notifications/read'), () => refuse('internal')));
    backend.notices = [aNotice(), aNotice()];
    const { person, list } = await open();
    await within(list).findAllByText('Unread:');
    await person.click(within(list).getByRole('button', { name: 'Mark all as read' }));
    expect(await screen.findByText(/Couldn’t mark your notifications as read/)).toBeInTheDocument();
    expect(within(list).getAllByText('Unread:')).toHaveLength(2);
    await bell('Notifications, 2 unread');
  });

  it('shows more on request', async () => {
    backend.notices = Array.from({ length: 25 }, (_, n) => aNotice({ ticket_number: `NC-${n}` }));
    const { person, list } = await open();
    expect(await within(list).findAllByRole('listitem')).toHaveLength(20);
    await person.click(within(list).getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(25));
    expect(within(list).queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });

  it('shows new notifications while it is open', async () => {
    const { list } = await open();
    await within(list).findByText('Nothing yet');
    backend.notices = [aNotice({ kind: 'mention' })];
    await emitNotification(backend.me.user_id);
    expect(await within(list).findByText('Grace Hopper mentioned you in NC-0042')).toBeInTheDocument();
  });

  it('shows an error with a retry if it cannot be loaded', async () => {
    server.use(http.get(api('/notifications'), () => refuse('permission.denied')));
    backend.notices = [aNotice()];
    const { person, list } = await open();
    expect(await within(list).findByText('Couldn’t load your notifications')).toBeInTheDocument();
    server.resetHandlers();
    await person.click(within(list).getByRole('button', { name: 'Try Again' }));
    expect(await within(list).findByRole('listitem')).toBeInTheDocument();
  });

  it('works by keyboard: Enter opens it, Escape closes it and returns the focus', async () => {
    backend.notices = [aNotice()];
    const { person } = renderApp('/dashboard');
    const button = await bell('Notifications, 1 unread');
    act(() => button.focus());
    await person.keyboard('{Enter}');
    expect(await list()).toContainElement(document.activeElement as HTMLElement);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).not.toBeInTheDocument());
    await waitFor(async () => expect(await bell()).toHaveFocus());
  });

  it('links to the notification settings', async () => {
    const { person, list, address } = await open();
    await person.click(within(list).getByRole('link', { name: 'Notification settings' }));
    await waitFor(() => expect(address()).toBe('/account'));
  });
});
