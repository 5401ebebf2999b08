import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { aPublicTicket, portal } from './testing';

beforeEach(() => {
  sessionStorage.clear();
  portal();
});

async function openForm() {
  const view = renderApp('/submit-ticket');
  await screen.findByRole('button', { name: 'Submit ticket' });
  return view;
}

it('submits what was entered and goes to the page of the new ticket, with the address as the key', async () => {
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
  await person.selectOptions(screen.getByLabelText('Priority'), 'High');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));

  expect(await screen.findByText('Ticket Submitted Successfully!')).toBeInTheDocument();
  expect(screen.getByText(`Your ticket ${ticket.ticket_number} has been created. You will receive updates via email.`)).toBeInTheDocument();
  await screen.findByRole('heading', { name: ticket.subject });
  expect(address()).toBe(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(body).toMatchObject({ subject: 'Wrong grind', customer_email: 'jonas@example.com', priority: 'high' });
  expect(key).toMatch(/^[0-9a-f]{32}$/);
});

it('asks for subject and email before anything is sent, and puts the focus into the first that is missing', async () => {
  const { person } = await openForm();
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(await screen.findByText('Validation Error')).toBeInTheDocument();
  expect(screen.getByText('Subject and email are required fields.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Subject/)).toHaveFocus();

  await person.keyboard('Wrong grind');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(screen.getByLabelText(/^Email/)).toHaveFocus();
  expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription(expect.stringContaining('Enter your email address'));
});

it('shows what the server refuses beside its field, keeps the text, and sends the corrected form as a new submission', async () => {
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
  await screen.findByRole('alert');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
});

it('says at what time a limit frees up', async () => {
  server.use(http.post(api('/public/tickets'), () => refuse('limit.exceeded', {}, { 'retry-after': '1440' })));
  const { person } = await openForm();
  await person.type(screen.getByLabelText(/^Subject/), 'Wrong grind');
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Rate limit exceeded\. Please try again at \d{1,2}:\d{2}\s[AP]M \(in 24 minutes\)\.$/,
  );
});

it('has the text again after a reload, and no longer once it was sent', async () => {
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

it('says so when the host belongs to no organization', async () => {
  server.use(http.get(api('/public/organization'), () => refuse('organization.not_found')));
  renderApp('/submit-ticket');
  expect(await screen.findByText('No organization found for this domain. Please check the URL and try again.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Submit ticket' })).not.toBeInTheDocument();
});
