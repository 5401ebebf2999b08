import type { Installation } from '@tandem/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const state = {
  version: '0.2.0',
  outbox_oldest_seconds: 0,
  connections: { used: 1, max: 10, waiting: 0 },
  dead_letters: 1,
  consumers: [{ name: 'tickets-sla', pending: 7, unacknowledged: 1, oldest_seconds: 190 }],
  queues: [{ name: 'tickets', waiting: 2, active: 1, delayed: 3, oldest_seconds: 5 }],
};
const installation: Installation = {
  version: '0.2.0',
  update: { status: 'available', version: '0.3.0' },
  services: [
    { name: 'identity', state: null },
    { name: 'tickets', state },
  ],
  servers: [
    { name: 'nats', is_up: false },
    { name: 'redis', is_up: true },
  ],
  emails: { due: 4, deferred: 1, scheduled: 0, oldest_seconds: 7_300 },
  last_backup: { taken_at: '2026-11-25T02:00:00.000Z', version: '0.2.0', folder: '/backups/2026-11-25' },
};
const organization = {
  id: '0192f0c1-0000-7000-8000-000000000002',
  name: 'Northwind',
  subdomain: 'northwind',
  created_at: '2026-11-25T02:00:00.000Z',
  plan: 'starter',
  trial_ends_at: '2026-12-09T02:00:00.000Z',
  members: 4,
  tickets: 5,
  tickets_this_month: 5,
  file_bytes: 1.5 * 1024 ** 3,
  is_demo: false,
};
const letter = {
  service: 'tickets',
  id: '0192f0c1-0000-7000-8000-000000000001',
  consumer: 'tickets-sla',
  event_type: 'ticket.created',
  organization_id: null,
  error: 'It broke',
  attempts: 8,
  created_at: '2026-11-25T02:00:00.000Z',
};

beforeEach(() => {
  backend.signIn();
  server.use(http.get(api('/operator'), () => answer(installation)));
});

it('shows which parts work, what waits, the backup and a newer version', async () => {
  renderApp('/operator');
  expect(await screen.findByRole('heading', { name: 'Operations' })).toBeInTheDocument();
  const services = screen.getByRole('region', { name: 'Services' });
  expect(within(services).getByRole('row', { name: /Identity/ })).toHaveTextContent('Not responding');
  expect(within(services).getByRole('row', { name: /Tickets/ })).toHaveTextContent('Working');
  expect(screen.getByText('Version 0.3.0 is available')).toBeInTheDocument();
  expect(screen.getByText('due for 2 h')).toBeInTheDocument();
  expect(screen.getByText(/\/backups\/2026-11-25/)).toBeInTheDocument();
  expect(screen.getByRole('row', { name: 'tickets-sla 7 1 3 min' })).toBeInTheDocument();
});

it.each(['route.not_found', 'session.required'] as const)('is the not-found page if the server answers %s', async (code) => {
  server.use(http.get(api('/operator'), () => refuse(code)));
  renderApp('/operator');
  expect(await screen.findByText('Oops! Page not found')).toBeInTheDocument();
});

it('replays a dead letter, and discards one only after a confirmation', async () => {
  const sent: string[] = [];
  let letters = [letter];
  server.use(
    http.get(api('/operator/dead-letters'), () => answer(letters)),
    http.post(api('/operator/dead-letters/:service/:id/replay'), ({ params }) => {
      sent.push(`replay ${String(params.service)}`);
      return answer({});
    }),
    http.delete(api('/operator/dead-letters/:service/:id'), ({ params }) => {
      sent.push(`discard ${String(params.service)}`);
      letters = [];
      return answer({});
    }),
  );
  const { person } = renderApp('/operator');
  await person.click(await screen.findByRole('tab', { name: 'Dead letters' }));
  await person.click(await screen.findByRole('button', { name: 'Replay' }));
  expect(await screen.findByText('Sent to the consumer again')).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(sent).toEqual(['replay tickets']);
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('Events that fail every attempt appear here.')).toBeInTheDocument();
  expect(sent).toEqual(['replay tickets', 'discard tickets']);
});

it('disables the plan while it is being changed', async () => {
  let save = () => undefined as void;
  const saved = new Promise<void>((resolve) => (save = resolve));
  server.use(
    http.put(api('/operator/organizations/:id/plan'), async () => {
      await saved;
      return answer({});
    }),
    http.get(api('/operator/organizations'), () => answer([organization])),
  );
  const { person } = renderApp('/operator');
  await person.click(await screen.findByRole('tab', { name: 'Organizations' }));
  const plan = await screen.findByRole('combobox', { name: 'Plan of Northwind' });
  await person.selectOptions(plan, 'Professional');
  expect(plan).toBeDisabled();
  save();
  await waitFor(() => expect(plan).toBeEnabled());
});

it.each([
  ['2020-01-31T12:00:00.000Z', /^ended on Jan 31, 2020/],
  ['2999-01-31T12:00:00.000Z', /^ends on Jan 31, 2999/],
])('shows of a trial until %s: %s', async (trial_ends_at, text) => {
  server.use(http.get(api('/operator/organizations'), () => answer([{ ...organization, plan: null, trial_ends_at }])));
  const { person } = renderApp('/operator');
  await person.click(await screen.findByRole('tab', { name: 'Organizations' }));
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it('lists organizations with their use and its limits, changes a plan, and searches when the form is sent', async () => {
  const queries: (string | null)[] = [];
  const changes: unknown[] = [];
  server.use(
    http.put(api('/operator/organizations/:id/plan'), async ({ request }) => {
      changes.push(await request.json());
      return answer({});
    }),
    http.get(api('/operator/organizations'), ({ request }) => {
      queries.push(new URL(request.url).searchParams.get('q'));
      return answer(queries.at(-1) ? [] : [organization]);
    }),
  );
  const { person } = renderApp('/operator');
  await person.click(await screen.findByRole('tab', { name: 'Organizations' }));
  expect(await screen.findByRole('row', { name: /Northwind/ })).toHaveTextContent('4 of 35 of 10051.5 GB');
  await person.selectOptions(screen.getByRole('combobox', { name: 'Plan of Northwind' }), 'Professional');
  expect(await screen.findByText('Plan changed')).toBeInTheDocument();
  expect(screen.getByText('Northwind: Starter → Professional')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Plan restored')).toBeInTheDocument();
  expect(changes).toEqual([{ plan: 'professional' }, { plan: 'starter' }]);
  await person.type(await screen.findByRole('searchbox', { name: 'Search organizations' }), 'north{Enter}');
  expect(await screen.findByText('No organization matches.')).toBeInTheDocument();
  await waitFor(() => expect(queries.at(-1)).toBe('north'));
});

it('undoes a change of a plan from another tab, and then shows the former plan', async () => {
  let { plan } = organization;
  server.use(
    http.put<never, { plan: string }>(api('/operator/organizations/:id/plan'), async ({ request }) => {
      ({ plan } = await request.json());
      return answer({});
    }),
    http.get(api('/operator/organizations'), () => answer([{ ...organization, plan }])),
    http.get(api('/operator/log'), () => answer([])),
  );
  const { person } = renderApp('/operator');
  const select = () => screen.findByRole('combobox', { name: 'Plan of Northwind' });
  await person.click(await screen.findByRole('tab', { name: 'Organizations' }));
  await person.selectOptions(await select(), 'Professional');
  await screen.findByText('Plan changed');
  await person.click(screen.getByRole('tab', { name: 'Log' }));
  await waitFor(() => expect(screen.queryByRole('combobox')).not.toBeInTheDocument());
  await person.click(screen.getByRole('tab', { name: 'Organizations' }));
  expect(await select()).toHaveValue('professional');
  await person.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await select()).toHaveValue('starter'));
  expect(await screen.findByText('Plan restored')).toBeInTheDocument();
});

it('shows the former plan again if it could not be changed', async () => {
  server.use(
    http.put(api('/operator/organizations/:id/plan'), () => refuse('organization.not_found')),
    http.get(api('/operator/organizations'), () => answer([organization])),
  );
  const { person } = renderApp('/operator');
  await person.click(await screen.findByRole('tab', { name: 'Organizations' }));
  const select = await screen.findByRole('combobox', { name: 'Plan of Northwind' });
  await person.selectOptions(select, 'Professional');
  expect(await screen.findByText(/^The plan was not changed\. /)).toBeInTheDocument();
  expect(select).toHaveValue('starter');
});
