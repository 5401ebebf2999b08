import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { anId, backend, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { aFile, aPublicTicket, choose, portal } from './testing';

beforeEach(() => portal());

const submit = (person: { click: (element: Element) => Promise<void> }) =>
  person.click(screen.getByRole('button', { name: 'Submit ticket' }));
/** A server that accepts tickets and records the request bodies. */
function takeTickets() {
  const bodies: Record<string, unknown>[] = [];
  const ticket = aPublicTicket();
  server.use(
    http.post(api('/public/tickets'), async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  return { bodies, ticket };
}
async function fill(person: Awaited<ReturnType<typeof openForm>>['person']) {
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
}

async function openForm() {
  const view = renderApp('/submit-ticket');
  await screen.findByRole('button', { name: 'Submit ticket' });
  return view;
}

it('submits the input and opens the new ticket’s page, with the address in the URL', async () => {
  const ticket = aPublicTicket();
  let body: unknown;
  let key: string | null = null;
  server.use(
    http.post(api('/public/tickets'), async ({ request }) => {
      body = await request.json();
      key = request.headers.get('idempotency-key');
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  const { person, address } = await openForm();
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.click(screen.getByText('More details'));
  await person.selectOptions(screen.getByLabelText('Priority'), 'High');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));

  expect(await screen.findByText('Ticket Submitted Successfully!')).toBeInTheDocument();
  expect(screen.getByText(`Your ticket ${ticket.ticket_number} has been created. You will receive updates via email.`)).toBeInTheDocument();
  await screen.findByRole('heading', { name: ticket.subject });
  expect(address()).toBe(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(body).toMatchObject({ subject: 'Wrong grind', customer_email: 'jonas@example.com', priority: 'high' });
  expect(key).toMatch(/^[0-9a-f]{32}$/);
});

it('requires subject and email before sending, and focuses the first missing field', async () => {
  const { person } = await openForm();
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(await screen.findByText('Validation Error')).toBeInTheDocument();
  expect(screen.getByText('Subject and email are required fields.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Email/)).toHaveFocus();
  expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription(expect.stringContaining('Enter your email address'));

  await person.keyboard('jonas@example.com');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(screen.getByLabelText(/^Subject/)).toHaveFocus();
});

it('shows server errors next to their fields, keeps the text, and sends the corrected form as a new submission', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('/public/tickets'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return refuse('request.invalid', { errors: [{ path: 'customer_email', code: 'invalid', message: 'This is not an email address' }] });
    }),
  );
  const { person } = await openForm();
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));

  expect(await screen.findByText('This is not an email address')).toBeInTheDocument();
  expect(await screen.findByText('Failed to submit ticket. Please try again.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Email/)).toHaveFocus();
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('Wrong grind');

  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).not.toBe(keys[0]);
});

it('repeats an unanswered submission under the same key, so that it becomes one ticket', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(api('/public/tickets'), ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return refuse('service.unavailable');
    }),
  );
  const { person } = await openForm();
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(await screen.findByText('Offline. Your text is saved')).toBeInTheDocument();
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
  await person.click(screen.getByRole('button', { name: 'Withdraw: Your ticket' }));
  expect(await screen.findByRole('button', { name: 'Submit ticket' })).toBeEnabled();
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('Wrong grind');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('shows when a rate limit resets', async () => {
  server.use(http.post(api('/public/tickets'), () => refuse('limit.exceeded', {}, { 'retry-after': '1440' })));
  const { person } = await openForm();
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Rate limit exceeded\. Please try again at \d{1,2}:\d{2}\s[AP]M \(in 24 minutes\)\.$/,
  );
});

it('restores the text after a reload, until it is sent', async () => {
  const ticket = aPublicTicket();
  server.use(
    http.post(api('/public/tickets'), () => answer(ticket, { status: 201 })),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  const first = await openForm();
  await first.person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await first.person.type(screen.getByLabelText(/^Description/), 'All twelve bags.');
  first.unmount();

  const second = await openForm();
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('Wrong grind');
  expect(screen.getByLabelText(/^Description/)).toHaveValue('All twelve bags.');
  await second.person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await second.person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  await screen.findByRole('heading', { name: ticket.subject });
  second.unmount();

  await openForm();
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('');
});

it('shows that the host belongs to no organization', async () => {
  server.use(http.get(api('/public/organization'), () => refuse('organization.not_found')));
  renderApp('/submit-ticket');
  expect(await screen.findByText('No organization found for this domain. Please check the URL and try again.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Submit ticket' })).not.toBeInTheDocument();
});

it('shows the organization’s default priority, and sends one only if the customer chose it', async () => {
  const before = organization.default_priority;
  Object.assign(organization, { default_priority: 'high' });
  try {
    const { bodies, ticket } = takeTickets();
    portal();
    const first = await openForm();
    await waitFor(() => expect(screen.getByLabelText('Priority')).toHaveValue('high'));
    await fill(first.person);
    await submit(first.person);
    await screen.findByRole('heading', { name: ticket.subject });
    first.unmount();

    const second = await openForm();
    await fill(second.person);
    await second.person.selectOptions(screen.getByLabelText('Priority'), 'Low');
    await submit(second.person);
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies[0]).not.toHaveProperty('priority');
    expect(bodies[1]).toHaveProperty('priority', 'low');
  } finally {
    Object.assign(organization, { default_priority: before });
  }
});

it('sends chosen, dropped and pasted files, without removed ones', async () => {
  const { bodies } = takeTickets();
  const ids: string[] = [];
  server.use(
    http.post(api('/public/attachments'), async ({ request }) => {
      const { file_name } = (await request.json()) as { file_name: string };
      const attachment_id = anId();
      if (file_name !== 'removed.txt') ids.push(attachment_id);
      return answer(
        { attachment_id, upload_url: `/api/v1/files/${attachment_id}`, expires_at: '2030-01-01T00:00:00.000Z' },
        { status: 201 },
      );
    }),
  );
  const { person } = await openForm();
  await fill(person);
  choose(aFile('chosen.txt'), aFile('removed.txt'));
  fireEvent.drop(screen.getByLabelText(/^Description/), { dataTransfer: { types: ['Files'], files: [aFile('dropped.txt')] } });
  fireEvent.paste(screen.getByLabelText(/^Description/), { clipboardData: { types: ['Files'], files: [aFile('pasted.txt')] } });
  const tray = await screen.findByRole('list', { name: 'Attached files' });
  expect(within(tray).getAllByRole('listitem')).toHaveLength(4);
  await waitFor(() => expect(within(tray).queryByRole('progressbar')).not.toBeInTheDocument());
  await person.click(screen.getByRole('button', { name: 'Remove removed.txt' }));
  await submit(person);
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect([...(bodies[0]!.attachment_ids as string[])].sort()).toEqual(ids.sort());
});

it('shows next to a file why it cannot be attached, and sends nothing until it is removed', async () => {
  const { bodies } = takeTickets();
  const { person } = await openForm();
  await fill(person);
  choose(aFile('setup.exe'));
  expect(await screen.findByText('Files ending in .exe cannot be attached')).toBeInTheDocument();
  await submit(person);
  expect(await screen.findByRole('alert')).toHaveTextContent('A file couldn’t be uploaded. Try again, or remove it.');
  expect(bodies).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Remove setup.exe' }));
  await submit(person);
  await waitFor(() => expect(bodies).toHaveLength(1));
});

it('restores the uploaded files after a reload', async () => {
  const { bodies } = takeTickets();
  const first = await openForm();
  await fill(first.person);
  choose(aFile('bags.txt'));
  expect(await screen.findByText('5 B')).toBeInTheDocument();
  first.unmount();

  const second = await openForm();
  expect(await screen.findByText('bags.txt')).toBeInTheDocument();
  await submit(second.person);
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]!.attachment_ids).toHaveLength(1);
});

it('has a hidden honeypot field, which is sent only if filled in', async () => {
  const { bodies } = takeTickets();
  const { person, container } = await openForm();
  const trap = container.querySelector<HTMLInputElement>('input[name=website]')!;
  expect(screen.queryByRole('textbox', { name: 'Website' })).not.toBeInTheDocument();
  expect(trap.closest('[aria-hidden]')).not.toBeNull();
  expect(trap).toHaveAttribute('tabindex', '-1');
  expect(trap).toHaveAttribute('autocomplete', 'off');
  await fill(person);
  fireEvent.change(trap, { target: { value: 'https://spam.example' } });
  await submit(person);
  await waitFor(() => expect(bodies[0]).toHaveProperty('website', 'https://spam.example'));
});

it('shows that it checks the browser if the server requires a proof of work, and the server’s error if that fails', async () => {
  server.use(
    http.post(api('/public/tickets'), () => refuse('challenge.required')),
    http.get(api('/public/challenge'), async () => {
      await waitFor(() => expect(screen.getByRole('button', { name: 'Checking your browser…' })).toBeInTheDocument());
      return refuse('limit.exceeded');
    }),
  );
  const { person } = await openForm();
  await fill(person);
  await submit(person);
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('Wrong grind');
  expect(backend.calls).toContain('GET /public/challenge');
});
