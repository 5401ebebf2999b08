import { screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

beforeEach(() => backend.signIn());
const rows = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
const choose = async (person: ReturnType<typeof renderApp>['person'], filter: string, option: string) => {
  await person.click(await screen.findByRole('combobox', { name: filter }));
  await person.click(await screen.findByRole('option', { name: option }));
};

it('shows on each card the details that an agent needs', async () => {
  const marek = backend.members[1]!;
  backend.tickets = [
    aTicket({
      ticket_number: 'NC-0042',
      subject: 'Wrong grind',
      priority: 'urgent',
      customer_name: null,
      comment_count: 3,
      task: { provider: 'clickup', task_id: 'x1', url: 'https://app.clickup.com/t/x1' },
      assigned_to: marek.user_id,
      assignee: marek,
    }),
  ];
  renderApp('/tickets');
  const card = (await screen.findByRole('link', { name: 'Wrong grind' })).closest('li')!;
  for (const text of [
    'NC-0042',
    'Open',
    'Urgent',
    'Linked to a task',
    'jonas@example.com',
    'All twelve bags came ground.',
    'Marek Lindqvist',
    '3 comments',
  ])
    expect(card).toHaveTextContent(text);
  expect(within(card).getByText('Nov 20, 2026', { exact: false })).toBeInTheDocument();
});

it('reads the filters from the URL', async () => {
  backend.tickets = [
    aTicket({ subject: 'Leaking machine', status: 'resolved', priority: 'high' }),
    aTicket({ subject: 'Leaking lid', status: 'open' }),
  ];
  renderApp('/tickets?search=leak&status=resolved&priority=high&assignee=unassigned');
  expect(await screen.findByRole('link', { name: 'Leaking machine' })).toBeInTheDocument();
  expect(rows()).toEqual(['Leaking machine']);
  expect(screen.getByRole('searchbox', { name: 'Search tickets' })).toHaveValue('leak');
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Resolved');
  expect(screen.getByRole('combobox', { name: 'Priority' })).toHaveTextContent('High');
  expect(screen.getByRole('combobox', { name: 'Assignee' })).toHaveTextContent('Unassigned');
});

it('downloads the tickets of the filtered list as CSV', async () => {
  let href: string | null = null;
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    href = this.getAttribute('href');
  });
  const { person } = renderApp('/tickets?search=leak&status=open,resolved&sort=oldest');
  await person.click(await screen.findByRole('button', { name: 'List actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Download as CSV' }));
  await waitFor(() => expect(href).toBe('/api/v1/tickets.csv?search=leak&status=open%2Cresolved&sort=oldest'));
  click.mockRestore();
});

it('writes the filters to the URL', async () => {
  backend.tickets = [aTicket({ status: 'closed' }), aTicket({ subject: 'Late delivery' })];
  const { person, address } = renderApp('/tickets');
  await choose(person, 'Status', 'Open');
  expect(address()).toBe('/tickets?status=open');
  await choose(person, 'Assignee', 'Marek Lindqvist');
  expect(address()).toBe(`/tickets?status=open&assignee=${backend.members[1]?.user_id}`);
  await choose(person, 'Assignee', 'All assignees');
  await person.type(screen.getByRole('searchbox'), 'late');
  await waitFor(() => expect(address()).toBe('/tickets?status=open&search=late'));
  await waitFor(() => expect(rows()).toEqual(['Late delivery']));
});

it('links to creating the first ticket if there is none', async () => {
  renderApp('/tickets');
  expect(await screen.findByText('No tickets found')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Create Your First Ticket' })).toHaveAttribute('href', '/tickets/new');
});

it('resolves and reopens from the card’s menu optimistically', async () => {
  backend.tickets = [aTicket({ ticket_number: 'NC-0007' })];
  const { person } = renderApp('/tickets');
  const menu = async () => person.click(await screen.findByRole('button', { name: 'Actions for NC-0007' }));
  await menu();
  expect(await screen.findByRole('menuitem', { name: 'View Details' })).toBeInTheDocument();
  expect(screen.getByRole('menuitem', { name: 'Edit Ticket' })).toBeInTheDocument();
  expect(screen.queryByRole('menuitem', { name: 'Reopen Ticket' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('menuitem', { name: 'Mark as Resolved' }));
  expect(await screen.findByText('Ticket status updated')).toBeInTheDocument();
  expect(backend.tickets[0]?.status).toBe('resolved');
  await menu();
  await person.click(await screen.findByRole('menuitem', { name: 'Reopen Ticket' }));
  await waitFor(() => expect(backend.tickets[0]?.status).toBe('open'));
});

describe('undo', () => {
  const resolveFirst = async (person: ReturnType<typeof renderApp>['person']) => {
    await person.click(await screen.findByRole('button', { name: 'Actions for NC-0007' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Mark as Resolved' }));
    expect(await screen.findByText('NC-0007: In Progress → Resolved')).toBeInTheDocument();
  };
  beforeEach(() => {
    backend.tickets = [aTicket({ ticket_number: 'NC-0007', status: 'in_progress' }), aTicket({ subject: 'Other ticket' })];
  });

  it('reverts the last change with z, on any page', async () => {
    const { person } = renderApp('/tickets');
    await resolveFirst(person);
    await person.keyboard('gd');
    await screen.findByRole('heading', { name: 'Support Dashboard' });
    await person.keyboard('z');
    expect(await screen.findByText('NC-0007: Resolved → In Progress')).toBeInTheDocument();
    expect(backend.tickets[0]?.status).toBe('in_progress');
    await waitFor(() => expect(screen.queryByText('NC-0007: In Progress → Resolved')).not.toBeInTheDocument());
  });

  it('reverts the change that is still being saved, not the one before it', async () => {
    backend.tickets.push(aTicket({ ticket_number: 'NC-0008', status: 'open' }));
    const { person } = renderApp('/tickets');
    await resolveFirst(person);
    const { promise, resolve } = Promise.withResolvers<void>();
    // Then the backend answers.
    server.use(http.patch(api('/tickets/:id'), () => promise));
    await person.click(screen.getByRole('button', { name: 'Actions for NC-0008' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Mark as Resolved' }));
    await person.keyboard('z');
    resolve();
    expect(await screen.findByText('NC-0008: Resolved → Open')).toBeInTheDocument();
    expect(backend.tickets.map(({ status }) => status)).toEqual(['resolved', expect.any(String), 'open']);
  });

  it('reverts the change that its toast reports', async () => {
    const { person } = renderApp('/tickets');
    await resolveFirst(person);
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(backend.tickets[0]?.status).toBe('in_progress'));
    await person.keyboard('z');
    expect(backend.tickets[0]?.status).toBe('in_progress');
  });

  it('does not overwrite what another user has changed since', async () => {
    const { person } = renderApp('/tickets');
    await resolveFirst(person);
    backend.tickets[0]!.status = 'closed';
    await person.keyboard('z');
    expect(await screen.findByText('NC-0007 has changed since. Nothing was undone.')).toBeInTheDocument();
    expect(backend.tickets[0]?.status).toBe('closed');
  });
});

it('reverts a rejected change with an error', async () => {
  backend.tickets = [aTicket({ ticket_number: 'NC-0007' })];
  server.use(http.patch(api('/tickets/:id'), () => refuse('permission.denied')));
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('button', { name: 'Actions for NC-0007' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Mark as Resolved' }));
  expect(await screen.findByText('Failed to update ticket status')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Wrong grind' }).closest('li')).toHaveTextContent('Open');
});

it('shows an error with a retry if the list cannot be loaded', async () => {
  backend.tickets = [aTicket()];
  server.use(http.get(api('/tickets'), () => refuse('permission.denied')));
  const { person } = renderApp('/tickets');
  const retry = await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.getAllByText('Failed to load tickets').length).toBeGreaterThan(0);
  server.resetHandlers();
  await person.click(retry);
  expect(await screen.findByRole('link', { name: 'Wrong grind' })).toBeInTheDocument();
});

it('loads more with the cursor', async () => {
  backend.tickets = Array.from({ length: 40 }, (_, index) => aTicket({ subject: `Ticket ${index}` }));
  const { person } = renderApp('/tickets');
  expect(await screen.findByText('40 tickets')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByRole('link', { name: 'Ticket 39' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it('moves through the list by keyboard, opens a ticket next to it, and searches', async () => {
  backend.tickets = [aTicket({ subject: 'First' }), aTicket({ subject: 'Second' })];
  const { person, address } = renderApp('/tickets?status=open');
  await screen.findByRole('link', { name: 'First' });
  await person.keyboard('jj');
  expect(screen.getByRole('link', { name: 'Second' })).toHaveFocus();
  await person.keyboard('ko');
  await waitFor(() => expect(address()).toBe(`/tickets/${backend.tickets[0]?.id}?status=open`));
  expect(await screen.findByRole('article', { name: 'Ticket NC-0001' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Second' })).toBeVisible();
  await person.click(screen.getByRole('link', { name: 'Close ticket' }));
  await person.keyboard('/');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  await person.keyboard('jc');
  expect(screen.getByRole('searchbox')).toHaveValue('jc');
});

it('shows a ticket created by another user without a reload', async () => {
  renderApp('/tickets');
  await screen.findByText('No tickets found');
  const ticket = aTicket({ subject: 'Just arrived' });
  backend.tickets = [ticket];
  FakeEventSource.last.send({ type: 'ticket.created', subject: ticket.id });
  expect(await screen.findByRole('link', { name: 'Just arrived' })).toBeInTheDocument();
});

it('shows a ticket on the whole page on a narrow screen, with a link back to the same list', async () => {
  window.innerWidth = 390;
  backend.tickets = [aTicket({ subject: 'First' })];
  const { person, address } = renderApp('/tickets?status=open');
  await person.click(await screen.findByRole('link', { name: 'First' }));
  await person.click(await screen.findByRole('link', { name: 'Back to Tickets' }));
  expect(address()).toBe('/tickets?status=open');
  await waitFor(() => expect(screen.getByRole('link', { name: 'First' })).toHaveFocus());
});

it('marks tickets that the user has not read, until they open them', async () => {
  backend.tickets = [aTicket({ subject: 'First' }), aTicket({ subject: 'Second' })];
  for (const { id } of backend.tickets) backend.unread.add(id);
  const { person } = renderApp('/tickets');
  const card = async (subject: string) => (await screen.findByRole('link', { name: subject })).closest('li')!;
  await waitFor(async () => expect(await card('First')).toHaveTextContent('Unread'));
  await person.click(screen.getByRole('link', { name: 'First' }));
  await waitFor(async () => expect(await card('First')).not.toHaveTextContent('Unread'));
  expect(await card('Second')).toHaveTextContent('Unread');
  await waitFor(() => expect([...backend.unread]).toEqual([backend.tickets[1]!.id]));
  await person.keyboard('u');
  await waitFor(async () => expect(await card('First')).toHaveTextContent('Unread'));
  expect(backend.unread.size).toBe(2);
});

it('marks the focused row as read and unread with u, and follows other tabs without a request', async () => {
  backend.tickets = [aTicket({ subject: 'First' })];
  backend.unread.add(backend.tickets[0]!.id);
  const { person } = renderApp('/tickets');
  const card = (await screen.findByRole('link', { name: 'First' })).closest('li')!;
  await person.keyboard('ju');
  await waitFor(() => expect(card).not.toHaveTextContent('Unread'));
  await person.keyboard('u');
  await waitFor(() => expect(card).toHaveTextContent('Unread'));
  backend.calls = [];
  FakeEventSource.last.send({ type: 'ticket.read', subject: backend.tickets[0]!.id, own: true });
  await waitFor(() => expect(card).not.toHaveTextContent('Unread'));
  FakeEventSource.last.send({ type: 'ticket.marked_unread', subject: backend.tickets[0]!.id, own: true });
  await waitFor(() => expect(card).toHaveTextContent('Unread'));
  expect(backend.calls).toEqual([]);
});

it('shows the rows in the density that the user chose, and switches it by key', async () => {
  backend.listPreferences = { density: 'compact', group_by: null, columns: null };
  backend.tickets = [aTicket({ comment_count: 0, customer_replied_last: true })];
  const { person } = renderApp('/tickets');
  const height = () => screen.getByRole('link', { name: 'Wrong grind' }).closest('li')?.firstElementChild?.className;
  expect(await screen.findByRole('button', { name: 'Compact rows', pressed: true })).toBeInTheDocument();
  await screen.findByRole('link', { name: 'Wrong grind' });
  expect(height()).toContain('h-10');
  await person.keyboard('v');
  expect(height()).toContain('h-16');
  await waitFor(() => expect(backend.listPreferences?.density).toBe('comfortable'));
  const card = screen.getByRole('link', { name: 'Wrong grind' }).closest('li');
  expect(card).toHaveTextContent('The customer replied last');
  expect(card).not.toHaveTextContent('0 comments');
  await person.click(screen.getByRole('button', { name: 'Compact rows' }));
  await waitFor(() => expect(backend.listPreferences?.density).toBe('compact'));
});

it('saves one choice at a time, so that the latest one is stored', async () => {
  backend.tickets = [aTicket()];
  const sent: unknown[] = [];
  let underWay = 0;
  let most = 0;
  server.use(
    http.put(api('/list-preferences'), async ({ request }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      sent.push(await request.json());
      await delay(20);
      underWay -= 1;
      return answer({ density: 'comfortable', group_by: null, columns: null });
    }),
  );
  const { person } = renderApp('/tickets');
  await screen.findByRole('link', { name: 'Wrong grind' });
  await person.keyboard('v');
  await person.keyboard('v');
  await waitFor(() => expect(sent).toEqual([{ density: 'compact' }, { density: 'comfortable' }]));
  await waitFor(() => expect(underWay).toBe(0));
  expect(most).toBe(1);
});

it('snoozes the focused row by key, and shows until when', async () => {
  backend.tickets = [aTicket()];
  const { person } = renderApp('/tickets');
  const card = (await screen.findByRole('link', { name: 'Wrong grind' })).closest('li');
  await person.keyboard('jh');
  await person.keyboard('until the cust{Enter}');
  expect(await screen.findByText('Snoozed until the customer replies')).toBeInTheDocument();
  expect(card).toHaveTextContent('Until a reply');
  expect(backend.tickets[0]).toMatchObject({ snoozed_at: expect.any(String), snoozed_until: null });
  await person.keyboard('h');
  await person.click(await screen.findByRole('option', { name: 'End snooze' }));
  await waitFor(() => expect(backend.tickets[0]?.snoozed_at).toBeNull());
  await waitFor(() => expect(screen.getByRole('link', { name: 'Wrong grind' })).toHaveFocus());
  await person.keyboard('h');
  await person.click(await screen.findByRole('option', { name: 'Pick a date and time…' }));
  const date = await screen.findByLabelText('Date and time');
  await person.clear(date);
  await person.click(screen.getByRole('button', { name: 'Snooze' }));
  expect(await screen.findByText('Choose a time in the future')).toBeInTheDocument();
  await person.type(date, '2099-01-04T08:00');
  await person.click(screen.getByRole('button', { name: 'Snooze' }));
  await waitFor(() => expect(backend.tickets[0]?.snoozed_until).toBe(new Date('2099-01-04T08:00').toISOString()));
});

it('continues with the next row after the focused one has left the list', async () => {
  backend.tickets = ['One', 'Two', 'Three'].map((subject) => aTicket({ subject }));
  const { person } = renderApp('/tickets?status=open');
  await screen.findByRole('link', { name: 'One' });
  await person.keyboard('jje');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Two' })).not.toBeInTheDocument());
  await person.keyboard('j');
  expect(screen.getByRole('link', { name: 'Three' })).toHaveFocus();
});

describe('groups', () => {
  const headings = () => [...document.querySelectorAll('[data-row] > p')].map((heading) => heading.textContent);

  it('arrange the loaded rows without a request, define the order for the keyboard, and are stored for the user', async () => {
    backend.tickets = [
      aTicket({ subject: 'One', status: 'resolved' }),
      aTicket({ subject: 'Two', status: 'open' }),
      aTicket({ subject: 'Three', status: 'resolved' }),
      aTicket({ subject: 'Four', status: 'open' }),
    ];
    const { person } = renderApp('/tickets');
    await screen.findByRole('link', { name: 'One' });
    await person.click(screen.getByRole('button', { name: 'Groups and columns' }));
    await screen.findByRole('dialog', { name: 'Groups and columns' });
    backend.calls = [];
    await choose(person, 'Group by', 'Status');
    await waitFor(() => expect(rows()).toEqual(['Two', 'Four', 'One', 'Three']));
    expect(headings()).toEqual(['Open2 tickets', 'Resolved2 tickets']);
    await waitFor(() => expect(backend.listPreferences?.group_by).toBe('status'));
    expect(backend.calls).toEqual(['PUT /list-preferences']);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Groups and columns' })).not.toBeInTheDocument());
    await person.keyboard('jj');
    expect(screen.getByRole('link', { name: 'Four' })).toHaveFocus();
    await person.keyboard('j');
    expect(screen.getByRole('link', { name: 'One' })).toHaveFocus();
  });
  it('are those that the user chose on another device, in every density', async () => {
    backend.listPreferences = { density: 'compact', group_by: 'priority', columns: null };
    backend.tickets = [aTicket({ subject: 'One', priority: 'low' }), aTicket({ subject: 'Two', priority: 'urgent' })];
    const { person } = renderApp('/tickets');
    await waitFor(() => expect(headings()).toEqual(['Urgent1 ticket', 'Low1 ticket']));
    await person.keyboard('v');
    expect(rows()).toEqual(['Two', 'One']);
    expect(headings()).toEqual(['Urgent1 ticket', 'Low1 ticket']);
  });
});

describe('columns', () => {
  const card = () => screen.getByRole('link', { name: 'Wrong grind' }).closest('li')!;

  it('can be hidden, shown and moved by keyboard, and are stored for the user', async () => {
    backend.tickets = [aTicket({ category: 'Grinders', customer_name: 'Jonas' })];
    const { person } = renderApp('/tickets');
    await screen.findByRole('link', { name: 'Wrong grind' });
    expect(card()).not.toHaveTextContent('Grinders');
    screen.getByRole('button', { name: 'Groups and columns' }).focus();
    await person.keyboard('{Enter}');
    (await screen.findByRole('checkbox', { name: 'Category' })).focus();
    await person.keyboard(' ');
    expect(card()).toHaveTextContent('Grinders');
    screen.getByRole('checkbox', { name: 'Customer' }).focus();
    await person.keyboard(' ');
    expect(card()).not.toHaveTextContent('Jonas');
    const up = screen.getByRole('button', { name: 'Move Due up' });
    up.focus();
    await person.keyboard('{Enter}{Enter}{Enter}{Enter}{Enter}');
    expect(up).toHaveFocus();
    expect(up).toHaveAttribute('aria-disabled', 'true');
    const saved = ['due', 'status', 'priority', 'assignee', 'flags', 'created', 'comments', 'category'];
    await waitFor(() => expect(backend.listPreferences?.columns).toEqual(saved));
    await person.click(screen.getByRole('button', { name: 'Move Due down' }));
    expect(screen.getByRole('button', { name: 'Move Due down' })).toHaveFocus();
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(backend.listPreferences?.columns).toBeNull());
    expect(card()).toHaveTextContent('Jonas');
    expect(card()).not.toHaveTextContent('Grinders');
  });
  it('are the same in both densities', async () => {
    backend.listPreferences = { density: 'compact', group_by: null, columns: ['tags', 'updated'] };
    backend.tickets = [aTicket({ tags: ['vip', 'beans'], customer_name: 'Jonas' })];
    const { person } = renderApp('/tickets');
    await waitFor(() => expect(card()).toHaveTextContent('vip, beans'));
    expect(card()).not.toHaveTextContent('Jonas');
    await person.keyboard('v');
    expect(card()).toHaveTextContent('vip, beans');
    expect(card()).toHaveTextContent('Updated');
    expect(card()).not.toHaveTextContent('Jonas');
  });
});
