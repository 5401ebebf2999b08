import {
  countViews,
  createView,
  deleteView,
  listViews,
  saveListPreferences,
  updateTicket,
  updateView,
  type Context,
  type ListPreferences,
  type OutputOf,
  type View,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
beforeEach(async () => (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const save = async (ctx: Context, body: Record<string, unknown> = {}) =>
  (await tickets.call<View>(createView, ctx, { body: { name: 'Hot', filter: { status: ['open'] }, ...body } })).data;
const change = (ctx: Context, id: string, body: unknown) => tickets.call<View>(updateView, ctx, { params: { id }, body });
const remove = (ctx: Context, id: string) => tickets.call(deleteView, ctx, { params: { id } });
const names = async (ctx: Context) => (await tickets.call<View[]>(listViews, ctx)).data.map(({ name }) => name);
const counts = async (ctx: Context) => (await tickets.call<OutputOf<typeof countViews>>(countViews, ctx)).data;

it('saves, lists by name, changes and removes', async () => {
  const filter = {
    search: '100% "x"',
    status: ['open'],
    priority: ['urgent'],
    assignee: 'me',
    category: 'Billing',
    tag: ['vip'],
    sort: 'due',
  };
  const view = await save(asStaff(organization), { name: 'b', filter });
  expect(view).toMatchObject({ name: 'b', filter, is_shared: false, owner_id: organization.agent });
  await save(asStaff(organization), { name: 'A' });
  expect(await names(asStaff(organization))).toEqual(['A', 'b']);
  const changed = await change(asStaff(organization), view.id, { name: 'c', filter: {} });
  expect([changed.status, changed.data]).toEqual([200, { ...view, name: 'c', filter: {} }]);
  expect((await remove(asStaff(organization), view.id)).status).toBe(200);
  expect((await remove(asStaff(organization), view.id)).data.code).toBe('view.not_found');
  expect(await names(asStaff(organization))).toEqual(['A']);
});
it('a private view is not found for others of any role', async () => {
  const { id } = await save(asStaff(organization));
  for (const role of ['admin', 'manager'] as const) {
    expect(await names(asStaff(organization, role))).toEqual([]);
    expect((await change(asStaff(organization, role), id, { name: 'x' })).status).toBe(404);
    expect((await remove(asStaff(organization, role), id)).status).toBe(404);
    expect((await counts(asStaff(organization, role))).views).toEqual({});
  }
});
it('a shared view is visible to all, and can be changed by its owner, managers and admins', async () => {
  const { id } = await save(asStaff(organization, 'admin'), { is_shared: true });
  expect(await names(asStaff(organization))).toEqual(['Hot']);
  expect((await change(asStaff(organization), id, { name: 'x' })).data.code).toBe('permission.denied');
  expect((await remove(asStaff(organization), id)).status).toBe(403);
  expect((await change(asStaff(organization, 'manager'), id, { name: 'Warm' })).data).toMatchObject({
    name: 'Warm',
    owner_id: organization.admin,
  });
  expect((await remove(asStaff(organization, 'manager'), id)).status).toBe(200);
});
it('is limited to the organization', async () => {
  const { id } = await save(asStaff(organization), { is_shared: true });
  const otherOrganization = await tickets.anOrganization();
  expect(await names(asStaff(otherOrganization, 'admin'))).toEqual([]);
  expect((await change(asStaff(otherOrganization, 'admin'), id, { name: 'x' })).status).toBe(404);
  expect((await remove(asStaff(otherOrganization, 'admin'), id)).status).toBe(404);
  expect(await names(asStaff(organization))).toEqual(['Hot']);
});
it('an API token reads shared views and cannot save any', async () => {
  await save(asStaff(organization), { name: 'Own' });
  await save(asStaff(organization), { name: 'Shared', is_shared: true, filter: { assignee: 'me' } });
  expect(await names(asToken(organization, 'tickets:read'))).toEqual(['Shared']);
  expect((await tickets.call(countViews, asToken(organization, 'tickets:read'))).data.code).toBe('token.not_allowed');
  const { status } = await tickets.call(createView, asToken(organization, 'tickets:write'), { body: { name: 'x', filter: {} } });
  expect(status).toBe(403);
  expect((await tickets.call(listViews, asCustomer(organization.id))).status).toBe(401);
  expect((await tickets.call(listViews, undefined)).status).toBe(401);
});
it.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ filter: { status: ['done'] } }, 'filter.status.0'],
  [{ filter: { search: 'x'.repeat(201) } }, 'filter.search'],
  [{ filter: { search: 'a\u0000b' } }, 'filter.search'],
  [{ filter: { category: '\ud800' } }, 'filter.category'],
  [{ filter: { assignee: 'somebody' } }, 'filter.assignee'],
  [{ filter: { sort: 'x' } }, 'filter.sort'],
  [{ filter: { page: 2 } }, 'filter.page'],
])('rejects %j in a new or changed view, and keeps the previous one', async (body, path) => {
  const { id } = await save(asStaff(organization));
  const made = await tickets.call(createView, asStaff(organization), { body: { name: 'x', filter: {}, ...body } });
  expect([made.status, made.data.errors?.[0]?.path]).toEqual([422, path]);
  const changed = await change(asStaff(organization), id, body);
  expect([changed.status, changed.data.errors?.[0]?.path]).toEqual([422, path]);
  expect(await names(asStaff(organization))).toEqual(['Hot']);
});
it('a user has at most 100 views, even after concurrent requests', async () => {
  for (let i = 0; i < 99; i++) await save(asStaff(organization), { name: `v${i}` });
  const answers = await Promise.all(
    [1, 2].map((n) => tickets.call(createView, asStaff(organization), { body: { name: `last ${n}`, filter: {} } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.data.code).toBe('view.too_many');
  expect((await save(asStaff(organization, 'admin'))).name).toBe('Hot');
  expect(Object.keys((await counts(asStaff(organization))).views)).toHaveLength(100);
});
it('counts every view for the caller, with all its filters', async () => {
  const make = async (overrides: Parameters<typeof tickets.aTicket>[1], patch: Record<string, unknown>) => {
    const { id } = await tickets.aTicket(organization, overrides);
    if (Object.keys(patch).length > 0) await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: patch });
  };
  await make({ subject: 'Invoice one', tags: ['vip'] }, {});
  await make({ subject: 'Two', description: 'an invoice', tags: ['vip', 'eu'] }, { assigned_to: organization.agent });
  await make({ subject: 'Three', category: 'Billing' }, { assigned_to: organization.agent, status: 'waiting_for_customer' });
  await make({ subject: 'Four' }, { assigned_to: organization.agent, status: 'closed' });
  await make({ subject: 'Five', priority: 'urgent' }, { status: 'in_progress' });
  const view = async (filter: Record<string, unknown>, is_shared = false) => (await save(asStaff(organization), { filter, is_shared })).id;
  const expected = {
    [await view({ search: 'invoice' })]: 2,
    [await view({ search: 'invoice', assignee: 'unassigned' })]: 1,
    [await view({ tag: ['vip', 'eu'] })]: 2,
    [await view({ tag: ['eu'], status: ['closed'] })]: 0,
    [await view({ category: 'Billing' })]: 1,
    [await view({ priority: ['urgent'], sort: 'due' })]: 1,
    [await view({ assignee: 'me' }, true)]: 3,
    [await view({})]: 5,
  };
  const { all, open, mine, unassigned, views } = await counts(asStaff(organization));
  expect([all, open, mine, unassigned].map(({ count }) => count)).toEqual([5, 3, 2, 2]);
  expect(Object.fromEntries(Object.entries(views).map(([id, { count }]) => [id, count]))).toEqual(expected);
  const theirs = await counts(asStaff(organization, 'admin'));
  expect([theirs.mine.count, Object.values(theirs.views)]).toEqual([0, [{ count: 0, is_capped: false }]]);
});
it('counts up to 1,000 and marks a capped count', async () => {
  await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await sql`insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
      select ${organization.id}::uuid, gen_random_uuid(), 'N-' || n, 'Many', 'c@example.com', now(), now() from generate_series(1, 1001) n`.execute(
      tx,
    );
    await tx.updateTable('ticket_counters').set({ last_number: 1_001 }).execute();
  });
  const { id } = await save(asStaff(organization), { filter: { search: 'many' } });
  const { all, open, mine, views } = await counts(asStaff(organization));
  const capped = { count: 1_000, is_capped: true };
  expect({ all, open, mine, [id]: views[id] }).toEqual({ all: capped, open: capped, mine: { count: 0, is_capped: false }, [id]: capped });
});
it('omits the counts of the saved views that take too long, and returns the others', async () => {
  await tickets.aTicket(organization);
  const named = (name: string, filter: object) => save(asStaff(organization), { name, filter, is_shared: true });
  const { id } = await named('1', { search: 'zebra' });
  const { id: quick } = await named('2', { priority: ['urgent'] });
  const { id: conditional } = await named('3', { condition: { field: 'subject', op: 'contains', value: 'zebra' } });
  const none = { count: 0, is_capped: false };
  await tickets.db.asSystem('test', async (tx) => {
    // Searches wait for this lock, as if they had to read hundreds of thousands of texts.
    await sql`lock table ticket_texts in access exclusive mode`.execute(tx);
    // Gives up after a second; the lock is held throughout the request, so without that limit it would wait forever.
    const { status, data } = await tickets.call<OutputOf<typeof countViews>>(countViews, asStaff(organization));
    expect([status, data.all?.count, data.views]).toEqual([200, 1, { [quick]: none, [conditional]: none }]);
  });
  expect((await counts(asStaff(organization))).views).toEqual({ [id]: none, [quick]: none, [conditional]: none });
});
it('returns not found for an unknown view', async () => {
  expect((await change(asStaff(organization), newId(), { name: 'x' })).status).toBe(404);
});

describe('the appearance of the list', () => {
  const choose = (body: unknown, ctx = asStaff(organization)) => tickets.call<ListPreferences>(saveListPreferences, ctx, { body });
  const density = async (ctx = asStaff(organization)) => (await tickets.call<{ density: unknown }>(countViews, ctx)).data.density;

  it('is stored per user and organization, and returned with the counts', async () => {
    expect(await density()).toBeNull();
    for (const chosen of ['compact', 'comfortable', 'compact']) {
      expect(await choose({ density: chosen })).toMatchObject({ status: 200, data: { density: chosen } });
      expect(await density()).toBe(chosen);
    }
    const elsewhere = { ...asStaff(organization), organization_id: (await tickets.anOrganization()).id };
    expect([await density(asStaff(organization, 'admin')), await density(elsewhere)]).toEqual([null, null]);
  });
  it('keeps omitted fields, in any order of the requests', async () => {
    const user = asStaff(organization, 'manager');
    const chosen = async () => {
      const { density, group_by, columns } = (await tickets.call<ListPreferences>(countViews, user)).data;
      return { density, group_by, columns };
    };
    expect(await chosen()).toEqual({ density: null, group_by: null, columns: null });
    await choose({ group_by: 'due', columns: ['due', 'status'] }, user);
    expect(await chosen()).toEqual({ density: 'comfortable', group_by: 'due', columns: ['due', 'status'] });
    await choose({ density: 'compact' }, user);
    await choose({ columns: [] }, user);
    expect(await chosen()).toEqual({ density: 'compact', group_by: 'due', columns: [] });
    await choose({ group_by: null, columns: null }, user);
    expect(await chosen()).toEqual({ density: 'compact', group_by: null, columns: null });
  });
  it('rejects other values and callers without a user', async () => {
    const invalid = [
      {},
      { density: 'tiny' },
      { density: null },
      { density: 'compact', color: 'red' },
      { group_by: 'subject' },
      { columns: ['due', 'due'] },
      { columns: ['color'] },
    ];
    for (const body of invalid) expect([body, (await choose(body)).status]).toEqual([body, 422]);
    expect((await choose({ density: 'compact' }, asToken(organization, 'tickets:read', 'tickets:write'))).status).toBe(403);
    expect((await choose({ density: 'compact' }, asCustomer(organization.id))).status).toBe(401);
  });
});
