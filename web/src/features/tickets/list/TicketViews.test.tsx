import { screen, waitFor, within } from '@testing-library/react';
import { aCustomField, aTicket, aView, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => backend.signIn());
const rail = () => screen.findByRole('navigation', { name: 'Views' });

it('shows built-in and saved views with their counts, and opens one', async () => {
  backend.tickets = [aTicket({ subject: 'Burning', priority: 'urgent' }), aTicket({ subject: 'Calm', status: 'closed' })];
  backend.views = [aView({ name: 'Urgent ones', is_shared: true })];
  const { person, address } = renderApp('/tickets');
  const views = await rail();
  expect(await within(views).findByRole('link', { name: /All tickets 2/ })).toHaveAttribute('aria-current', 'page');
  expect(within(views).getByRole('link', { name: /^Open 1/ })).toBeInTheDocument();
  expect(within(views).getByRole('link', { name: /Assigned to me 0/ })).toBeInTheDocument();
  expect(within(views).getByRole('link', { name: /Unassigned 1/ })).toBeInTheDocument();
  await person.click(within(views).getByRole('link', { name: /Urgent ones Shared 1/ }));
  expect(address()).toBe(`/tickets?priority=urgent&view=${backend.views[0]?.id}`);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Calm' })).not.toBeInTheDocument());
});

it('saves the filters as a view, with a name and shared', async () => {
  const { person, address } = renderApp('/tickets?status=open&tag=vip');
  await person.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save as view' });
  await person.click(within(dialog).getByRole('button', { name: 'Save View' }));
  expect(await within(dialog).findByText('Enter a name for the view')).toBeInTheDocument();
  await person.type(within(dialog).getByLabelText('Name'), 'Important customers');
  await person.click(within(dialog).getByRole('switch'));
  await person.click(within(dialog).getByRole('button', { name: 'Save View' }));
  expect(await within(await rail()).findByRole('link', { name: /Important customers/ })).toHaveAttribute('aria-current', 'page');
  expect(backend.views[0]).toMatchObject({ name: 'Important customers', is_shared: true, filter: { status: ['open'], tag: ['vip'] } });
  expect(address()).toBe(`/tickets?status=open&tag=vip&view=${backend.views[0]?.id}`);
});

it('shows that a view was modified, and updates or deletes it', async () => {
  backend.views = [aView({ name: 'Urgent ones' })];
  const { person } = renderApp(`/tickets?priority=high,urgent&view=${backend.views[0]?.id}`);
  expect(await screen.findByText('Modified')).toBeInTheDocument();
  const menu = async () => person.click(screen.getByRole('button', { name: 'Actions for view Urgent ones' }));
  await menu();
  await person.click(await screen.findByRole('menuitem', { name: 'Update view' }));
  await waitFor(() => expect(screen.queryByText('Modified')).not.toBeInTheDocument());
  expect(backend.views[0]?.filter.priority?.sort()).toEqual(['high', 'urgent']);
  await menu();
  await person.click(await screen.findByRole('menuitem', { name: 'Delete view' }));
  await person.click(await screen.findByRole('button', { name: 'Delete View' }));
  await waitFor(() => expect(backend.views).toEqual([]));
});

it('lets only managers and admins change views of others', async () => {
  backend.me.role = 'agent';
  backend.signIn();
  backend.views = [aView({ name: 'From Marek', is_shared: true, owner_id: backend.members[1]!.user_id })];
  renderApp('/tickets');
  await within(await rail()).findByRole('link', { name: /From Marek/ });
  expect(screen.queryByRole('button', { name: 'Actions for view From Marek' })).not.toBeInTheDocument();
});

it('offers the views in a menu on narrow screens', async () => {
  window.innerWidth = 800;
  backend.tickets = [aTicket()];
  const { person, address } = renderApp('/tickets');
  await person.click(await screen.findByRole('button', { name: 'View: All tickets' }));
  await person.click(await screen.findByRole('menuitemradio', { name: 'Open (1)' }));
  expect(address()).toBe('/tickets?status=open,in_progress&snoozed=false');
});

describe('conditions of a view', () => {
  const refund = { field: 'subject', op: 'contains', value: 'refund' } as const;
  const billing = { field: 'category', op: 'is', value: 'billing' } as const;

  const choose = async (person: ReturnType<typeof renderApp>['person'], name: string, option: string) => {
    await person.click(screen.getByRole('combobox', { name }));
    await person.click(await screen.findByRole('option', { name: option }));
  };

  it('are edited in its dialog and shown in words', async () => {
    backend.tickets = [aTicket({ subject: 'Refund please', priority: 'urgent' }), aTicket({ subject: 'Other', priority: 'urgent' })];
    backend.views = [aView({ name: 'Urgent ones' })];
    const { person } = renderApp(`/tickets?priority=urgent&view=${backend.views[0]?.id}`);
    await person.click(await screen.findByRole('button', { name: 'Actions for view Urgent ones' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Edit view' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit view' }));
    await choose(person, 'Tickets', 'Tickets that match all conditions');
    await choose(person, 'Field', 'Subject');
    await choose(person, 'Comparison', 'contains');
    await person.click(dialog.getByRole('button', { name: 'Save View' }));
    expect(await dialog.findByText('Enter a value')).toBeInTheDocument();
    await person.type(dialog.getByRole('textbox', { name: 'Value' }), 'refund');
    await person.click(dialog.getByRole('button', { name: 'Save View' }));
    expect(await screen.findByText('Subject contains “refund”')).toBeInTheDocument();
    expect(backend.views[0]?.filter).toEqual({ priority: ['urgent'], condition: { all: [refund] } });
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Other' })).not.toBeInTheDocument());
    expect(screen.queryByText('Modified')).not.toBeInTheDocument();
  });

  it('can be the only part of a new view', async () => {
    const { person } = renderApp('/tickets');
    await person.click(await within(await rail()).findByRole('button', { name: 'New view' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New view' }));
    await person.type(dialog.getByLabelText('Name'), 'Refunds');
    await choose(person, 'Tickets', 'Tickets that match all conditions');
    await choose(person, 'Field', 'Subject');
    await choose(person, 'Comparison', 'contains');
    await person.type(dialog.getByRole('textbox', { name: 'Value' }), 'refund');
    await person.click(dialog.getByRole('button', { name: 'Save View' }));
    expect(await within(await rail()).findByRole('link', { name: /Refunds/ })).toHaveAttribute('aria-current', 'page');
    expect(backend.views[0]?.filter).toEqual({ condition: { all: [refund] } });
  });

  it('work in a link, and are removed one by one', async () => {
    backend.tickets = [aTicket({ subject: 'Refund', category: 'Billing' }), aTicket({ subject: 'Refund too', category: null })];
    const condition = encodeURIComponent(JSON.stringify({ all: [refund, billing] }));
    const { person, address } = renderApp(`/tickets?condition=${condition}`);
    const chips = await screen.findByRole('list', { name: 'Active filters' });
    expect(await within(chips).findByText('Category is billing')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Refund' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Refund too' })).not.toBeInTheDocument();
    await person.click(within(chips).getByRole('button', { name: 'Remove the condition: category is billing' }));
    expect(await screen.findByRole('link', { name: 'Refund too' })).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Remove the condition: subject contains “refund”' }));
    expect(address()).toBe('/tickets');
  });

  it('on custom fields work in a link', async () => {
    backend.customFields = [aCustomField({ key: 'seats', label: 'Seats', type: 'number' })];
    backend.tickets = [aTicket({ subject: 'Team', custom_fields: { seats: 12 } }), aTicket({ subject: 'Single' })];
    const condition = encodeURIComponent(JSON.stringify({ field: 'custom_fields.seats', op: 'at_least', value: 10 }));
    renderApp(`/tickets?condition=${condition}`);
    const chips = await screen.findByRole('list', { name: 'Active filters' });
    expect(await within(chips).findByText('Seats is at least 10')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Team' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Single' })).not.toBeInTheDocument();
  });

  it('that are not valid count as none', async () => {
    backend.tickets = [aTicket({ subject: 'Any' })];
    renderApp('/tickets?condition=%7B%22field%22%3A%22text%22%7D');
    expect(await screen.findByRole('link', { name: 'Any' })).toBeInTheDocument();
  });
});
