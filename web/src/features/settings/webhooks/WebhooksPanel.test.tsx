import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { ago, anEndpoint, FakePlatform } from '../testing';

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

describe('the endpoints', () => {
  it('start with a form that checks its input and shows the secret once', async () => {
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

  it('show their state and health as text', async () => {
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

  it('keep the typed text if the server refuses the URL', async () => {
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
    expect(await screen.findByText('All events, if subject contains “refund”')).toBeInTheDocument();
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

  it('can be limited by custom fields', async () => {
    backend.customFields = [aCustomField({ key: 'due_date', label: 'Due date', type: 'date' })];
    platform.endpoints = [anEndpoint({ condition: { all: [{ field: 'custom_fields.due_date', op: 'at_most', value: '2026-03-31' }] } })];
    const { person } = open();
    expect(await screen.findByText('All events, if Due date is on or before Mar 31, 2026')).toBeInTheDocument();
    await openMenu(person, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint' }));
    expect(await dialog.findByLabelText('Value')).toHaveValue('2026-03-31');
    await person.click(dialog.getByRole('combobox', { name: 'Comparison' }));
    await person.click(await screen.findByRole('option', { name: 'is on or after' }));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(platform.sent).toHaveLength(1));
    expect(platform.sent[0]?.body).toMatchObject({
      condition: { all: [{ field: 'custom_fields.due_date', op: 'at_least', value: '2026-03-31' }] },
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

  it('can be paused and resumed, which offers to send missed events', async () => {
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

  it('can be tested with any event, and show the response', async () => {
    platform.endpoints = [anEndpoint()];
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Send test to Order system' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send a test to Order system' }));
    await person.click(dialog.getByRole('button', { name: 'Send' }));
    expect((await dialog.findAllByText(/Waiting for the answer/)).length).toBeGreaterThan(0);
    Object.assign(platform.deliveries[0]!, { state: 'delivered', attempts: 1 });
    expect(await dialog.findByText('Delivered: your server answered 200 in 143 ms.')).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'View the request and the response' }));
    expect(await screen.findByRole('dialog', { name: 'webhook.test' })).toBeInTheDocument();
  });
});
