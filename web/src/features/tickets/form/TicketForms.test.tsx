import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aCustomField, aTicket, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

beforeEach(() => backend.signIn());

it('creates a ticket and opens its page', async () => {
  const { person, address } = renderApp('/tickets/new');
  await person.type(await screen.findByLabelText('Subject'), '  Wrong grind ');
  await person.type(screen.getByLabelText('Customer email'), ' Jonas@Example.com ');
  await person.type(screen.getByLabelText(/^Tags/), 'wholesale,october{Enter}');
  await person.click(screen.getByRole('button', { name: 'Create Ticket' }));
  expect(await screen.findByText('Ticket created successfully')).toBeInTheDocument();
  expect(backend.tickets[0]).toMatchObject({
    subject: 'Wrong grind',
    customer_email: 'jonas@example.com',
    priority: 'medium',
    tags: ['wholesale', 'october'],
  });
  expect(address()).toBe(`/tickets/${backend.tickets[0]?.id}`);
});

it('starts with the organization’s default priority', async () => {
  const usual = organization.default_priority;
  organization.default_priority = 'high';
  try {
    const { person } = renderApp('/tickets/new');
    await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
    await person.type(screen.getByLabelText('Customer email'), 'jonas@example.com');
    await person.click(screen.getByRole('button', { name: 'Create Ticket' }));
    await screen.findByText('Ticket created successfully');
    expect(backend.tickets[0]).toMatchObject({ priority: 'high' });
  } finally {
    organization.default_priority = usual;
  }
});

it('requires subject and customer email', async () => {
  const { person } = renderApp('/tickets/new');
  await person.click(await screen.findByRole('button', { name: 'Create Ticket' }));
  expect((await screen.findAllByText('Subject and customer email are required')).length).toBeGreaterThan(1);
  expect(screen.getByLabelText('Subject')).toHaveFocus();
  expect(backend.calls).not.toContain('POST /tickets');
});

it('creates one ticket after an unanswered first attempt, which is retried automatically with the same key', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('/tickets'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return keys.length === 1 ? refuse('service.unavailable') : answer(aTicket(), { status: 201 });
    }),
  );
  const { person } = renderApp('/tickets/new');
  await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
  await person.type(screen.getByLabelText('Customer email'), 'jonas@example.com');
  const create = screen.getByRole('button', { name: 'Create Ticket' });
  await person.click(create);
  expect(await screen.findByText('Offline. Your text is saved')).toBeInTheDocument();
  expect(screen.getByLabelText('Subject')).toHaveValue('Wrong grind');
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

it('saves only changed fields, with the loaded version', async () => {
  backend.tickets = [aTicket({ subject: 'Wrong grind', version: 4 })];
  const seen: unknown[] = [];
  server.use(
    http.patch(api('/tickets/:id'), async ({ request }) => {
      seen.push(await request.json(), request.headers.get('if-match'));
      return answer(backend.tickets[0]);
    }),
  );
  const { person, address } = renderApp(`/tickets/${backend.tickets[0]?.id}/edit`);
  const category = await screen.findByLabelText(/^Category/);
  await person.type(category, 'Orders');
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(address()).toBe(`/tickets/${backend.tickets[0]?.id}`));
  expect(seen).toEqual([{ category: 'Orders' }, '"v4"']);
});

it('shows a concurrent change, and saves on the second try', async () => {
  backend.tickets = [aTicket()];
  server.use(http.patch(api('/tickets/:id'), () => refuse('ticket.changed'), { once: true }));
  const { person } = renderApp(`/tickets/${backend.tickets[0]?.id}/edit`);
  await person.type(await screen.findByLabelText(/^Category/), 'Orders');
  const save = screen.getByRole('button', { name: 'Save Changes' });
  await person.click(save);
  expect(await screen.findByText(/Another change was saved in the meantime/)).toBeInTheDocument();
  await person.click(save);
  await waitFor(() => expect(backend.tickets[0]?.category).toBe('Orders'));
});

it('merges fields changed by the other user, and asks about fields changed by both', async () => {
  const ticket = aTicket({ subject: 'Wrong grind', category: null, customer_name: 'Jonas Weber' });
  backend.tickets = [ticket];
  const seen: { body: unknown; version: string | null }[] = [];
  server.use(
    http.patch(api('/tickets/:id'), async ({ request }) => {
      seen.push({ body: await request.json(), version: request.headers.get('if-match') });
      if (seen.length > 1) return answer(backend.tickets[0]);
      backend.tickets = [{ ...ticket, category: 'Billing', customer_name: 'Jonas W.', priority: 'high', version: 9 }];
      return refuse('ticket.changed');
    }),
  );
  const { person } = renderApp(`/tickets/${ticket.id}/edit`);
  await person.type(await screen.findByLabelText(/^Category/), 'Orders');
  await person.type(screen.getByLabelText(/^Customer name/), ' senior');
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Updated from that change: Priority.')).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: 'Priority' })).toHaveTextContent('High');
  expect(screen.getByRole('textbox', { name: /^Category/ })).toHaveValue('Orders');
  const conflict = (name: string) => within(screen.getByRole('listitem', { name }));
  expect(conflict('Category').getByText('Billing')).toBeInTheDocument();
  await person.click(conflict('Category').getByRole('button', { name: 'Keep mine' }));
  await person.click(conflict('Customer name').getByRole('button', { name: 'Use theirs' }));
  expect(screen.getByRole('textbox', { name: /^Customer name/ })).toHaveValue('Jonas W.');
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(seen[1]).toEqual({ body: { category: 'Orders' }, version: '"v9"' }));
});

it('sends the files of a new ticket', async () => {
  const bodies: Record<string, unknown>[] = [];
  server.use(
    http.post(api('/attachments'), () =>
      answer({ attachment_id: 'file-1', upload_url: '/api/v1/files/t', expires_at: new Date().toISOString() }, { status: 201 }),
    ),
    http.put(api('/files/:token'), () => answer({})),
    http.post(api('/tickets'), async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return answer(aTicket(), { status: 201 });
    }),
  );
  const { person } = renderApp('/tickets/new');
  await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
  await person.type(screen.getByLabelText('Customer email'), 'jonas@example.com');
  await person.upload(
    screen.getByLabelText('Attach files', { selector: 'input' }),
    new File(['label'], 'label.txt', { type: 'text/plain' }),
  );
  expect(await screen.findByText('label.txt')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create Ticket' })).toBeEnabled());
  await person.click(screen.getByRole('button', { name: 'Create Ticket' }));
  await waitFor(() => expect(bodies[0]).toMatchObject({ attachment_ids: ['file-1'] }));
});

describe('custom fields of a new ticket', () => {
  const create = async (person: ReturnType<typeof renderApp>['person']) => {
    await person.type(screen.getByLabelText('Subject'), 'Wrong grind');
    await person.type(screen.getByLabelText('Customer email'), 'jonas@example.com');
    await person.click(screen.getByRole('button', { name: 'Create Ticket' }));
  };

  it('are those of the category, and only they are sent', async () => {
    backend.customFields = [
      aCustomField({ key: 'seats', type: 'number', label: 'Seats' }),
      aCustomField({ key: 'order', label: 'Order number', categories: ['Orders'] }),
      aCustomField({ key: 'serial', label: 'Serial number', categories: ['Hardware'] }),
    ];
    const { person } = renderApp('/tickets/new');
    await person.type(await screen.findByLabelText(/^Seats/), '5');
    expect(screen.queryByLabelText(/^Order number/)).not.toBeInTheDocument();
    const category = screen.getByLabelText(/^Category/);
    await person.type(category, 'Hardware');
    await person.type(screen.getByLabelText(/^Serial number/), 'S-1');
    await person.clear(category);
    await person.type(category, 'Orders');
    await person.type(screen.getByLabelText(/^Order number/), ' 1234 ');
    expect(screen.queryByLabelText(/^Serial number/)).not.toBeInTheDocument();
    await create(person);
    await waitFor(() => expect(backend.tickets[0]?.custom_fields).toEqual({ seats: 5, order: '1234' }));
  });

  it('are folded if there are many, and unfold to show a problem', async () => {
    const labels = ['One', 'Two', 'Three', 'Four'];
    backend.customFields = labels.map((label) => aCustomField({ key: label.toLowerCase(), label }));
    const errors = [{ path: 'custom_fields.two', code: 'invalid', message: 'Not that one' }];
    server.use(http.post(api('/tickets'), () => refuse('request.invalid', { errors }), { once: true }));
    const { person } = renderApp('/tickets/new');
    const more = await screen.findByRole('button', { name: 'More fields', expanded: false });
    expect(screen.queryByLabelText(/^One/)).not.toBeInTheDocument();
    await person.click(more);
    await person.type(screen.getByLabelText(/^Two/), '2');
    await person.click(more);
    await create(person);
    await waitFor(() => expect(screen.getByLabelText(/^Two/)).toHaveFocus());
    expect(screen.getByLabelText(/^Two/)).toHaveAccessibleDescription('Not that one');
    expect(screen.getByLabelText(/^Two/)).toHaveValue('2');
  });

  it('are not sent with an invalid value', async () => {
    backend.customFields = [aCustomField({ key: 'seats', type: 'number', label: 'Seats' })];
    const { person } = renderApp('/tickets/new');
    await person.type(await screen.findByLabelText(/^Seats/), 'many');
    await create(person);
    await waitFor(() => expect(screen.getByLabelText(/^Seats/)).toHaveFocus());
    expect(screen.getByLabelText(/^Seats/)).toHaveAccessibleDescription('Enter a number');
    expect(backend.calls).not.toContain('POST /tickets');
  });
});
