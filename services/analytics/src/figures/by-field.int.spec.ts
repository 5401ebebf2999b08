import { readAnalytics, readAnalyticsByField, type Analytics, type AnalyticsByField, type Context, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { ticketOf } from '@tandem/testing';
import { AnalyticsUnderTest, userOf } from '../../test/analytics-under-test';
import { readByField } from './by-field';
import { findState } from './figures.store';

let analytics: AnalyticsUnderTest;
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const dayOf = (days: number) => daysAgo(days).slice(0, 10);
const read = (ctx: Context | undefined, query: Record<string, string>) =>
  analytics.call<AnalyticsByField>(ctx, readAnalyticsByField, { query });
/** The rows as an object; the empty key is for tickets without a value. */
async function counts(organization_id: string, key: string, query: Record<string, string> = {}): Promise<Record<string, number>> {
  const { data } = await read(userOf(organization_id), { key, ...query });
  return Object.fromEntries(data.rows.map(({ value, count }) => [value ?? '', count]));
}
async function create(organization_id: string, overrides: Partial<Ticket>): Promise<Ticket> {
  const ticket = ticketOf(organization_id, { created_at: daysAgo(1), ...overrides });
  await analytics.create(ticket);
  return ticket;
}
const update = (ticket: Ticket, custom_fields: Ticket['custom_fields'], sequence: number) =>
  analytics.deliver(ticket.organization_id, { kind: 'updated', ticket: { ...ticket, custom_fields }, changes: {}, sequence });

it('counts the tickets of the range by the option that they have now, and those without a value', async () => {
  const organization_id = newId();
  const [first, second] = [
    await create(organization_id, { custom_fields: { plan: 'basic' } }),
    await create(organization_id, { custom_fields: { plan: 'pro' } }),
  ];
  await create(organization_id, { custom_fields: { plan: 'pro' } });
  await create(organization_id, {});
  await create(organization_id, { created_at: daysAgo(8), custom_fields: { plan: 'basic' } });
  const { data } = await read(userOf(organization_id), { key: 'plan', range: '7' });
  expect(data).toMatchObject({
    key: 'plan',
    period: { from: dayOf(6), to: dayOf(0) },
    total_tickets: 4,
    rows: [
      { value: 'pro', count: 2 },
      { value: 'basic', count: 1 },
      { value: null, count: 1 },
    ],
  });
  await update(first, { plan: 'pro' }, 2);
  await update(second, {}, 2);
  expect(await counts(organization_id, 'plan', { range: '7' })).toEqual({ pro: 2, '': 2 });
  // Events arrive in any order: the newest one decides.
  await update(first, { plan: 'basic' }, 4);
  await update(first, { plan: 'other' }, 3);
  expect(await counts(organization_id, 'plan', { range: '7' })).toEqual({ basic: 1, pro: 1, '': 2 });
  expect(await counts(organization_id, 'plan', { from: dayOf(8), to: dayOf(8) })).toEqual({ basic: 1 });
});

it('counts a ticket with several choices once for each, and yes and no as booleans', async () => {
  const organization_id = newId();
  await create(organization_id, { custom_fields: { topics: ['a', 'b'], urgent: true } });
  await create(organization_id, { custom_fields: { topics: ['b'], urgent: false } });
  await create(organization_id, { custom_fields: { urgent: true } });
  expect(await counts(organization_id, 'topics')).toEqual({ a: 1, b: 2, '': 1 });
  const { total_tickets, rows } = (await read(userOf(organization_id), { key: 'urgent' })).data;
  expect([total_tickets, rows]).toEqual([
    3,
    [
      { value: true, count: 2 },
      { value: false, count: 1 },
    ],
  ]);
});

it('applies the filters of the other figures', async () => {
  const organization_id = newId();
  const [ada, plan] = [newId(), 'pro'];
  await create(organization_id, { custom_fields: { plan }, priority: 'high', tags: ['vip'], channel: 'email', category: 'Billing', assigned_to: ada }); // prettier-ignore
  await create(organization_id, { custom_fields: { plan: 'basic' }, priority: 'low' });
  const filters: Record<string, string>[] = [
    { priority: 'high' },
    { channel: 'email' },
    { category: 'Billing' },
    { assignee: ada },
    { tag: 'vip' },
    { priority: 'high', tag: 'vip' },
  ];
  for (const filter of filters) expect(await counts(organization_id, 'plan', filter)).toEqual({ pro: 1 });
  expect(await counts(organization_id, 'plan', { assignee: 'unassigned' })).toEqual({ basic: 1 });
});

it('counts as many tickets as the other figures, in the days of the organization, before and after roll-ups', async () => {
  const organization_id = newId();
  await analytics.setTimeZone(organization_id, 'Pacific/Kiritimati');
  for (let n = 0; n < 12; n += 1)
    await create(organization_id, { created_at: new Date(Date.now() - n * 5 * 3_600_000).toISOString(), custom_fields: { plan: 'pro' } });
  const ctx = userOf(organization_id);
  const periods = async (query: Record<string, string>) => {
    const whole = (await analytics.call<Analytics>(ctx, readAnalytics, { query })).data;
    const { period, total_tickets, rows } = (await read(ctx, { key: 'plan', ...query })).data;
    expect(period).toEqual(whole.period);
    expect([total_tickets, rows[0]?.count]).toEqual([whole.figures.total_tickets, whole.figures.total_tickets]);
    return total_tickets;
  };
  const { from, to } = (await read(ctx, { key: 'plan' })).data.period;
  expect(await periods({ from, to })).toBe(12);
  expect(await periods({ from: to, to })).toBeLessThan(12);
  await analytics.rollUp(organization_id);
  expect(await periods({ range: '7' })).toBe(12);
});

it('counts from the histories of a rebuild', async () => {
  const organization_id = newId();
  const known = await create(organization_id, { custom_fields: { plan: 'basic' } });
  const history = (ticket: Ticket, sequence: number) =>
    ({ ticket, sequence, moments: [], survey: null, survey_sent_at: null, events: [] }) as const;
  const changed = { ...known, custom_fields: { plan: 'pro', topics: ['a'] } };
  const unknown = ticketOf(organization_id, { created_at: daysAgo(1), custom_fields: { plan: 'pro' } });
  const histories = [history(changed, 2), history(unknown, 1)].map((each) => ({ ...each, moments: [], events: [] }));
  await analytics.deliverHistory(...histories);
  expect(await counts(organization_id, 'plan')).toEqual({ pro: 2 });
  const { version } = (await read(userOf(organization_id), { key: 'plan' })).data;
  await analytics.deliverHistory(...histories);
  expect((await read(userOf(organization_id), { key: 'plan' })).data.version).toBe(version);
  await create(organization_id, { custom_fields: { plan: 'basic' } });
  expect(await counts(organization_id, 'plan')).toEqual({ pro: 2, basic: 1 });
});

it('stores no text that people wrote in other fields', async () => {
  const organization_id = newId();
  const custom_fields = { plan: 'pro', name: 'Carla Example', order: 'A-17', note: 'a '.repeat(2_000), since: '2026-03-31', amount: 7 };
  await create(organization_id, { custom_fields });
  const facts = await analytics.inTenant(organization_id, (tx) => tx.selectFrom('ticket_facts').select('custom_fields').execute());
  expect(facts).toEqual([{ custom_fields: { plan: 'pro' } }]);
});

it('has only tickets without a value for a field that does not exist, and no rows for a range without tickets', async () => {
  const organization_id = newId();
  await create(organization_id, { custom_fields: { plan: 'pro' } });
  expect(await counts(organization_id, 'gone')).toEqual({ '': 1 });
  expect((await read(userOf(newId()), { key: 'plan' })).data).toMatchObject({ total_tickets: 0, rows: [] });
});

it('is for admins, managers and tokens with the permission, of their own organization', async () => {
  const organization_id = newId();
  await create(organization_id, { custom_fields: { plan: 'pro' } });
  const status = async (ctx: Context | undefined) => (await read(ctx, { key: 'plan' })).status;
  expect(await status(userOf(organization_id, 'admin'))).toBe(200);
  expect(await status(userOf(organization_id, 'manager'))).toBe(200);
  expect(await status(userOf(organization_id, 'agent'))).toBe(403);
  expect(await status(userOf(null, 'admin'))).toBe(403);
  expect(await status(undefined)).toBe(401);
  expect(await counts(newId(), 'plan')).toEqual({});
});

it.each([
  [{}, 'key'],
  [{ key: '' }, 'key'],
  [{ key: 'Plan' }, 'key'],
  [{ key: "x'; drop table ticket_facts" }, 'key'],
  [{ key: 'a'.repeat(41) }, 'key'],
  [{ key: 'plan', range: '31' }, 'range'],
  [{ key: 'plan', from: '2026-01-02', to: '2026-01-01' }, 'to'],
  [{ key: 'plan', priority: 'nonsense' }, 'priority'],
])('rejects %j', async (query, path) => {
  const { status, problem } = await read(userOf(newId()), query);
  expect([status, problem.code, [...new Set(problem.errors?.map((error) => error.path))]]).toEqual([422, 'request.invalid', [path]]);
});

it('refuses a range with too many tickets', async () => {
  const organization_id = newId();
  for (let n = 0; n < 3; n += 1) await create(organization_id, { custom_fields: { plan: n === 0 ? 'pro' : 'basic' } });
  const range = { from: dayOf(6), to: dayOf(0) };
  const limited = (maxTickets: number) =>
    analytics.inTenant(organization_id, async (tx) => readByField(tx, { key: 'plan' }, range, await findState(tx), daysAgo(0), maxTickets));
  await expect(limited(2)).rejects.toMatchObject({
    code: 'request.invalid',
    fields: [{ path: 'from', code: 'too_many', message: 'More than 2 tickets match these filters. Choose fewer days.' }],
  });
  expect((await limited(3)).total_tickets).toBe(3);
});

it('has an entity tag that changes with the values', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  const ticket = await create(organization_id, { custom_fields: { plan: 'pro' } });
  const etag = async () => (await read(ctx, { key: 'plan' })).headers.get('etag')!;
  const before = await etag();
  const again = await analytics.call(ctx, readAnalyticsByField, { query: { key: 'plan' }, headers: { 'if-none-match': before } });
  expect(again.status).toBe(304);
  await update(ticket, { plan: 'pro', order: 'A-17' }, 2);
  expect(await etag()).toBe(before);
  await update(ticket, { plan: 'basic' }, 3);
  expect(await etag()).not.toBe(before);
});
