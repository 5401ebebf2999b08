import { listTickets, ticketSorts, updateTicket, type TicketSummary } from '@tandem/contracts';
import { sql } from 'kysely';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const list = (at: TestOrganization, query: Record<string, string>) => tickets.call<TicketSummary[]>(listTickets, asStaff(at), { query });
const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
const statuses = ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'];

/** 60 tickets of all statuses and priorities, many with the same times, some without a due time. */
async function fill(at: TestOrganization, count = 60): Promise<void> {
  await tickets.db.forTenant({ organization_id: at.id }, (tx) =>
    sql`
      insert into tickets (organization_id, id, ticket_number, subject, status, priority, customer_email, category, tags, assigned_to,
                           created_at, updated_at, next_due_at)
      select ${at.id}::uuid, gen_random_uuid(), 'N-' || n, 'Ticket ' || n, (${statuses}::text[])[1 + n % 5],
             (array['low', 'medium', 'high', 'urgent'])[1 + n % 4], 'c' || n % 3 || '@example.com',
             case when n % 2 = 0 then 'Billing' end, case when n % 3 = 0 then array['vip', 'eu'] when n % 3 = 1 then array['eu'] else '{}' end,
             case when n % 6 = 0 then ${at.agent}::uuid end,
             timestamptz '2026-01-01' + n / 4 * interval '1 hour', timestamptz '2026-02-01' - n / 3 * interval '1 hour',
             case when n % 5 < 3 and n % 7 <> 0 then timestamptz '2026-03-01' + n * 37 % 11 * interval '1 hour' end
      from generate_series(1, ${count}::integer) n`.execute(tx),
  );
  await tickets.db.forTenant({ organization_id: at.id }, (tx) => tx.updateTable('ticket_counters').set({ last_number: count }).execute());
}

async function walk(at: TestOrganization, query: Record<string, string>, betweenPages = () => Promise.resolve()): Promise<TicketSummary[]> {
  const met: TicketSummary[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, data, pagination } = await list(at, { ...query, limit: '7', ...(cursor ? { cursor } : {}) });
    expect(status).toBe(200);
    met.push(...data);
    cursor = pagination.next_cursor;
    await betweenPages();
  }
  return met;
}

const rank = ({ priority }: TicketSummary) => ['low', 'medium', 'high', 'urgent'].indexOf(priority);
const due = ({ next_due_at }: TicketSummary) => next_due_at ?? 'never';
type Key = (ticket: TicketSummary) => string | number;
const keys: Record<(typeof ticketSorts)[number], { by: Key[]; down: boolean }> = {
  newest: { by: [(t) => t.created_at, (t) => t.id], down: true },
  oldest: { by: [(t) => t.created_at, (t) => t.id], down: false },
  updated: { by: [(t) => t.updated_at, (t) => t.id], down: true },
  priority: { by: [rank, (t) => t.created_at, (t) => t.id], down: true },
  due: { by: [due, (t) => t.created_at, (t) => t.id], down: false },
};
function sorted(found: TicketSummary[], sort: (typeof ticketSorts)[number]): string[] {
  const compare = (a: TicketSummary, b: TicketSummary): number => {
    for (const key of keys[sort].by) if (key(a) !== key(b)) return key(a) < key(b) !== keys[sort].down ? -1 : 1;
    return 0;
  };
  return [...found].sort(compare).map(({ id }) => id);
}

const narrowings: [Record<string, string>, (t: TicketSummary, at: TestOrganization) => boolean][] = [
  [{}, () => true],
  [{ status: 'open' }, (t) => t.status === 'open'],
  [{ status: 'open,closed,open' }, (t) => t.status === 'open' || t.status === 'closed'],
  [{ priority: 'urgent,low' }, (t) => t.priority === 'urgent' || t.priority === 'low'],
  [{ priority: 'urgent', status: 'open,resolved' }, (t) => t.priority === 'urgent' && ['open', 'resolved'].includes(t.status)],
  [{ assignee: 'unassigned' }, (t) => t.assigned_to === null],
  [{ assignee: 'me', status: 'open,in_progress,closed' }, (t, at) => t.assigned_to === at.agent && ['open', 'in_progress', 'closed'].includes(t.status)],
  [{ category: 'Billing' }, (t) => t.category === 'Billing'],
  [{ category: 'Billing', priority: 'high,low' }, (t) => t.category === 'Billing' && ['high', 'low'].includes(t.priority)],
  [{ tag: 'vip' }, (t) => t.tags.includes('vip')],
  [{ tag: 'vip,eu' }, (t) => t.tags.length > 0],
  [{ tag: 'vip,eu', status: 'open', priority: 'low,medium,high' }, (t) => t.tags.length > 0 && t.status === 'open' && t.priority !== 'urgent'],
  [{ customer_email: 'C1@example.com' }, (t) => t.customer_email === 'c1@example.com'],
  [{ customer_email: 'c1@example.com', tag: 'eu', status: 'open,closed' }, (t) => t.customer_email === 'c1@example.com' && t.tags.includes('eu') && ['open', 'closed'].includes(t.status)],
  [{ created_from: '2026-01-01T05:00:00Z', created_to: '2026-01-01T09:00:00.000Z' }, (t) => t.created_at >= '2026-01-01T05' && t.created_at < '2026-01-01T09'],
  [{ tag: 'eu', created_from: '2026-01-01T05:00:00Z' }, (t) => t.tags.includes('eu') && t.created_at >= '2026-01-01T05'],
  [{ search: 'ticket' }, () => true],
  [{ search: 'ticket', tag: 'vip', category: 'Billing' }, (t) => t.tags.includes('vip') && t.category === 'Billing'],
]; // prettier-ignore

describe('each order', () => {
  let everything: TicketSummary[];
  beforeAll(async () => {
    await fill(organization);
    everything = (await list(organization, { limit: '100' })).data;
    expect(everything).toHaveLength(60);
  });

  it.each(ticketSorts)('%s: every filter is complete and in order, by cursor, by number, and in its count', async (sort) => {
    for (const [query, wanted] of narrowings) {
      const expected = sorted(everything.filter((ticket) => wanted(ticket, organization)), sort); // prettier-ignore
      expect(expected.length).toBeGreaterThan(0);
      const met = (await walk(organization, { ...query, sort })).map(({ id }) => id);
      expect({ query, met }).toEqual({ query, met: expected });
      const second = await list(organization, { ...query, sort, limit: '3', page: '2' });
      expect({ query, ids: second.data.map(({ id }) => id) }).toEqual({ query, ids: expected.slice(3, 6) });
      expect({ query, total: second.pagination.total }).toEqual({ query, total: expected.length });
    }
  });
  it.each(ticketSorts)('%s: rejects cursors of other orders and forged ones', async (sort) => {
    for (const other of ticketSorts.filter((one) => one !== sort)) {
      const { next_cursor } = (await list(organization, { sort: other, limit: '2' })).pagination;
      const { status, data } = await list(organization, { sort, cursor: next_cursor! });
      expect([other, status, data.errors?.[0]?.path]).toEqual([other, 422, 'cursor']);
    }
    const forged = [
      [sort],
      [sort, 1, 2],
      [sort, 'x', 'y'],
      [sort, 5, day(1), everything[0]!.id],
      [sort, '0000-01-01T00:00:00Z', everything[0]!.id],
    ];
    for (const values of forged) {
      const cursor = Buffer.from(JSON.stringify(values)).toString('base64url');
      expect((await list(organization, { sort, cursor })).status).toBe(422);
    }
  });
  it('combines IDs with other filters', async () => {
    const ids = everything.slice(0, 10).map(({ id }) => id);
    const open = everything.slice(0, 10).filter(({ status }) => status === 'open');
    const { data, pagination } = await list(organization, { ids: ids.join(','), status: 'open' });
    expect([data.map(({ id }) => id), pagination.total]).toEqual([open.map(({ id }) => id), open.length]);
    const otherOrganization = await tickets.anOrganization();
    expect((await list(otherOrganization, { ids: ids.join(',') })).data).toEqual([]);
  });
});

it.each(ticketSorts)('%s: paging returns each existing ticket once while others are created', async (sort) => {
  const busy = await tickets.anOrganization();
  await fill(busy);
  const there = (await list(busy, { limit: '100' })).data.map(({ id }) => id);
  const met = (await walk(busy, { sort }, async () => void (await tickets.aTicket(busy, { priority: 'urgent' })))).map(({ id }) => id);
  expect(there.filter((id) => met.filter((one) => one === id).length !== 1)).toEqual([]);
  expect(new Set(met).size).toBe(met.length);
});

it('a tag filter follows changes to the ticket’s tags and status', async () => {
  const ticket = await tickets.aTicket(organization, { tags: ['passing', 'staying'] });
  const patch = (body: unknown) => tickets.call(updateTicket, asStaff(organization), { params: { id: ticket.id }, body });
  await patch({ tags: ['staying'], status: 'resolved' });
  const found = async (query: Record<string, string>) => (await list(organization, query)).data.map(({ id }) => id);
  expect(await found({ tag: 'passing' })).toEqual([]);
  expect(await found({ tag: 'staying', status: 'resolved' })).toEqual([ticket.id]);
  expect(await found({ tag: 'staying', status: 'open' })).toEqual([]);
});

it.each([
  { created_from: 'yesterday' }, { created_from: '0000-01-01' }, { created_to: '2026-13-01' }, { customer_email: 'nobody' }, { ids: 'x' },
  { category: 'x'.repeat(101) }, { tag: 'x'.repeat(51) }, { tag: Array.from({ length: 21 }, (_, i) => `t${i}`).join(',') }, { sort: '' }, { sort: 'Due' }, { color: 'red' },
] as Record<string, string>[])('refuses %j and names the field', async (query) => {
  const { status, data } = await list(organization, query);
  expect([status, data.errors?.length]).toEqual([422, 1]);
}); // prettier-ignore
