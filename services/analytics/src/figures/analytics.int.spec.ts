import {
  analyticsLimits,
  listExportedTickets,
  readAnalytics,
  readMyAnalytics,
  readTicketMetrics,
  type Analytics,
  type Context,
  type ExportedTicket,
  type MyAnalytics,
  type Role,
  type TicketMetrics,
  type TokenPermission,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { enableMetrics, ticketOf } from '@tandem/testing';
import { sql } from 'kysely';
import { AnalyticsUnderTest, userOf } from '../../test/analytics-under-test';
import type { CohortFilter } from '../day-roll-ups/day-input.store';
import { PackedDay } from '../day-roll-ups/packed-day';
import { findState } from './figures.store';
import { DayCache } from './day-cache';
import { readDays } from './read-figures';

let analytics: AnalyticsUnderTest;
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

const token = (organization_id: string, permissions: TokenPermission[]): Context => ({
  organization_id,
  actor: { type: 'token', token_id: newId(), name: 'Importer', permissions, via: 'api' },
  request_id: 'test',
});
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const read = (ctx: Context | undefined, query: Record<string, string> = {}) => analytics.call<Analytics>(ctx, readAnalytics, { query });

describe('the figures', () => {
  it('are for admins, managers and tokens with the permission, of their own organization', async () => {
    const organization_id = newId();
    await analytics.create(ticketOf(organization_id, { created_at: daysAgo(1) }));
    const status = async (ctx: Context | undefined) => (await read(ctx)).status;
    const roles = await Promise.all((['admin', 'manager', 'agent'] satisfies Role[]).map((role) => status(userOf(organization_id, role))));
    expect(roles).toEqual([200, 200, 403]);
    expect(await status(token(organization_id, ['analytics:read']))).toBe(200);
    expect(await status(token(organization_id, ['tickets:read']))).toBe(403);
    expect(await status(userOf(null, 'admin'))).toBe(403);
    expect(await status(undefined)).toBe(401);
    expect((await read(userOf(organization_id))).data.figures.total_tickets).toBe(1);
    const { data } = await read(userOf(newId()));
    expect(data).toMatchObject({
      has_tickets: false,
      time_zone: 'UTC',
      figures: { total_tickets: 0, avg_satisfaction: null, sla_compliance: null },
    });
    expect(data.per_day).toHaveLength(30);
  });

  it('count ratings without an invitation as ratings, but not as answers to surveys', async () => {
    const organization_id = newId();
    const tickets = [1, 2, 3].map(() => ticketOf(organization_id, { created_at: daysAgo(1) }));
    for (const ticket of tickets) await analytics.create(ticket);
    const [invited, answered, uninvited] = tickets.map(({ id }) => id);
    const rate = (ticket_id: string) =>
      analytics.deliver(organization_id, { kind: 'rated', ticket_id, rating: 5, feedback: null, at: daysAgo(0) });
    const invite = (ticket_id: string) => analytics.deliver(organization_id, { kind: 'surveyed', ticket_id, at: daysAgo(0) });
    await Promise.all([invite(invited!), invite(answered!)]);
    await rate(answered!);
    await rate(uninvited!);
    expect((await read(userOf(organization_id))).data.figures).toMatchObject({ surveys_sent: 2, ratings: 2, survey_response_rate: 50 });
  });

  it('reject a day of the year 0, and name the first valid year', async () => {
    const { problem } = await read(userOf(newId()), { from: '0000-12-31', to: '0001-01-01' });
    expect(problem.errors).toMatchObject([{ path: 'from', message: 'Days start with the year 0001' }]);
  });

  it.each([
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
    [{ from: '2025-01-01', to: '2026-01-02' }, 'to'],
    [{ from: '2026-01-01' }, 'to'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '0000-12-31', to: '0001-01-01' }, 'from'],
    [{ range: '31' }, 'range'],
    [{ priority: 'nonsense' }, 'priority'],
    [{ assignee: 'nobody' }, 'assignee'],
    [{ status: 'open' }, 'status'],
  ])('reject %j', async (query, path) => {
    const { status, problem } = await read(userOf(newId()), query);
    expect([status, problem.code, problem.errors?.map((error) => error.path)]).toEqual([422, 'request.invalid', [path]]);
  });

  it.each([
    ['the first days', '0001-01-01', '0001-01-02', 2],
    ['a leap day', '2024-02-28', '2024-03-01', 3],
    ['a whole leap year', '2024-01-01', '2024-12-31', 366],
    ['the future', '2400-01-01', '2400-01-01', 1],
    ['the last days', '9999-12-30', '9999-12-31', 2],
  ])('are empty in %s', async (_name, from, to, days) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
      const organization_id = newId();
      await analytics.setTimeZone(organization_id, zone);
      const { status, data } = await read(userOf(organization_id), { from, to });
      expect([status, data?.per_day.length, data?.figures.total_tickets]).toEqual([200, days, 0]);
      expect(data.per_day.map(({ day }) => day)).toEqual([...new Set(data.per_day.map(({ day }) => day))].sort());
    }
  });

  it('have the start and the end of their days in the time zone, even where clocks change at midnight', async () => {
    const organization_id = newId();
    await analytics.setTimeZone(organization_id, 'America/Asuncion');
    const query = { from: '2023-10-01', to: '2023-10-01' };
    // The clocks were turned from 00:00 to 01:00.
    const { period, previous } = (await read(userOf(organization_id), query)).data;
    expect(period).toEqual({ ...query, from_time: '2023-10-01T04:00:00.000Z', to_time: '2023-10-02T03:00:00.000Z' });
    expect(previous.period).toMatchObject({ from: '2023-09-30', to: '2023-09-30', to_time: period.from_time });
  });

  it('are zero for a filter that names something that does not exist', async () => {
    const organization_id = newId();
    await analytics.create(ticketOf(organization_id, { created_at: daysAgo(1) }));
    const queries: Record<string, string>[] = [
      { assignee: newId() },
      { category: 'Gone' },
      { tag: 'gone' },
      { tag: 'gone', category: 'Gone' },
    ];
    for (const query of queries) {
      const { status, data } = await read(userOf(organization_id), query);
      expect([status, data.figures.total_tickets, data.has_tickets, data.per_day.at(-1)?.backlog]).toEqual([200, 0, true, 0]);
    }
  });

  it('name the assignees, and mark those who have left', async () => {
    const organization_id = newId();
    const [here, gone] = [await analytics.addMember(organization_id), await analytics.addMember(organization_id, { is_active: false })];
    for (const assigned_to of [here, here, gone])
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(2), assigned_to }));
    const { team } = (await read(userOf(organization_id))).data;
    expect(team).toMatchObject([
      { user_id: here, first_name: 'Grace', is_active: true, assigned: 2 },
      { user_id: gone, is_active: false, assigned: 1 },
    ]);
  });

  it('count events of other days for the current assignee', async () => {
    const organization_id = newId();
    const [old, current] = [newId(), newId()];
    const created = ticketOf(organization_id, { created_at: daysAgo(6), assigned_to: old });
    await analytics.create(created);
    const resolved = { ...created, status: 'resolved' as const, updated_at: daysAgo(4) };
    const changes = { status: { from: 'open', to: 'resolved' } };
    await analytics.deliver(organization_id, { kind: 'updated', ticket: resolved, changes, sequence: 2 });
    await analytics.rollUp(organization_id);
    const perDay = async (assignee: string) =>
      (await read(userOf(organization_id), { assignee, range: '7' })).data.per_day.map(({ created, resolved, backlog }) => [
        created,
        resolved,
        backlog,
      ]);
    const history = [[1, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]; // prettier-ignore
    expect(await perDay(old)).toEqual(history);
    const moved = { ...resolved, assigned_to: current };
    await analytics.deliver(organization_id, { kind: 'updated', ticket: moved, changes: {}, sequence: 3 });
    const nothing = history.map(() => [0, 0, 0]);
    expect([await perDay(old), await perDay(current)]).toEqual([nothing, history]);
    await analytics.rollUp(organization_id);
    expect([await perDay(old), await perDay(current)]).toEqual([nothing, history]);
  });

  it('are refused for several filters if too many tickets match, but not for one', async () => {
    const organization_id = newId();
    for (let n = 0; n < 3; n += 1)
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(n), priority: 'high', tags: ['vip'] }));
    const period = { from: daysAgo(6).slice(0, 10), to: daysAgo(0).slice(0, 10) };
    const live = (filter: CohortFilter, maxLive: number) =>
      analytics.inTenant(organization_id, async (tx) => readDays(tx, filter, period, await findState(tx), new DayCache(0, 0), maxLive));
    const both: CohortFilter = { priority: 'high', tag: 'vip' };
    await expect(live(both, 2)).rejects.toMatchObject({
      code: 'request.invalid',
      fields: [{ path: 'from', code: 'too_many', message: 'More than 2 tickets match these filters. Choose fewer days, or one filter.' }],
    });
    expect((await live(both, 3)).days).toHaveLength(3);
    expect((await live({ priority: 'high' }, 2)).days).toHaveLength(3);
  });

  it('of several filters have the right backlog if tickets are created while they are counted', async () => {
    const organization_id = newId();
    const create = (days: number) =>
      analytics.create(ticketOf(organization_id, { created_at: daysAgo(days), priority: 'high', tags: ['vip'] }));
    await create(2);
    await analytics.rollUp(organization_id);
    await create(1);
    const { count } = PackedDay.prototype;
    const counting = jest.spyOn(PackedDay.prototype, 'count').mockImplementationOnce(async function (this: PackedDay, ...args) {
      // On a day that is packed, and on one that is dirty.
      await create(2);
      await create(1);
      return count.apply(this, args);
    });
    const period = { from: daysAgo(6).slice(0, 10), to: daysAgo(0).slice(0, 10) };
    const { days, backlog } = await analytics.inTenant(organization_id, async (tx) =>
      readDays(tx, { priority: 'high', tag: 'vip' }, period, await findState(tx), new DayCache(0, 0)),
    );
    expect(counting).toHaveBeenCalled();
    counting.mockRestore();
    expect([days.length, backlog]).toEqual([2, 0]);
  });

  it('of several filters are the same for days that are not packed, such as those of an earlier version', async () => {
    const organization_id = newId();
    for (let n = 0; n < 6; n += 1)
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(n), priority: n < 4 ? 'high' : 'low', tags: ['vip'] }));
    await analytics.rollUp(organization_id);
    const figures = async (from: string) => {
      // Another range each time: responses are kept.
      const { data } = await read(userOf(organization_id), { priority: 'high', tag: 'vip', from, to: daysAgo(1).slice(0, 10) });
      return [data.figures.total_tickets, data.per_day.map(({ backlog }) => backlog).slice(-5)];
    };
    expect(await figures(daysAgo(20).slice(0, 10))).toEqual([3, [0, 0, 1, 2, 3]]);
    await analytics.inTenant(organization_id, (tx) =>
      tx.updateTable('day_roll_ups').set({ packed: null, revision: newId() }).where('dimension', '=', 'all').execute(),
    );
    expect(await figures(daysAgo(21).slice(0, 10))).toEqual([3, [0, 0, 1, 2, 3]]);
  });

  it('of several filters are the same for damaged packed days, which are reported once and packed again', async () => {
    const organization_id = newId();
    const manager = userOf(organization_id);
    for (let n = 0; n < 12; n += 1)
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(n), priority: n < 8 ? 'high' : 'low', tags: ['vip'] }));
    await analytics.rollUp(organization_id);
    const scrape = await enableMetrics();
    const damaged = async () => (await scrape()).value('tandem_analytics_drift_total') ?? 0;
    // Another range each time: responses are kept.
    let days = 20;
    const figures = async () => {
      const { status, data } = await read(manager, { priority: 'high', tag: 'vip', from: daysAgo((days += 1)).slice(0, 10), to: today });
      return [status, data?.figures.total_tickets, data?.per_day.map(({ backlog }) => backlog).slice(-10)];
    };
    const today = daysAgo(0).slice(0, 10);
    const right = [200, 8, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]];
    expect(await figures()).toEqual(right);
    // A changed byte, missing bytes, and a number of tickets of gigabytes.
    await analytics.inTenant(organization_id, (tx) =>
      sql`update day_roll_ups set revision = gen_random_uuid(), packed = case extract(day from day)::integer % 3
        when 0 then set_byte(packed, 20, 255 - get_byte(packed, 20))
        when 1 then substring(packed for 30)
        else overlay(packed placing '\xffffffff'::bytea from 5) end
        where dimension = 'all'`.execute(tx),
    );
    expect(await figures()).toEqual(right);
    expect(await damaged()).toBe(12);
    // Not all at once: requests read the facts of dirty days.
    expect(await analytics.dirtyDays(organization_id)).toHaveLength(8);
    expect(await figures()).toEqual(right);
    expect(await damaged()).toBe(12);
    for (let n = 0; n < 2; n += 1) {
      await analytics.rollUp(organization_id);
      expect(await figures()).toEqual(right);
    }
    await analytics.rollUp(organization_id);
    const { rows } = await analytics.inTenant(organization_id, (tx) =>
      sql<{ packed: Buffer }>`select packed from day_roll_ups where dimension = 'all'`.execute(tx),
    );
    expect(rows.map(({ packed }) => typeof PackedDay.read(packed))).toEqual(rows.map(() => 'object'));
    expect([await damaged(), await analytics.dirtyDays(organization_id)]).toEqual([12, []]);
  });

  it('list the largest categories and tags, and sum up the rest', async () => {
    const organization_id = newId();
    const names = Array.from({ length: analyticsLimits.keys + 3 }, (_, n) => `Category ${String(n).padStart(2, '0')}`);
    for (const category of [...names, names[5]!])
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(2), category, tags: ['common', `Tag of ${category}`] }));
    const { by_category, by_tag } = (await read(userOf(organization_id))).data;
    expect(by_category.items).toHaveLength(analyticsLimits.keys);
    expect(by_category).toMatchObject({ items: expect.arrayContaining([{ key: names[5], count: 2 }]), rest: 3 });
    expect(by_category.items[0]).toEqual({ key: names[5], count: 2 });
    expect(by_tag.items).toHaveLength(analyticsLimits.keys);
    expect(by_tag.items.slice(0, 2)).toEqual([
      { key: 'common', count: names.length + 1 },
      { key: `Tag of ${names[5]}`, count: 2 },
    ]);
    // Four tickets have other tags, one of them two.
    await analytics.create(ticketOf(organization_id, { created_at: daysAgo(1), tags: ['unlisted 1', 'unlisted 2', 'common'] }));
    const rest = async () => (await read(userOf(organization_id))).data.by_tag.rest;
    expect([by_tag.rest, await rest()]).toEqual([4, 5]);
    await analytics.rollUp(organization_id);
    expect(await rest()).toBe(5);
  });

  it('always list the tickets without a category, which the rest leaves out', async () => {
    const organization_id = newId();
    const names = Array.from({ length: analyticsLimits.keys + 1 }, (_, n) => `Category ${String(n).padStart(2, '0')}`);
    for (const category of [null, ...names, ...names])
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(2), category }));
    const { by_category } = (await read(userOf(organization_id))).data;
    expect(by_category.items.at(-1)).toEqual({ key: null, count: 1 });
    expect([by_category.items.length, by_category.rest]).toEqual([analyticsLimits.keys + 1, 2]);
  });

  it('list only as many categories as fit into the address of the rest', async () => {
    const organization_id = newId();
    const names = Array.from({ length: 15 }, (_, n) => 'א'.repeat(98) + String.fromCharCode(65 + n));
    for (const category of names) await analytics.create(ticketOf(organization_id, { created_at: daysAgo(2), category }));
    const { items, rest } = (await read(userOf(organization_id))).data.by_category;
    expect([items.length, rest]).toEqual([13, 2]);
  });

  it('have an entity tag that stays the same until a figure changes', async () => {
    const organization_id = newId();
    const ctx = userOf(organization_id);
    const ticket = ticketOf(organization_id, { created_at: daysAgo(3) });
    await analytics.create(ticket);
    const etag = async () => (await read(ctx)).headers.get('etag')!;
    const before = await etag();
    await analytics.rollUp(organization_id);
    expect(await etag()).toBe(before);
    const again = await analytics.call(ctx, readAnalytics, { headers: { 'if-none-match': before } });
    expect(again.status).toBe(304);
    await analytics.deliver(organization_id, { kind: 'updated', ticket: { ...ticket, subject: 'Other' }, changes: {}, sequence: 2 });
    expect(await etag()).toBe(before);
    await analytics.deliver(organization_id, { kind: 'rated', ticket_id: ticket.id, rating: 3, feedback: null, at: daysAgo(0) });
    expect(await etag()).not.toBe(before);
  });
});

describe('an agent’s own figures', () => {
  it('are those of the tickets assigned to the agent', async () => {
    const organization_id = newId();
    const [me, other] = [newId(), newId()];
    for (const assigned_to of [me, me, other, null])
      await analytics.create(ticketOf(organization_id, { created_at: daysAgo(1), assigned_to }));
    const mine = (ctx: Context) => analytics.call<MyAnalytics>(ctx, readMyAnalytics, { query: { range: '7' } });
    expect((await mine(userOf(organization_id, 'agent', me))).data.figures.total_tickets).toBe(2);
    await analytics.rollUp(organization_id);
    expect((await mine(userOf(organization_id, 'agent', me))).data.figures.total_tickets).toBe(2);
    expect((await mine(userOf(organization_id, 'agent'))).data.figures.total_tickets).toBe(0);
    expect((await mine(userOf(newId(), 'agent', me))).data.figures.total_tickets).toBe(0);
    expect((await mine(token(organization_id, ['tickets:read']))).status).toBe(403);
    const filtered = await analytics.call(userOf(organization_id, 'agent', me), readMyAnalytics, { query: { assignee: other } });
    expect(filtered.status).toBe(422);
  });
});

describe('the metrics of a ticket', () => {
  it('are for all staff of its organization', async () => {
    const organization_id = newId();
    const ticket = ticketOf(organization_id, { first_response_time_hours: 1.5, sla_breached_at: daysAgo(0), reopen_count: 2 });
    await analytics.create(ticket);
    const metrics = (ctx: Context, id: string) => analytics.call<TicketMetrics>(ctx, readTicketMetrics, { path: `/tickets/${id}/metrics` });
    const { data } = await metrics(userOf(organization_id, 'agent'), ticket.id);
    expect(data).toEqual({
      organization_id,
      ticket_id: ticket.id,
      created_at: ticket.created_at,
      first_response_time_hours: 1.5,
      resolution_time_hours: null,
      customer_satisfaction_rating: null,
      sla_breached: true,
      escalated: false,
      reopen_count: 2,
      public_reply_count: 0,
    });
    expect((await metrics(userOf(newId()), ticket.id)).problem.code).toBe('ticket.not_found');
    expect((await metrics(userOf(organization_id), newId())).problem.code).toBe('ticket.not_found');
    expect((await metrics(userOf(organization_id), 'nonsense')).status).toBe(422);
  });
});

describe('the export', () => {
  const page = (ctx: Context, query: Record<string, string>) =>
    analytics.call<{ items: ExportedTicket[]; next_cursor: string | null }>(ctx, listExportedTickets, { query });

  it('has every ticket of the range once, oldest first, page after page', async () => {
    const organization_id = newId();
    const ctx = userOf(organization_id);
    const assigned_to = await analytics.addMember(organization_id);
    const first = ticketOf(organization_id, { created_at: daysAgo(4), assigned_to, category: '=1+1' });
    await analytics.create(first);
    // Copies of the fact, because a page has a thousand tickets.
    await analytics.inTenant(organization_id, async (tx) => {
      const fact = await tx.selectFrom('ticket_facts').selectAll().executeTakeFirstOrThrow();
      const copies = Array.from({ length: 2_100 }, (_, n) => {
        const created_at = new Date(Date.parse(fact.created_at) + Math.floor(n / 3) * 1000).toISOString();
        return { ...fact, ticket_id: newId(), created_at, created_day: created_at.slice(0, 10) };
      });
      for (let n = 0; n < copies.length; n += 700)
        await tx
          .insertInto('ticket_facts')
          .values(copies.slice(n, n + 700))
          .execute();
    });
    const found: ExportedTicket[] = [];
    let cursor: string | null = null;
    do {
      const { data }: Awaited<ReturnType<typeof page>> = await page(ctx, { range: '7', category: '=1+1', ...(cursor && { cursor }) });
      found.push(...data.items);
      cursor = data.next_cursor;
    } while (cursor);
    expect(new Set(found.map(({ ticket_id }) => ticket_id)).size).toBe(2_101);
    expect(found.map(({ created_at }) => created_at)).toEqual(found.map(({ created_at }) => created_at).sort());
    expect(found.find(({ ticket_id }) => ticket_id === first.id)).toMatchObject({
      category: '=1+1',
      assignee: 'Grace',
      priority: 'medium',
    });
    expect((await page(ctx, { range: '7', category: 'other' })).data.items).toEqual([]);
  });

  it('refuses agents and a cursor of another list, and contains nothing of another organization', async () => {
    const organization_id = newId();
    await analytics.create(ticketOf(organization_id, { created_at: daysAgo(4) }));
    expect((await page(userOf(organization_id), { cursor: 'nonsense' })).status).toBe(422);
    const other = Buffer.from(JSON.stringify(['a', 'b', 'c', 'd', 'e'])).toString('base64url');
    expect((await page(userOf(organization_id), { cursor: other })).problem.errors).toMatchObject([{ path: 'cursor' }]);
    expect((await page(userOf(organization_id, 'agent'), {})).status).toBe(403);
    expect((await page(userOf(newId()), {})).data.items).toEqual([]);
  });
});
