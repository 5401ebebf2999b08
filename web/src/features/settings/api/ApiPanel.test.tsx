import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { ago, aRequest, aToken, FakePlatform } from '../testing';
import { expiryOf } from './token-labels';
import { isNetwork, networksError } from './token-form';

let platform: FakePlatform;
beforeEach(() => {
  backend.signIn();
  platform = new FakePlatform();
  server.use(...platform.handlers());
});

const day = 86_400_000;
const open = () => renderApp('/settings?tab=api');
const list = async () => within(await screen.findByRole('list', { name: 'API tokens' }));
const openMenu = async (person: ReturnType<typeof open>['person'], entry: string) => {
  await person.click(await screen.findByRole('button', { name: 'Actions for Order importer' }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
};

it('shows for each token its end, permissions, networks, creator and last use', async () => {
  platform.tokens = [
    aToken({ expires_at: ago(-6.5 * day), last_used_at: ago(5 * 60_000), networks: ['203.0.113.0/24', '2001:db8::/32'] }),
    aToken({ name: 'Old script', expires_at: ago(day), creator_is_active: false }),
    aToken({ name: 'Nightly export', creator_name: 'Marek Lindqvist', creator_is_active: false }),
  ];
  open();
  const [importer, old, nightly] = (await list()).getAllByRole('listitem').filter((item) => item.textContent.includes('tnd_live_'));
  expect(importer).toHaveTextContent('Expires in 6 days');
  expect(importer).toHaveTextContent('tnd_live_…3f9c');
  expect(importer).toHaveTextContent('Last used 5m ago');
  expect(importer).toHaveTextContent('Only from 203.0.113.0/24 and 1 more');
  expect(importer).toHaveTextContent('Read tickets');
  expect(old).toHaveTextContent('Expired');
  expect(old).not.toHaveTextContent('still works');
  expect(nightly).toHaveTextContent('Marek Lindqvist is no longer an active member, but the token still works.');
  expect(within(old!).queryByRole('switch')).not.toBeInTheDocument();
  const { violations } = await axe.run(screen.getByRole('region', { name: 'API tokens' }), {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('deactivates and activates a token, and reverts if the server refuses', async () => {
  platform.tokens = [aToken()];
  const { person } = open();
  const toggle = await screen.findByRole('switch', { name: 'Order importer is active' });
  await person.click(toggle);
  expect(await screen.findByText('API token deactivated.')).toBeInTheDocument();
  await person.click(toggle);
  expect(await screen.findByText('API token activated.')).toBeInTheDocument();
  server.use(http.patch(api('/api-tokens/:id'), () => refuse('internal')));
  await person.click(toggle);
  await waitFor(() => expect(toggle).toBeChecked());
});

it('creates a token with the two default permissions and shows its value once, with a request to try', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Create a token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API token' }));
  expect(dialog.getAllByRole('checkbox').filter((box) => (box as HTMLInputElement).checked)).toHaveLength(2);
  await person.click(dialog.getByRole('button', { name: 'Generate token' }));
  expect(dialog.getByText('Give the token a name')).toBeInTheDocument();
  await person.type(dialog.getByRole('textbox', { name: 'Name' }), 'Order importer');
  await person.type(dialog.getByRole('textbox', { name: /Allowed networks/ }), '203.0.113.0/24{Enter}10.0.0.300');
  await person.click(dialog.getByRole('button', { name: 'Generate token' }));
  expect(dialog.getByText(/“10.0.0.300” is not a network/)).toBeInTheDocument();
  expect(platform.sent).toEqual([]);
  await person.type(dialog.getByRole('textbox', { name: /Allowed networks/ }), '{Backspace}{Backspace}');
  await person.click(dialog.getByRole('button', { name: 'Generate token' }));
  const issued = within(await screen.findByRole('dialog', { name: 'Your new API token' }));
  expect(issued.getByText('tnd_live_secretvalue')).toBeInTheDocument();
  expect(
    issued.getByText(/curl "http:\/\/localhost\/api\/v1\/tickets\?limit=5" \\\s+-H "Authorization: Bearer tnd_live_secretvalue"/),
  ).toBeInTheDocument();
  expect(platform.sent[0]?.body).toEqual({
    name: 'Order importer',
    permissions: ['tickets:read', 'tickets:write'],
    networks: ['203.0.113.0/24', '10.0.0.3'],
    expires_in_days: 90,
  });
  // Closing asks for confirmation if the value was not copied.
  await person.click(issued.getByRole('button', { name: 'Done' }));
  expect(issued.getByText(/You haven’t copied the token/)).toBeInTheDocument();
  await person.click(issued.getByRole('button', { name: 'Close without copying' }));
  await waitFor(() => expect(screen.queryByText('tnd_live_secretvalue')).not.toBeInTheDocument());
  expect((await list()).getByText('Order importer')).toBeInTheDocument();
});

it('keeps the form if the token cannot be created', async () => {
  server.use(http.post(api('/api-tokens'), () => refuse('api_token.too_many')));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Create a token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API token' }));
  await person.type(dialog.getByRole('textbox', { name: 'Name' }), 'Order importer');
  await person.click(dialog.getByRole('button', { name: 'Generate token' }));
  expect(await screen.findByText(/^Failed to generate API token\./)).toBeInTheDocument();
  expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Order importer');
});

it('rotates a token and counts down while the old value works', async () => {
  platform.tokens = [aToken()];
  const { person } = open();
  await openMenu(person, 'Rotate');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rotate “Order importer”' }));
  await person.click(dialog.getByRole('button', { name: 'Rotate token' }));
  const issued = within(await screen.findByRole('dialog', { name: 'The new value of your token' }));
  await person.click(issued.getByRole('button', { name: 'Copy: New token' }));
  await person.click(issued.getByRole('button', { name: 'Done' }));
  expect(platform.sent[0]?.body).toEqual({ overlap_hours: 24 });
  const note = await (await list()).findByText(/The old value still works for/);
  expect(note).toHaveTextContent(/2[34]:\d\d:\d\d/);
});

it('changes the name and the networks of a token', async () => {
  platform.tokens = [aToken()];
  const { person } = open();
  await openMenu(person, 'Edit name and networks');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Order importer”' }));
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await person.clear(name);
  await person.type(name, 'Shop importer');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await (await list()).findByText('Shop importer')).toBeInTheDocument();
  expect(platform.sent[0]?.body).toEqual({ name: 'Shop importer', networks: [] });
});

it('deletes a token after naming the consequence', async () => {
  platform.tokens = [aToken()];
  const { person } = open();
  await openMenu(person, 'Delete');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Order importer”?' }));
  expect(dialog.getByText(/stops working immediately/)).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Delete token' }));
  expect(await screen.findByText('No API tokens yet')).toBeInTheDocument();
});

it('shows the requests of a token, and more on request', async () => {
  platform.tokens = [aToken()];
  platform.requests = [aRequest({ status: 404, code: 'ticket.not_found' }), ...Array.from({ length: 59 }, () => aRequest())];
  const { person } = open();
  await openMenu(person, 'View requests');
  const panel = within(await screen.findByRole('dialog', { name: 'Requests made with “Order importer”' }));
  const requests = within(await panel.findByRole('list', { name: 'Requests, newest first' }));
  expect(requests.getAllByRole('listitem')).toHaveLength(50);
  expect(requests.getAllByRole('listitem')[0]).toHaveTextContent('404GET/tickets/:id12 ms');
  expect(requests.getAllByRole('listitem')[0]).toHaveTextContent('ticket.not_found');
  await person.click(panel.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(requests.getAllByRole('listitem')).toHaveLength(60));
  expect(panel.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it('explains an empty request log, and offers Try Again if the tokens cannot be loaded', async () => {
  platform.tokens = [aToken()];
  server.use(http.get(api('/api-tokens'), () => refuse('permission.denied'), { once: true }));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Try Again' }));
  await openMenu(person, 'View requests');
  expect(await screen.findByText('No requests in the last 7 days')).toBeInTheDocument();
});

it('accepts networks and single addresses of both kinds', () => {
  for (const network of ['203.0.113.0/24', '10.0.0.1', '2001:db8::/32', '::1', '::ffff:10.0.0.1']) expect(isNetwork(network)).toBe(true);
  for (const wrong of ['203.0.113.0/33', '10.0.0', '256.1.1.1', '2001:db8::/129', 'example.com', 'fe80::1%eth0', '1::2::3', '1.2.3.4/'])
    expect(isNetwork(wrong)).toBe(false);
  expect(networksError(Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`).join('\n'))).toBe('At most 20 networks');
});

it('shows when a token expires', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const at = (iso: string | null) => expiryOf({ expires_at: iso }, now).text;
  expect(at(null)).toBe('Never expires');
  expect(at('2026-11-23T11:59:59Z')).toBe('Expired');
  expect(at('2026-11-23T15:30:00Z')).toBe('Expires in 3 hours');
  expect(at('2026-11-29T13:00:00Z')).toBe('Expires in 6 days');
  expect(at('2027-02-21T12:00:00Z')).toBe('Expires Feb 21, 2027');
});
