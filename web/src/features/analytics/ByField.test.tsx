import { screen, waitFor, within } from '@testing-library/react';
import type { AnalyticsByField } from '@tandem/contracts';
import { http } from 'msw';
import { someAnalytics } from '../../testing/analytics';
import { aCustomField, backend } from '../../testing/backend';
import { FakeEventSource } from '../../testing/event-source';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const plan = aCustomField({
  key: 'plan',
  type: 'choice',
  label: 'Plan',
  options: [
    { value: 'basic', label: 'Basic' },
    { value: 'pro', label: 'Professional' },
    { value: 'team', label: 'Team' },
  ],
});
const topics = aCustomField({ key: 'topics', type: 'choices', label: 'Topics', options: [{ value: 'a', label: 'Delivery' }] });
const urgent = aCustomField({ key: 'urgent', type: 'yes_no', label: 'Urgent' });

const { period } = someAnalytics();
/** The rows of each field. */
let rows: Record<string, AnalyticsByField['rows']>;
/** The queries of the requests. */
let asked: string[];
beforeEach(() => {
  backend.signIn();
  backend.customFields = [aCustomField({ key: 'order', label: 'Order' }), plan, topics, urgent];
  asked = [];
  rows = {
    plan: [
      { value: null, count: 60 },
      { value: 'pro', count: 40 },
      { value: 'gone', count: 15 },
      { value: 'basic', count: 5 },
    ],
    topics: [{ value: 'a', count: 120 }],
    urgent: [
      { value: true, count: 90 },
      { value: false, count: 30 },
    ],
  };
  server.use(
    http.get(api('/analytics'), () => answer(someAnalytics())),
    http.get(api('/analytics/by-field'), ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const key = searchParams.get('key')!;
      return answer({ key, period, total_tickets: 120, rows: rows[key]!, version: '1' });
    }),
  );
});

const card = () => screen.findByRole('region', { name: 'By custom field' });
const bars = async (field: string) => within(await within(await card()).findByRole('list', { name: field })).getAllByRole('link');
const textsOf = (links: HTMLElement[]) => links.map(({ textContent }) => textContent);
const conditionOf = (link: HTMLElement | undefined): unknown => {
  const { pathname, searchParams } = new URL(link!.getAttribute('href')!, 'https://acme.example');
  expect([pathname, searchParams.get('created_from'), searchParams.get('created_to')]).toEqual([
    '/tickets',
    period.from_time,
    period.to_time,
  ]);
  return JSON.parse(searchParams.get('condition')!);
};

it('shows the tickets of each option, of removed options and without a value, and links them to the list', async () => {
  renderApp('/analytics');
  const links = await bars('Plan');
  expect(textsOf(links)).toEqual([
    'Professional: 40 tickets33.3%',
    'gone: 15 tickets12.5%',
    'Basic: 5 tickets4.2%',
    'Team: 0 tickets0%',
    'No value: 60 tickets50%',
  ]);
  const is = (value: string) => ({ field: 'custom_fields.plan', op: 'is_any_of', value: [value] });
  expect(links.map(conditionOf)).toEqual([is('pro'), is('gone'), is('basic'), is('team'), { field: 'custom_fields.plan', op: 'is_empty' }]);
  expect((await card()).textContent?.replaceAll(/[\u2068\u2069]/g, '')).toContain('Most: Professional, 40 of 120 tickets (33.3%).');
});

it('shows another field in the range and with the filters of the page, and keeps it in the address', async () => {
  const { person, address } = renderApp('/analytics?range=7&priority=high');
  await bars('Plan');
  const choice = within(await card()).getByRole('combobox', { name: 'Custom field' });
  await person.click(choice);
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Plan', 'Topics', 'Urgent']);
  await person.click(screen.getByRole('option', { name: 'Topics' }));
  const [delivery] = await bars('Topics');
  expect(conditionOf(delivery)).toEqual({ field: 'custom_fields.topics', op: 'contains_any_of', value: ['a'] });
  expect(address()).toBe('/analytics?range=7&priority=high&field=topics');
  await waitFor(() => expect(within(screen.getByRole('region', { name: 'By custom field' })).getByRole('combobox')).toHaveFocus());
  await person.click(screen.getByRole('button', { name: '90 days' }));
  expect(address()).toBe('/analytics?range=90&priority=high&field=topics');
  await waitFor(() => expect(asked.at(-1)).toBe('?range=90&priority=high&key=topics'));
  // The other figures do not depend on the field.
  await waitFor(() =>
    expect(backend.calls.filter((each) => each.startsWith('GET /analytics?'))).toEqual([
      'GET /analytics?range=7&priority=high',
      'GET /analytics?range=90&priority=high',
    ]),
  );
});

it('shows yes and no', async () => {
  renderApp('/analytics?field=urgent');
  const links = await bars('Urgent');
  expect(textsOf(links)).toEqual(['Yes: 90 tickets75%', 'No: 30 tickets25%']);
  expect(links.map(conditionOf)).toEqual([
    { field: 'custom_fields.urgent', op: 'is', value: true },
    { field: 'custom_fields.urgent', op: 'is', value: false },
  ]);
});

it('shows the figures as a table with the name of the field', async () => {
  const { person } = renderApp('/analytics');
  await bars('Plan');
  await person.click(await within(await card()).findByRole('button', { name: /^Show as table/ }));
  const table = within(await within(await card()).findByRole('table'));
  expect(table.getByRole('columnheader', { name: 'Plan' })).toBeInTheDocument();
  expect(table.getByRole('row', { name: /^Professional/ })).toHaveTextContent('Professional4033.3%');
});

it('says so if no ticket has a value', async () => {
  rows['plan'] = [{ value: null, count: 120 }];
  renderApp('/analytics');
  await bars('Plan');
  expect(await card()).toHaveTextContent('No values in this range.');
});

it('updates the figures without a reload', async () => {
  renderApp('/analytics');
  await bars('Plan');
  rows['plan'] = [{ value: 'team', count: 120 }];
  FakeEventSource.last.send({ type: 'metrics.updated', subject: 't' });
  await waitFor(async () => expect(textsOf(await bars('Plan'))[0]).toBe('Team: 120 tickets100%'));
});

it('explains why the figures could not be loaded, and tries again', async () => {
  server.use(http.get(api('/analytics/by-field'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/analytics');
  expect(await within(await card()).findByText('Couldn’t load the figures of this field')).toBeInTheDocument();
  await person.click(within(await card()).getByRole('button', { name: 'Try Again' }));
  expect(await bars('Plan')).toHaveLength(5);
});

it.each([
  ['has only other fields', [aCustomField()]],
  ['has deleted its fields', [{ ...plan, deleted_at: '2026-11-20T10:00:00.000Z' }]],
])('is missing if the organization %s', async (_, fields) => {
  backend.customFields = fields;
  renderApp('/analytics');
  await screen.findByRole('region', { name: 'Arrivals' });
  await waitFor(() => expect(backend.calls).toContain('GET /custom-fields'));
  expect(screen.queryByRole('region', { name: 'By custom field' })).toBeNull();
  expect(asked).toEqual([]);
});
