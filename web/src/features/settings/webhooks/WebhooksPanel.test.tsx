import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { ago, aDelivery, anAttempt, anEndpoint, FakePlatform } from '../testing';

let platform: FakePlatform;
beforeEach(() => {
  backend.signIn();
  platform = new FakePlatform();
  server.use(...platform.handlers());
});

const hour = 3_600_000;
const open = (more = '') => renderApp(`/settings?tab=webhooks${more}`);
type Person = ReturnType<typeof open>['person'];
const openMenu = async (person: Person, entry: string) => {
  await person.click(await screen.findByRole('button', { name: 'Actions for Order system' }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
};
const deliveries = async () => within(await screen.findByRole('list', { name: 'Deliveries, newest first' }));

describe('the endpoints', () => {
  it('lead to the first one', async () => {
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Create an endpoint' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New webhook endpoint' }));
    await person.type(dialog.getByRole('textbox', { name: 'URL' }), 'orders.example.com');
    await person.click(dialog.getByRole('radio', { name: 'Only these' }));
    await person.click(dialog.getByRole('button', { name: 'Create endpoint' }));
    expect(dialog.getByText('Enter a full URL, such as https://example.com/webhooks')).toBeInTheDocument();
    expect(dialog.getByText('Choose at least one event')).toBeInTheDocument();
    await person.clear(dialog.getByRole('textbox', { name: 'URL' }));
    await person.type(dialog.getByRole('textbox', { name: 'URL' }), 'https://orders.example.com/hooks');
    await person.click(dialog.getByRole('checkbox', { name: 'ticket.created' }));
    await person.click(dialog.getByRole('button', { name: 'Create endpoint' }));
    const issued = within(await screen.findByRole('dialog', { name: 'The secret of your endpoint' }));
    expect(issued.getByText('whsec_secret')).toBeInTheDocument();
    expect(platform.sent).toEqual([
      {
        call: 'create',
        body: {
          url: 'https://orders.example.com/hooks',
          description: '',
          events: ['ticket.created'],
          payload: 'full',
          include_internal_notes: false,
          condition: null,
        },
      },
    ]);
  });

  it('say in words how they are', async () => {
    const { health } = anEndpoint();
    platform.endpoints = [
      anEndpoint(),
      anEndpoint({
        description: 'Shop',
        failing_since: ago(5 * hour),
        health: { ...health, pending: 37, oldest_pending_seconds: 7_300, next_attempt_at: ago(-0.5 * hour) },
      }),
      anEndpoint({ description: 'Staging', state: 'paused', previous_secret_until: ago(-hour) }),
      anEndpoint({ description: 'Old', state: 'disabled', disabled_reason: 'gone' }),
    ];
    open();
    const items = within(await screen.findByRole('list', { name: 'Endpoints' })).getAllByRole('listitem');
    expect(items[0]).toHaveTextContent('Active');
    expect(items[0]).toHaveTextContent('99.7 %');
    expect(within(items[0]!).getByRole('img')).toHaveAccessibleName(
      '1,240 delivered and 3 failed in the last 24 hours, with failures in 1 hour.',
    );
    expect(items[1]).toHaveTextContent(/Failing since .+, next attempt .+, 37 waiting \(the oldest for 2 hours\)/);
    expect(items[2]).toHaveTextContent('New events are skipped until you resume.');
    expect(items[2]).toHaveTextContent(/The old secret also signs for 0[01]:\d\d:\d\d/);
    expect(items[3]).toHaveTextContent('The server answered 410 Gone.');
    const { violations } = await axe.run(screen.getByRole('region', { name: 'Webhook endpoints' }), {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('keep what was typed if the server refuses the URL', async () => {
    const errors = [{ path: 'url', code: 'refused', message: 'This address is not public' }];
    server.use(http.post(api('/webhook-endpoints'), () => refuse('webhook_endpoint.url_refused', { errors })));
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Create an endpoint' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New webhook endpoint' }));
    await person.type(dialog.getByRole('textbox', { name: 'URL' }), 'https://10.0.0.1/');
    await person.click(dialog.getByRole('button', { name: 'Create endpoint' }));
    expect(await dialog.findByText('This address is not public')).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue('https://10.0.0.1/');
  });

  it('can be limited to tickets that match conditions', async () => {
    platform.endpoints = [anEndpoint({ condition: { any: [{ field: 'subject', op: 'contains', value: 'refund' }] } })];
    const { person } = open();
    await openMenu(person, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint' }));
    expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue('refund');
    await person.click(dialog.getByRole('button', { name: 'Add condition' }));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Choose at least one value')).toBeInTheDocument();
    const second = within(within(dialog.getByRole('list', { name: 'Conditions' })).getAllByRole('listitem')[1]!);
    await person.click(second.getByRole('combobox', { name: 'Values' }));
    await person.click(await screen.findByRole('option', { name: 'Urgent' }));
    await person.keyboard('{Escape}');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(platform.sent).toHaveLength(1));
    expect(platform.sent[0]?.body).toMatchObject({
      condition: {
        any: [
          { field: 'subject', op: 'contains', value: 'refund' },
          { field: 'priority', op: 'is_any_of', value: ['urgent'] },
        ],
      },
    });
  });

  it('leave nested conditions to the API', async () => {
    platform.endpoints = [anEndpoint({ condition: { all: [{ any: [{ field: 'has_task', op: 'is', value: true }] }] } })];
    const { person } = open();
    await openMenu(person, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint' }));
    expect(dialog.getByText(/nested conditions/)).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(platform.sent).toHaveLength(1));
    expect(platform.sent[0]?.body).not.toHaveProperty('condition');
  });

  it('can be paused and resumed, which offers to send what was missed', async () => {
    platform.endpoints = [anEndpoint()];
    platform.missed = 12;
    const { person } = open();
    await openMenu(person, 'Pause');
    expect(await screen.findByText('Webhook endpoint paused.')).toBeInTheDocument();
    await openMenu(person, 'Resume');
    const dialog = within(await screen.findByRole('dialog', { name: 'Send missed events to Order system' }));
    expect(await dialog.findByText('12')).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'Send them' }));
    await waitFor(() => expect(platform.replays).toHaveLength(1));
    expect(platform.sent.map(({ body }) => body).at(-1)).not.toHaveProperty('dry_run');
  });

  it('can be deleted after naming the consequence, and get a new secret', async () => {
    const { health } = anEndpoint();
    platform.endpoints = [anEndpoint({ health: { ...health, pending: 2 } })];
    const { person } = open();
    await openMenu(person, 'Rotate secret');
    await person.click(await screen.findByRole('button', { name: 'Rotate secret' }));
    const issued = within(await screen.findByRole('dialog', { name: 'The secret of your endpoint' }));
    await person.click(issued.getByRole('button', { name: 'Copy: New secret' }));
    await person.click(issued.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText(/The old secret also signs for/)).toBeInTheDocument();
    await openMenu(person, 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Order system?' }));
    expect(dialog.getByText(/2 waiting deliveries are cancelled/)).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'Delete endpoint' }));
    expect(await screen.findByText('No webhook endpoints yet')).toBeInTheDocument();
  });

  it('can be tested with any event, and the answer appears', async () => {
    platform.endpoints = [anEndpoint()];
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Send a test to Order system' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send a test to Order system' }));
    await person.click(dialog.getByRole('button', { name: 'Send' }));
    expect((await dialog.findAllByText(/Waiting for the answer/)).length).toBeGreaterThan(0);
    Object.assign(platform.deliveries[0]!, { state: 'delivered', attempts: 1 });
    expect(await dialog.findByText('Delivered: your server answered 200 in 143 ms.', undefined, { timeout: 3_000 })).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'View the request and the response' }));
    expect(await screen.findByRole('dialog', { name: 'webhook.test' })).toBeInTheDocument();
  });
});

describe('one endpoint', () => {
  const endpoint = () => platform.endpoints[0]!;
  beforeEach(() => {
    platform.endpoints = [anEndpoint()];
  });
  const openEndpoint = (more = '') => open(`&endpoint=${endpoint().id}${more}`);

  it('lists its deliveries, filters them and loads more', async () => {
    platform.deliveries = [
      aDelivery(endpoint(), { state: 'failed', attempts: 12, last_error: 'The certificate has expired', last_status: null }),
      ...Array.from({ length: 39 }, () => aDelivery(endpoint(), { created_at: ago(2 * hour) })),
    ];
    const { person } = openEndpoint();
    const list = await deliveries();
    expect(list.getAllByRole('listitem')).toHaveLength(25);
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent('The certificate has expired · 12 attempts');
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

  it('sends selected deliveries again, and holds new ones back meanwhile', async () => {
    platform.deliveries = [aDelivery(endpoint()), aDelivery(endpoint(), { event: 'ticket.closed', created_at: ago(hour) })];
    const { person } = openEndpoint();
    const boxes = (await deliveries()).getAllByRole('checkbox');
    for (const box of boxes) await person.click(box);
    platform.deliveries.unshift(aDelivery(endpoint(), { event: 'ticket.merged', created_at: ago(0) }));
    expect(await screen.findByText('Show 1 new', undefined, { timeout: 4_000 })).toBeInTheDocument();
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

  it('counts what a replay would send, shows its progress, and pauses and cancels it', async () => {
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

  it('has nothing to send if everything arrived', async () => {
    const { person } = openEndpoint();
    await person.click(await screen.findByRole('button', { name: 'Send missed' }));
    expect(await screen.findByText('Nothing to send: every such event has arrived.')).toBeInTheDocument();
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

  it('may not exist any more', async () => {
    open('&endpoint=01980000-0000-7000-8000-00000000ffff');
    expect(await screen.findByText('This endpoint doesn’t exist')).toBeInTheDocument();
  });
});

describe('one ticket', () => {
  it('has its deliveries one click away, for admins', async () => {
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
