import { screen, waitFor, within } from '@testing-library/react';
import { Webhook } from 'standardwebhooks';
import { aMember, aSession, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { server } from '../../../testing/server';
import { ago, aDelivery, anAttempt, anEndpoint, FakePlatform } from '../testing';

let platform: FakePlatform;
beforeEach(() => {
  backend.signIn();
  platform = new FakePlatform();
  server.use(...platform.handlers());
});

const hour = 3_600_000;
const open = (more = '') => renderApp(`/settings?tab=webhooks${more}`);
const deliveries = async () => within(await screen.findByRole('list', { name: 'Deliveries, newest first' }));

describe('one endpoint', () => {
  const endpoint = () => platform.endpoints[0]!;
  beforeEach(() => {
    platform.endpoints = [anEndpoint()];
  });
  const openEndpoint = (more = '') => open(`&endpoint=${endpoint().id}${more}`);

  it('lists its deliveries, filters them and loads more', async () => {
    platform.deliveries = [
      aDelivery(endpoint(), { state: 'failed', attempts: 12, last_error: 'The certificate has expired', last_status: null }),
      aDelivery(endpoint(), { state: 'pending', attempts: 0, last_status: null, next_attempt_at: ago(60_000) }),
      ...Array.from({ length: 38 }, () => aDelivery(endpoint(), { created_at: ago(2 * hour) })),
    ];
    const { person } = openEndpoint();
    const list = await deliveries();
    expect(list.getAllByRole('listitem')).toHaveLength(25);
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent('The certificate has expired · 12 attempts');
    expect(list.getAllByRole('listitem')[1]).toHaveTextContent('In the queue or being sent');
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(40));
    await person.click(screen.getByRole('combobox', { name: 'State' }));
    await person.click(await screen.findByRole('option', { name: 'Failed' }));
    await waitFor(async () => expect((await deliveries()).getAllByRole('listitem')).toHaveLength(1));
    expect(backend.calls.some((call) => call.includes('state=failed'))).toBe(true);
    await person.click(screen.getByRole('combobox', { name: 'State' }));
    await person.click(await screen.findByRole('option', { name: 'Cancelled' }));
    expect(await screen.findByText('No deliveries match the filters.')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(async () => expect((await deliveries()).getAllByRole('listitem').length).toBeGreaterThan(24));
  });

  it('shows which deliveries wait until it is resumed', async () => {
    platform.endpoints = [anEndpoint({ state: 'paused' })];
    platform.deliveries = [
      aDelivery(endpoint(), { state: 'pending', attempts: 0, last_status: null, next_attempt_at: ago(60_000) }),
      aDelivery(endpoint(), { state: 'pending', attempts: 2, last_status: 503, next_attempt_at: ago(60_000) }),
      aDelivery(endpoint(), { state: 'pending', attempts: 0, last_status: null, next_attempt_at: ago(0), cause: 'test' }),
    ];
    openEndpoint();
    const rows = (await deliveries()).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent('Waits until the endpoint is resumed');
    expect(rows[1]).toHaveTextContent('Answered 503 · Waits until the endpoint is resumed');
    expect(rows[2]).toHaveTextContent('In the queue or being sent');
  });

  it('filters its deliveries by the number of a ticket', async () => {
    const ticket = aTicket({ ticket_number: 'ACM-7' });
    backend.tickets = [ticket, aTicket({ ticket_number: 'ACM-70' })];
    platform.deliveries = [
      aDelivery(endpoint(), { ticket_id: ticket.id, ticket_number: 'ACM-7' }),
      aDelivery(endpoint()),
      aDelivery(endpoint()),
    ];
    const { person, address } = openEndpoint();
    expect((await deliveries()).getAllByRole('listitem')).toHaveLength(3);
    const field = screen.getByRole('textbox', { name: 'Ticket number' });
    await person.type(field, 'acm-71{Enter}');
    expect(await screen.findByText('No ticket has the number ACM-71')).toBeInTheDocument();
    await person.type(field, '{Backspace}{Enter}');
    await waitFor(async () => expect((await deliveries()).getAllByRole('listitem')).toHaveLength(1));
    const chip = await screen.findByRole('button', { name: 'Ticket ACM-7. Remove this filter' });
    expect(chip).toHaveFocus();
    expect(address()).toContain(`ticket=${ticket.id}`);
    await person.click(chip);
    await waitFor(async () => expect((await deliveries()).getAllByRole('listitem')).toHaveLength(3));
    expect(address()).not.toContain('ticket=');
    expect(screen.getByRole('textbox', { name: 'Ticket number' })).toHaveFocus();
  });

  it('applies the filters in its address', async () => {
    const ticket = aTicket({ ticket_number: 'ACM-7' });
    backend.tickets = [ticket];
    platform.deliveries = [
      aDelivery(endpoint(), { ticket_id: ticket.id, ticket_number: 'ACM-7', state: 'failed' }),
      aDelivery(endpoint(), { ticket_id: ticket.id, ticket_number: 'ACM-7' }),
      aDelivery(endpoint(), { state: 'failed' }),
    ];
    const { person, address } = openEndpoint(`&ticket=${ticket.id}&state=failed&period=decade`);
    expect((await deliveries()).getAllByRole('listitem')).toHaveLength(1);
    expect(await screen.findByRole('button', { name: 'Ticket ACM-7. Remove this filter' })).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'State' })).toHaveTextContent('Failed');
    expect(screen.getByRole('combobox', { name: 'Time' })).toHaveTextContent('Last 30 days');
    await person.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(async () => expect((await deliveries()).getAllByRole('listitem')).toHaveLength(3));
    expect(address()).toBe(`/settings?tab=webhooks&endpoint=${endpoint().id}`);
  });

  it('sends selected deliveries again', async () => {
    platform.deliveries = [aDelivery(endpoint()), aDelivery(endpoint(), { event: 'ticket.closed', created_at: ago(hour) })];
    const { person } = openEndpoint();
    const boxes = (await deliveries()).getAllByRole('checkbox');
    for (const box of boxes) await person.click(box);
    platform.deliveries.unshift(aDelivery(endpoint(), { event: 'ticket.merged', created_at: ago(0) }));
    expect(await screen.findByText('Show 1 new')).toBeInTheDocument();
    expect((await deliveries()).queryByText('ticket.merged')).not.toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Send again' }));
    expect(await screen.findByText('Sending 2 deliveries again.')).toBeInTheDocument();
    expect((platform.sent[0]?.body as { ids: string[] }).ids).toHaveLength(2);
  });

  it('shows one delivery with its body, attempts and reasons', async () => {
    platform.attempts = [
      anAttempt({ status: null, error: 'The certificate has expired', response_headers: null, response_body: null }),
      anAttempt({ number: 2 }),
    ];
    const delivery = aDelivery(endpoint(), { attempts: 2 });
    platform.deliveries = [delivery];
    const { person, address } = openEndpoint();
    await person.click((await deliveries()).getByRole('button', { name: /ticket.created/ }));
    const panel = within(await screen.findByRole('dialog', { name: 'ticket.created' }));
    expect(address()).toContain(`delivery=${delivery.id}`);
    const steps = within(await panel.findByRole('list', { name: 'Lifecycle' })).getAllByRole('listitem');
    expect(steps.map((step) => step.textContent)).toEqual([
      expect.stringMatching(/^Event recorded/),
      expect.stringMatching(/^Attempt 1The certificate has expired · 143 ms/),
      expect.stringMatching(/^Attempt 2Answered 200 · 143 ms/),
      expect.stringMatching(/^Delivered/),
    ]);
    expect(panel.getByRole('link', { name: 'NC-0042' })).toHaveAttribute('href', `/tickets/${delivery.ticket_id}`);
    expect(panel.getByRole('region', { name: 'Request headers of attempt 2' })).toHaveTextContent('webhook-signature');
    expect(panel.queryByRole('region', { name: 'Request headers of attempt 1' })).not.toBeInTheDocument();
    expect(panel.getByRole('region', { name: 'Request body' })).toHaveTextContent('"subject": "Wrong grind"');
    await person.click(panel.getByRole('button', { name: 'Show exact bytes' }));
    expect(panel.getByRole('region', { name: 'Request body' })).toHaveTextContent('"subject":"Wrong grind"');
    await person.click(panel.getByRole('button', { name: 'Copy as cURL' }));
    expect(await navigator.clipboard.readText()).toContain("-H 'webhook-id: evt_1'");
    await person.click(panel.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(platform.sent.at(-1)?.body).toEqual({ ids: [delivery.id] }));
    await waitFor(() => expect(address()).not.toContain('delivery='));
  });

  it('counts the events that a replay would send, shows its progress, and pauses and cancels it', async () => {
    platform.missed = 1_284;
    const { person } = openEndpoint();
    await person.click(await screen.findByRole('button', { name: 'Send missed' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send missed events to Order system' }));
    expect(await dialog.findByText('1,284')).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'Send them' }));
    const replays = within(await screen.findByRole('list', { name: 'Replays' }));
    expect(await replays.findByText('Sending: 0 of 1,284')).toBeInTheDocument();
    await person.click(replays.getByRole('button', { name: 'Pause' }));
    expect(await replays.findByText('Paused: 0 of 1,284')).toBeInTheDocument();
    await person.click(replays.getByRole('button', { name: 'Cancel' }));
    expect(await replays.findByText('Cancelled: 0 of 1,284')).toBeInTheDocument();
    expect(replays.queryByRole('button')).not.toBeInTheDocument();
  });

  it('has nothing to send if every event was delivered', async () => {
    const { person } = openEndpoint();
    await person.click(await screen.findByRole('button', { name: 'Send missed' }));
    expect(await screen.findByText('Nothing to send: all of these events were delivered.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send them' })).toBeDisabled();
  });

  it('shows code that verifies its requests, with its id', async () => {
    const { person } = openEndpoint();
    const card = within(await screen.findByRole('region', { name: 'Verify it' }));
    for (const language of ['Node', 'Python', 'Go', 'Ruby', 'PHP', 'Command line']) {
      await person.click(card.getByRole('tab', { name: language }));
      expect(card.getByRole('region', { name: `Verify it in ${language}` })).toHaveTextContent(endpoint().id);
    }
  });

  it('checks the signature of a pasted request without sending it or the secret', async () => {
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
    platform.endpoints = [anEndpoint({ secret_last_four: secret.slice(-4) })];
    const body = '{"id":"evt_1","event":"ticket.created"}';
    const headers = new Webhook(secret);
    const at = new Date();
    const text = [
      'webhook-id: evt_1',
      `webhook-timestamp: ${Math.floor(at.getTime() / 1_000)}`,
      `webhook-signature: ${headers.sign('evt_1', at, body)}`,
    ].join('\n');
    const { person } = openEndpoint();
    const card = within(await screen.findByRole('region', { name: 'Verify it' }));
    await person.click(card.getByRole('button', { name: 'Check a request that was refused' }));
    const submit = await card.findByRole('button', { name: 'Check signature' });
    expect(submit).toBeDisabled();
    const calls = backend.calls.length;
    for (const [name, value] of [
      ['Headers', text],
      ['Raw body', body],
      ['Signing secret', secret],
    ] as const) {
      await person.click(card.getByLabelText(name));
      await person.paste(value);
    }
    await person.click(submit);
    expect(card.getByText('The signature is right, and recent enough.')).toBeInTheDocument();
    await person.type(card.getByLabelText('Raw body'), ' ');
    expect(card.queryByText('The signature is right, and recent enough.')).not.toBeInTheDocument();
    await person.click(submit);
    expect(card.getByRole('alert')).toHaveTextContent('The secret is right, but the body was changed on the way');
    expect(backend.calls.slice(calls).filter((call) => !call.startsWith('GET '))).toEqual([]);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, window.location.href, backend.calls])).not.toContain(secret);
  });

  it('shows an error if it no longer exists', async () => {
    open('&endpoint=01980000-0000-7000-8000-00000000ffff');
    expect(await screen.findByText('This endpoint doesn’t exist')).toBeInTheDocument();
  });
});

describe('one ticket', () => {
  it('opens the deliveries from the timeline of a ticket, for admins', async () => {
    const ticket = aTicket();
    backend.tickets = [ticket];
    const { person } = renderApp(`/tickets/${ticket.id}`);
    await person.click(await screen.findByRole('button', { name: /^Timeline/ }));
    expect(await screen.findByRole('link', { name: 'Webhook deliveries' })).toHaveAttribute(
      'href',
      `/settings?tab=webhooks&ticket=${ticket.id}`,
    );
  });

  it('has no link to the deliveries for agents', async () => {
    backend.signIn(aSession(aMember({ role: 'agent' })));
    const ticket = aTicket();
    backend.tickets = [ticket];
    const { person } = renderApp(`/tickets/${ticket.id}`);
    await person.click(await screen.findByRole('button', { name: /^Timeline/ }));
    expect(await screen.findByText('Updated')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Webhook deliveries' })).toBeNull();
  });

  it('opens the deliveries from the menu of a ticket, for admins', async () => {
    const ticket = aTicket();
    backend.tickets = [ticket];
    platform.endpoints = [anEndpoint(), anEndpoint({ description: 'Shop' })];
    platform.deliveries = [aDelivery(platform.endpoints[1]!, { ticket_id: ticket.id }), aDelivery(platform.endpoints[0]!)];
    const { person, address } = renderApp(`/tickets/${ticket.id}`);
    await person.click(await screen.findByRole('button', { name: 'More actions' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Webhook deliveries' }));
    await waitFor(() => expect(address()).toBe(`/settings?tab=webhooks&ticket=${ticket.id}`));
    const items = (await deliveries()).getAllByRole('listitem');
    expect(items).toHaveLength(1);
    expect(items[0]).toHaveTextContent('Shop');
  });
});
