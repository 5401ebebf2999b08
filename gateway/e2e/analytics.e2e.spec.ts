import { randomUUID } from 'node:crypto';
import type { AnalyticsSchema } from '@tandem/analytics/src/schema';
import { analyticsLimits, encodeList, type Analytics, type Ticket, type TicketMetrics, type TicketSummary } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Services } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
beforeAll(async () => {
  app = await startTestApp({ SWEEP_MS: '500', RATE_LIMIT_API_PER_MINUTE: '1000' });
  ada = await app.signUpOwner();
});

const tags = ['=1+1', 'say "hi", please', 'שלום'];
const newTicket = { subject: 'Printer', customer_email: 'carla@example.com', category: '=cmd|" /C calc"!A1', tags };
const csv = (query = '', browser = ada.browser) => browser.get(`/analytics/export.csv${query}`);

it('a ticket, its reply and its resolution reach the figures, the metrics and the file', async () => {
  const { data: ticket } = await ada.browser.post<Ticket>('/tickets', newTicket);
  expect((await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Have you tried …', is_internal: false })).status).toBe(201);
  expect((await ada.browser.patch(`/tickets/${ticket.id}`, { status: 'resolved' })).status).toBe(200);
  const analytics = await eventually(async () => {
    const { data } = await ada.browser.get<Analytics>('/analytics?range=7');
    expect(data.figures).toMatchObject({
      total_tickets: 1,
      responded_tickets: 1,
      resolved_tickets: 1,
      one_touch_tickets: 1,
      open_tickets: 0,
      // Its event is the last one: it follows the email about the resolution.
      surveys_sent: 1,
    });
    return data;
  });
  expect(analytics.per_day.at(-1)).toMatchObject({ created: 1, resolved: 1, backlog: 0 });
  expect(analytics.by_category.items).toEqual([{ key: newTicket.category, count: 1 }]);
  const metrics = (await ada.browser.get<TicketMetrics>(`/tickets/${ticket.id}/metrics`)).data;
  expect(metrics).toMatchObject({ ticket_id: ticket.id, public_reply_count: 1, sla_breached: false });
  expect(metrics.resolution_time_hours).not.toBeNull();

  const file = await csv('?range=7');
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="tickets-\d{4}-\d\d-\d\d\.csv"$/);
  const [header, line, end] = file.text.split('\r\n');
  expect(header).toMatch(/^ticket_number,created_at,status,/);
  expect(line).toContain(`,resolved,medium,"'=cmd|"" /C calc""!A1","[""=1+1"",""say \\""hi\\"", please"",""שלום""]",staff,`);
  expect(end).toBe('');
});

it('the rest of the categories and tags opens the tickets that it counts', async () => {
  const eve = await app.signUpOwner();
  const names = Array.from({ length: analyticsLimits.keys + 2 }, (_, n) => `Team ${String(n).padStart(3, '0')}, north`);
  const total = names.length;
  for (const [n, category] of names.entries()) {
    const more = n < 1 ? [] : [names[n - 1]!];
    const created = await eve.browser.post('/tickets', { ...newTicket, category, tags: [category, ...more] });
    expect(created.status).toBe(201);
  }
  expect((await eve.browser.post('/tickets', { ...newTicket, category: null, tags: [] })).status).toBe(201);
  const { by_category, by_tag } = await eventually(async () => {
    const { data } = await eve.browser.get<Analytics>('/analytics?range=7');
    expect(data.figures.total_tickets).toBe(total + 1);
    return data;
  });
  const listed = async (name: string, keys: (string | null)[]) => {
    const query = new URLSearchParams({ [name]: encodeList(keys.filter((key) => key !== null)) });
    return (await eve.browser.get<TicketSummary[]>(`/tickets?${query.toString()}`)).body.meta.pagination?.total;
  };
  const counts = await Promise.all([
    listed('other_category', by_category.items.map(({ key }) => key)), // prettier-ignore
    listed('other_tag', by_tag.items.map(({ key }) => key)), // prettier-ignore
  ]);
  expect([by_category.rest, by_tag.rest]).toEqual(counts);
  // 99 of 102 categories are listed, and 100 of 102 tags: one of the last two tickets has both of the others.
  expect(counts).toEqual([3, 2]);
});

it('a new database of analytics gets the organization and its tickets without a command', async () => {
  const before = (await ada.browser.get<Analytics>('/analytics?range=7')).data;
  const organization_id = ada.organization.id;
  const db = new Database<AnalyticsSchema>({ url: app.env['ANALYTICS_DATABASE_URL']!, applicationName: 'test' });
  // The events of the organization have been consumed, as if the stream no longer had them.
  await db.forTenant({ organization_id }, async (tx) => {
    for (const table of ['organizations', 'members', 'ticket_facts', 'ticket_moments', 'day_roll_ups', 'dirty_days', 'rebuilds'] as const)
      await tx.deleteFrom(table).where('organization_id', '=', organization_id).execute();
  });
  expect((await ada.browser.get<Analytics>('/analytics?range=7')).data.has_tickets).toBe(false);
  await db.asSystem('test', (tx) =>
    tx
      .updateTable('installation')
      .set({ installed_at: sql<string>`now()`, announced_at: null })
      .execute(),
  );
  await db.close();
  await eventually(async () => {
    const { data } = await ada.browser.get<Analytics>('/analytics?range=7');
    expect(data).toMatchObject({ is_rebuilding: false, has_tickets: true, figures: before.figures, team: before.team });
    expect(data.per_day).toEqual(before.per_day);
  });
});

it('a file of several pages is complete', async () => {
  const organization_id = randomUUID();
  const db = new Database<AnalyticsSchema>({ url: app.env['ANALYTICS_DATABASE_URL']!, applicationName: 'test' });
  const at = Date.now() - 86_400_000;
  const facts = Array.from({ length: 2_500 }, (_, n) => {
    const created_at = new Date(at + n).toISOString();
    return {
      organization_id,
      ticket_id: newId(),
      ticket_number: `ACM-${n}`,
      status: 'open' as const,
      priority: 'low' as const,
      category: null,
      tags: [],
      channel: null,
      assigned_to: null,
      created_at,
      created_day: created_at.slice(0, 10),
      created_hour: 0,
      first_response_at: null,
      resolved_at: null,
      first_response_time_hours: null,
      resolution_time_hours: null,
      breached_at: null,
      breached_day: null,
      escalated_at: null,
      reopen_count: 0,
      public_reply_count: 0,
      custom_fields: {},
      sequence: 1,
    };
  });
  await db.forTenant({ organization_id }, async (tx) => {
    for (let n = 0; n < facts.length; n += 500)
      await tx
        .insertInto('ticket_facts')
        .values(facts.slice(n, n + 500))
        .execute();
  });
  await db.close();
  const manager = app.as('manager', organization_id);
  const numbers = (await csv('?range=7', manager)).text.split('\r\n').slice(1, -1).map((line) => line.split(',')[0]); // prettier-ignore
  expect(numbers).toEqual(facts.map(({ ticket_number }) => ticket_number));
  expect((await csv('?range=7&priority=high', manager)).text.split('\r\n')).toHaveLength(2);
});

it('loads no further pages once the client has disconnected', async () => {
  const organization_id = randomUUID();
  const db = new Database<AnalyticsSchema>({ url: app.env['ANALYTICS_DATABASE_URL']!, applicationName: 'test' });
  // 30 pages of about a megabyte: more than the buffers of the connection.
  await db.forTenant({ organization_id }, (tx) =>
    sql`
      insert into ticket_facts (organization_id, ticket_id, ticket_number, status, priority, category, tags, created_at, created_day, created_hour,
        reopen_count, public_reply_count, sequence)
      select ${organization_id}::uuid, gen_random_uuid(), 'ACM-' || n, 'open', 'low', repeat('x', 900), '{}', now() - interval '1 day',
        current_date - 1, 0, 0, 0, 1 from generate_series(1, 30000) n`.execute(tx),
  );
  await db.close();
  const pages = jest.spyOn(app.gateway.app.get(Services), 'call');
  const client = new AbortController();
  const response = await app.as('manager', organization_id).fetch('GET', '/analytics/export.csv?range=7', { signal: client.signal });
  const reader = response.body!.getReader();
  await reader.read();
  client.abort();
  await expect(reader.read()).rejects.toThrow();
  // Pages that were requested before may still arrive.
  await eventually(async () => {
    const before = pages.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pages.mock.calls.length).toBe(before);
  });
  expect(pages.mock.calls.length).toBeLessThan(20);
  pages.mockRestore();
});

it('the file is for admins and managers of the organization, and invalid input is rejected before it starts', async () => {
  expect(codeOf(await csv('', app.browser()))).toBe('401 session.required');
  expect(codeOf(await csv('', app.as('agent', ada.organization.id)))).toBe('403 permission.denied');
  const stranger = await csv('', app.as('manager', randomUUID()));
  expect([stranger.status, stranger.text.split('\r\n')]).toEqual([200, [expect.stringMatching(/^ticket_number,/), '']]);
  for (const query of ['?from=2026-01-02&to=2026-01-01', '?from=2025-01-01&to=2026-06-01', '?priority=nonsense', '?other=1', '?range=5']) {
    const refused = await csv(query);
    expect([query, refused.status, refused.headers.get('content-disposition')]).toEqual([query, 422, null]);
  }
});
