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
const tell = (subject: string) => act(() => FakeEventSource.last.send({ type: 'notification.created', subject }));

async function open(path = '/dashboard') {
  const view = renderApp(path);
  await view.person.click(await bell());
  return { ...view, list: await list() };
}

describe('the bell', () => {
  it('shows nothing where nothing is unread, and counts once', async () => {
    backend.notices = [aNotice({ read_at: '2026-11-20T10:05:00.000Z' })];
    renderApp('/dashboard');
    await bell('Notifications');
    await waitFor(() => expect(calls('GET /notifications')).toEqual(['GET /notifications/unread']));
    expect(document.title).toBe('Support Dashboard · Tandem');
  });

  it('shows how many are unread, also in the name of the tab, until somebody leaves', async () => {
    backend.notices = [aNotice(), aNotice(), aNotice()];
    const { person } = renderApp('/dashboard');
    expect(await bell('Notifications, 3 unread')).toHaveTextContent('3');
    await waitFor(() => expect(document.title).toBe('(3) Support Dashboard · Tandem'));
    await person.click(screen.getByRole('button', { name: 'Your profile' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() => expect(document.title).toBe('Sign In · Tandem'));
  });

  it('counts no further than 99', async () => {
    backend.notices = Array.from({ length: 120 }, () => aNotice());
    renderApp('/dashboard');
    expect(await bell('Notifications, 99+ unread')).toHaveTextContent('99+');
  });

  it('counts again when its person was told something, and says so; of others it takes no notice', async () => {
    renderApp('/dashboard');
    await bell('Notifications');
    await waitFor(() => expect(calls('GET /notifications/unread')).toHaveLength(1));
    backend.notices = [aNotice()];
    tell('somebody-else');
    tell(backend.me.user_id);
    await bell('Notifications, 1 unread');
    await waitFor(() => expect(screen.getByText('New notification, 1 unread')).toHaveAttribute('aria-live', 'polite'));
    expect(calls('GET /notifications')).toHaveLength(2);
  });

  it('is there without a count when that cannot be had', async () => {
    server.use(http.get(api('/notifications/unread'), () => refuse('permission.denied')));
    renderApp('/dashboard');
    await bell('Notifications');
    await waitFor(() => expect(calls('GET /notifications/unread')).toHaveLength(1));
  });
});

describe('the list', () => {
  it('says what has happened, in a sentence for each kind', async () => {
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
    expect(links[0]).toHaveTextContent('5 min. ago');
    const { violations } = await axe.run(list, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('opens the ticket and marks its notices as read, with one call', async () => {
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

  it('leads to the integration from what is about no ticket, and marks that one alone as read', async () => {
    const message = 'ClickUp no longer takes the token of Ada. Connect it again.';
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

  it('marks all as read at once', async () => {
    backend.notices = [aNotice(), aNotice()];
    const { person, list } = await open();
    await within(list).findAllByText('Unread:');
    await person.click(within(list).getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(within(list).queryByText('Unread:')).not.toBeInTheDocument());
    expect(within(list).getByRole('button', { name: 'Mark all as read' })).toBeDisabled();
    await waitFor(() => expect(backend.notices.every(({ read_at }) => read_at !== null)).toBe(true));
  });

  it('takes back what the server refused, and says so', async () => {
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

  it('shows what comes while it is open', async () => {
    const { list } = await open();
    await within(list).findByText('Nothing yet');
    backend.notices = [aNotice({ kind: 'mention' })];
    tell(backend.me.user_id);
    expect(await within(list).findByText('Grace Hopper mentioned you in NC-0042')).toBeInTheDocument();
  });

  it('says when it cannot be had, and tries again', async () => {
    server.use(http.get(api('/notifications'), () => refuse('permission.denied'), { once: true }));
    backend.notices = [aNotice()];
    const { person, list } = await open();
    expect(await within(list).findByText('Couldn’t load your notifications')).toBeInTheDocument();
    await person.click(within(list).getByRole('button', { name: 'Try Again' }));
    expect(await within(list).findByRole('listitem')).toBeInTheDocument();
  });

  it('is used by keyboard alone: Enter opens it, Escape closes it and gives the focus back', async () => {
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

  it('leads to what one wants to be told', async () => {
    const { person, list, address } = await open();
    await person.click(within(list).getByRole('link', { name: 'Notification settings' }));
    await waitFor(() => expect(address()).toBe('/account'));
  });
});
