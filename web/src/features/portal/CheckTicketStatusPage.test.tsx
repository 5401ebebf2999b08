import { screen } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { aPublicTicket, portal } from './testing';

const sent = 'If that address has tickets here, we have just sent the links.';
beforeEach(() => portal());

it('requests the links by email once, without revealing whether there are any', async () => {
  let body: unknown;
  server.use(
    http.post(api('/public/tickets/lookup'), async ({ request }) => {
      body = await request.json();
      return answer({ message: sent }, { status: 202 });
    }),
  );
  const { person, address } = renderApp('/ticket-status/check');
  await person.type(await screen.findByLabelText('Email'), ' jonas@example.com ');
  await person.type(screen.getByLabelText(/^Ticket number/), 'NC-0042');
  await person.click(screen.getByRole('button', { name: 'Check status' }));
  expect(await screen.findByText(sent)).toBeInTheDocument();
  expect(address()).toBe('/ticket-status/lookup?email=jonas%40example.com&ticket=NC-0042');
  expect(body).toEqual({ email: 'jonas@example.com', ticket_number: 'NC-0042', language: 'en' });
  expect(backend.calls.filter((call) => call === 'POST /public/tickets/lookup')).toHaveLength(1);
});

it('requires the address, but not the number', async () => {
  const { person, address } = renderApp('/ticket-status/check');
  await person.click(await screen.findByRole('button', { name: 'Check status' }));
  expect(await screen.findByText('Missing Information')).toBeInTheDocument();
  expect(screen.getAllByText('Please enter your email address to view the ticket.')).not.toHaveLength(0);
  expect(screen.getByLabelText('Email')).toHaveFocus();
  expect(address()).toBe('/ticket-status/check');
});

it('links to a new ticket', async () => {
  renderApp('/ticket-status/check');
  const links = await screen.findAllByRole('link', { name: 'Submit a ticket' });
  for (const link of links) expect(link).toHaveAttribute('href', '/submit-ticket');
});

it('shows that the links could not be sent, and when to retry', async () => {
  server.use(http.post(api('/public/tickets/lookup'), () => refuse('limit.exceeded', {}, { 'retry-after': '600' })));
  renderApp('/ticket-status/lookup?email=late%40example.com&ticket=');
  expect(await screen.findByText('Couldn’t send the links')).toBeInTheDocument();
  expect(screen.getByText(/in 10 minutes/)).toBeInTheDocument();
});

it('asks for the address if the lookup was opened without one', async () => {
  renderApp('/ticket-status/lookup');
  expect(await screen.findByRole('heading', { name: 'Check Ticket Status' })).toBeInTheDocument();
});

it('opens the ticket directly if the organization allows it with address and number', async () => {
  const ticket = aPublicTicket();
  server.use(
    http.post(api('/public/tickets/lookup'), () => answer({ message: sent, ticket: { id: ticket.id } }, { status: 202 })),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  const { address } = renderApp('/ticket-status/lookup?email=instant%40example.com&ticket=NC-0042');
  expect(await screen.findByRole('heading', { name: ticket.subject })).toBeInTheDocument();
  expect(address()).toBe(`/ticket-status/${ticket.id}?email=instant%40example.com`);
});
