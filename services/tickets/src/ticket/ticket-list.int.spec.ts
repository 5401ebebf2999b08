import {
  addComment,
  addPublicComment,
  listTickets,
  markTicketRead,
  markTicketUnread,
  mergeTicket,
  readPosition,
  updateTicket,
  type ReadPosition,
  type Ticket,
  type TicketSummary,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { sql } from 'kysely';
import { findFirstPage, findTickets, selectTickets } from './ticket-list.store';
import { countByText } from './ticket-search.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { asCustomer, asStaff, asToken, asUserWithoutOrganization, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

async function list(organization: TestOrganization, query: Record<string, string> = {}) {
  const response = await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query });
  if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(response.data)}`);
  return response;
}
const found = async (organization: TestOrganization, query: Record<string, string>) =>
  (await list(organization, query)).data.map(({ subject }) => subject);

describe('the list', () => {
  let organization: TestOrganization;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
    const make = async (subject: string, n: number, overrides: Partial<Ticket>, patch: Partial<Ticket>) => {
      const ticket = await tickets.aTicket(organization, {
        subject,
        created_at: day(n),
        priority: overrides.priority,
        description: 'x'.repeat(300),
      });
      ids[subject] = ticket.id;
      if (Object.keys(patch).length > 0)
        await tickets.call(updateTicket, asStaff(organization), { params: { id: ticket.id }, body: patch });
    };
    await make('one', 1, { priority: 'low' }, {});
    await make('two', 2, { priority: 'urgent' }, { status: 'in_progress', assigned_to: organization.agent });
    await make('three', 3, { priority: 'medium' }, { status: 'resolved', assigned_to: organization.admin });
    await make('four', 4, { priority: 'urgent' }, { assigned_to: organization.agent });
  });

  it('is newest first, with a preview of the description instead of the description', async () => {
    const { data, pagination } = await list(organization);
    expect(data.map(({ subject }) => subject)).toEqual(['four', 'three', 'two', 'one']);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 4, next_cursor: null });
    expect(data[0]?.description_preview).toHaveLength(200);
    expect(Object.keys(data[0]!)).not.toContain('description');
    expect(data[0]?.assignee).toMatchObject({ first_name: 'Ada', email: 'agent@acme.test' });
    expect(data[3]?.assignee).toBeNull();
  });
  it.each([
    [{ status: 'open' }, ['four', 'one']],
    [{ status: 'in_progress,resolved' }, ['three', 'two']],
    [{ priority: 'urgent' }, ['four', 'two']],
    [{ status: 'open', priority: 'urgent' }, ['four']],
    [{ assignee: 'unassigned' }, ['one']],
    [{ assignee: 'me' }, ['four', 'two']],
    [{ assignee: 'me', status: 'open' }, ['four']],
    [{ status: '', search: '' }, ['four', 'three', 'two', 'one']],
    [{ status: 'closed' }, []],
  ])('filters by %j', async (query, subjects) => {
    const { data, pagination } = await list(organization, query);
    expect(data.map(({ subject }) => subject)).toEqual(subjects);
    expect(pagination.total).toBe(subjects.length);
  });
  it('filters by a member', async () => expect(await found(organization, { assignee: organization.admin })).toEqual(['three']));
  it('rejects "me" without a user', async () => {
    const { status, data } = await tickets.call(listTickets, asToken(organization, 'tickets:read'), {
      query: { assignee: 'me' },
    });
    expect([status, data.errors?.[0]?.path]).toEqual([422, 'assignee']);
  });
  it.each([
    { status: 'done' }, { priority: 'x' }, { assignee: 'somebody' }, { limit: '0' }, { limit: '101' }, { page: '0' }, { page: 'x' }, { page: '10000', limit: '100' },
    { cursor: 'x' }, { cursor: Buffer.from('["a","b"]').toString('base64url') }, { cursor: Buffer.from('[1,2]').toString('base64url') }, { sort: 'subject' },
    { search: 'x'.repeat(201) }, { search: '\u0000' },
  ] as Record<string, string>[])('rejects %j', async (query) => {
    const { status, data } = await tickets.call(listTickets, asStaff(organization), { query });
    expect([status, (data as unknown as { code: string }).code]).toEqual([422, 'request.invalid']);
  }); // prettier-ignore
  it('filters by a tag that contains a comma', async () => {
    const other = await tickets.anOrganization();
    for (const tags of [['a, b'], ['a'], ['b'], ['a\\']]) await tickets.aTicket(other, { subject: tags[0]!, tags });
    expect(await found(other, { tag: 'a\\, b' })).toEqual(['a, b']);
    expect(await found(other, { tag: 'a\\, b,b' })).toEqual(['b', 'a, b']);
    expect(await found(other, { tag: 'a, b' })).toEqual(['b', 'a']);
    expect(await found(other, { tag: 'a\\\\' })).toEqual(['a\\']);
  });
  it('never contains tickets of another organization', async () => {
    const otherOrganization = await tickets.anOrganization();
    for (const query of [{}, { assignee: organization.agent }, { search: 'one' }, { status: 'open' }]) {
      const { data, pagination } = await list(otherOrganization, query as Record<string, string>);
      expect([data, pagination.total]).toEqual([[], 0]);
    }
    const { next_cursor } = (await list(organization, { limit: '2' })).pagination;
    expect((await list(otherOrganization, { cursor: next_cursor! })).data).toEqual([]);
  });
  it('has the same pages by number and by cursor', async () => {
    const first = await list(organization, { limit: '3' });
    expect(first.pagination).toMatchObject({ page: 1, total: 4 });
    const byNumber = await list(organization, { limit: '3', page: '2' });
    const byCursor = await list(organization, { limit: '3', cursor: first.pagination.next_cursor! });
    expect(byNumber.data).toEqual(byCursor.data);
    expect(byNumber.pagination).toEqual({ page: 2, limit: 3, total: 4, next_cursor: null });
    expect(byCursor.pagination).toEqual({ page: null, limit: 3, total: 4, next_cursor: null });
  });
});

describe('unread tickets', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    // Older than the first ticket: the column rounds to the nearest millisecond, and tickets of the same millisecond count as read.
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      sql`update members set unread_since = unread_since - interval '1 second'`.execute(tx),
    );
  });

  const row = async (id: string, ctx = asStaff(organization)) =>
    (await tickets.call<TicketSummary[]>(listTickets, ctx, { query: { ids: id } })).data[0];
  const isUnread = async (id: string, ctx = asStaff(organization)) => (await row(id, ctx))?.is_unread;
  const position = (id: string, ctx = asStaff(organization)) => tickets.call<ReadPosition>(readPosition, ctx, { params: { id } });
  const read = (id: string, until: unknown, ctx = asStaff(organization)) =>
    tickets.call<ReadPosition>(markTicketRead, ctx, { params: { id }, body: { until } });
  const unread = (id: string, ctx = asStaff(organization)) => tickets.call<ReadPosition>(markTicketUnread, ctx, { params: { id } });
  const comment = async (id: string, ctx = asStaff(organization, 'admin'), is_internal = false) =>
    (await tickets.call<{ created_at: string }>(addComment, ctx, { params: { id }, body: { content: 'Text', is_internal } })).data;
  const reply = (id: string) =>
    tickets.call(addPublicComment, asCustomer(organization.id), { params: { id }, body: { email: 'carla@example.com', content: 'Text' } });
  const events = async (id: string) =>
    (await tickets.events(id)).filter(({ type }) => ['ticket.read', 'ticket.marked_unread'].includes(type)).map(({ type }) => type);

  it('are unread per user until they have seen the newest comment', async () => {
    const ticket = await tickets.aTicket(organization);
    expect([await isUnread(ticket.id), (await position(ticket.id)).data]).toEqual([true, { read_until: null }]);
    expect((await read(ticket.id, ticket.created_at)).data).toEqual({ read_until: ticket.created_at });
    expect([await isUnread(ticket.id), await isUnread(ticket.id, asStaff(organization, 'manager'))]).toEqual([false, true]);
    const { created_at } = await comment(ticket.id);
    expect(await isUnread(ticket.id)).toBe(true);
    expect((await read(ticket.id, created_at)).data).toEqual({ read_until: created_at });
    expect(await isUnread(ticket.id)).toBe(false);
    await comment(ticket.id, undefined, true);
    expect(await isUnread(ticket.id)).toBe(true);
  });
  it('are read by the author of the newest comment', async () => {
    const { id } = await tickets.aTicket(organization);
    const { created_at } = await comment(id, asStaff(organization));
    expect([await isUnread(id), await isUnread(id, asStaff(organization, 'admin'))]).toEqual([false, true]);
    expect((await position(id)).data).toEqual({ read_until: created_at });
  });
  it('keep the latest position: a request that arrives late, twice or from the future changes nothing', async () => {
    const ticket = await tickets.aTicket(organization);
    const first = await comment(ticket.id);
    await read(ticket.id, first.created_at);
    for (const until of [ticket.created_at, first.created_at, '2999-01-01T00:00:00.000Z'])
      expect((await read(ticket.id, until)).data).toEqual({ read_until: first.created_at });
    expect(await events(ticket.id)).toEqual(['ticket.read']);
    await comment(ticket.id);
    expect(await isUnread(ticket.id)).toBe(true);
  });
  it('can be marked as unread, at the newest comment or as a whole', async () => {
    const ticket = await tickets.aTicket(organization);
    await read(ticket.id, ticket.created_at);
    expect((await unread(ticket.id)).data.read_until! < ticket.created_at).toBe(true);
    expect(await isUnread(ticket.id)).toBe(true);
    const [first, second] = [await comment(ticket.id), await comment(ticket.id)];
    await read(ticket.id, second.created_at);
    const { read_until } = (await unread(ticket.id)).data;
    expect([first.created_at <= read_until!, read_until! < second.created_at]).toEqual([true, true]);
    expect(await events(ticket.id)).toEqual(['ticket.read', 'ticket.marked_unread', 'ticket.read', 'ticket.marked_unread']);
  });
  it('do not include resolved tickets that the user never opened, and those that are older than their membership', async () => {
    const resolved = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization, 'admin'), { params: { id: resolved.id }, body: { status: 'resolved' } });
    const old = await tickets.aTicket(organization, { created_at: '2026-01-01T00:00:00.000Z' });
    expect([await isUnread(resolved.id), await isUnread(old.id)]).toEqual([false, false]);
    await unread(resolved.id);
    await reply(old.id);
    expect([await isUnread(resolved.id), await isUnread(old.id)]).toEqual([true, true]);
  });
  it('show whether the customer replied last, regardless of internal notes', async () => {
    const { id } = await tickets.aTicket(organization);
    const last = async () => (await row(id))?.customer_replied_last;
    expect(await last()).toBe(false);
    await reply(id);
    expect(await last()).toBe(true);
    await comment(id, undefined, true);
    expect(await last()).toBe(true);
    await comment(id);
    expect(await last()).toBe(false);
  });
  it('are unread again after a merge, whose moved comments may be old', async () => {
    const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await read(target.id, target.created_at);
    await tickets.call(mergeTicket, asStaff(organization, 'admin'), { params: { id: source.id }, body: { into_id: target.id } });
    expect(await row(target.id)).toMatchObject({ is_unread: true, customer_replied_last: true });
  });
  it('reject a malformed time, and callers without a user', async () => {
    const { id } = await tickets.aTicket(organization);
    for (const until of [undefined, null, 'now', 5]) expect((await read(id, until)).status).toBe(422);
    for (const [ctx, status] of [
      [asToken(organization, 'tickets:read', 'tickets:write'), 403],
      [asUserWithoutOrganization(), 403],
      [asCustomer(organization.id), 401],
    ] as const) {
      const answers = [await position(id, ctx), await read(id, '2026-01-01T00:00:00.000Z', ctx), await unread(id, ctx)];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    expect((await row(id, asToken(organization, 'tickets:read')))?.is_unread).toBe(false);
    expect(await events(id)).toEqual([]);
  });
  it('of another organization do not exist', async () => {
    const other = await tickets.anOrganization();
    for (const id of [(await tickets.aTicket(other)).id, newId()]) {
      const answers = [await position(id), await read(id, '2026-01-01T00:00:00.000Z'), await unread(id)];
      expect(answers.map(({ status, data }) => [status, data.code])).toEqual(Array(3).fill([404, 'ticket.not_found']));
    }
  });
});

it('paging by cursor returns each existing ticket once while others are added, even those of one millisecond', async () => {
  const organization = await tickets.anOrganization();
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(n / 10))).toISOString();
  const there: string[] = [];
  for (let i = 0; i < 45; i++) there.push((await tickets.aTicket(organization, { created_at: at(i) })).id);
  const met: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, pagination } = await list(organization, { limit: '7', ...(cursor ? { cursor } : {}) });
    met.push(...data.map(({ id }) => id));
    cursor = pagination.next_cursor;
    await tickets.aTicket(organization, { created_at: at(100) });
  }
  expect([...met].sort()).toEqual([...there].sort());
});

describe('search', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await tickets.anOrganization({ ticket_prefix: 'SRC' });
    const make = (subject: string, customer_name: string | null, customer_email: string) =>
      tickets.aTicket(organization, { subject, customer_name, customer_email, description: 'needle in the body' });
    await make('Saving 100% of_it', 'Jonas Müller', 'jonas@example.com');
    await make('It\'s a "quote" \\ and a backslash', null, 'o_o@example.com');
    await make('Saving 1000 things', 'ÉLODIE', 'percent@example.org');
  });
  it.each([
    ['saving', ['Saving 1000 things', 'Saving 100% of_it']],
    ['100%', ['Saving 100% of_it']],
    ['%', ['Saving 100% of_it']],
    ['_', ['It\'s a "quote" \\ and a backslash', 'Saving 100% of_it']],
    ['of_it', ['Saving 100% of_it']],
    ['ofxit', []],
    ['\\', ['It\'s a "quote" \\ and a backslash']],
    ["it's", ['It\'s a "quote" \\ and a backslash']],
    ['"quote"', ['It\'s a "quote" \\ and a backslash']],
    ['MÜLLER', ['Saving 100% of_it']],
    ['élodie', ['Saving 1000 things']],
    ['o_o@', ['It\'s a "quote" \\ and a backslash']],
    ['src-0003', ['Saving 1000 things']],
    ['.org', ['Saving 1000 things']],
    ['needle', ['Saving 1000 things', 'It\'s a "quote" \\ and a backslash', 'Saving 100% of_it']],
    ['of_it jonas', []],
    ["' or 1=1 --", []],
    ['$1', []],
  ])('finds %s literally in subject, name, email and number', async (search, subjects) => {
    const { data, pagination } = await list(organization, { search });
    expect(data.map(({ subject }) => subject)).toEqual(subjects);
    expect(pagination.total).toBe(subjects.length);
  });
  it('combines with filters', async () => {
    expect(await found(organization, { search: 'saving', status: 'closed' })).toEqual([]);
    expect(await found(organization, { search: 'saving', status: 'open,closed', priority: 'medium', assignee: 'unassigned' })).toHaveLength(
      2,
    );
    expect(await found(organization, { search: 'saving', assignee: organization.agent })).toEqual([]);
  });
});

describe('in an organization of 6,000 tickets', () => {
  let organization: TestOrganization;
  const asOwner = async (work: (tx: TicketsTx) => Promise<unknown>) => {
    const owner = new Database<TicketsSchema>({ url: tickets.database.ownerUrl });
    await owner.asSystem('what autovacuum does', work);
    await owner.close();
  };
  beforeAll(async () => {
    // Statistics change only when a test says so: which plan PostgreSQL chooses must not depend on when autovacuum runs.
    await asOwner(async (tx) => {
      for (const table of ['tickets', 'open_periods', 'ticket_texts'])
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(tx);
    });
    organization = await tickets.anOrganization({ ticket_prefix: 'BIG' });
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      // Statements have a time limit, and 6,000 rows can take longer than it on a busy machine.
      for (let first = 1; first < 6_000; first += 500) {
        await sql`
          insert into tickets (organization_id, id, ticket_number, subject, status, priority, customer_email, created_at, updated_at, assigned_to)
          select ${organization.id}::uuid, gen_random_uuid(), 'BIG-' || lpad(n::text, 4, '0'), case when n % 3 = 0 then 'Common printer ' else 'Other ' end || md5(n::text),
                 case when n % 5 = 0 then 'closed' else 'open' end, case when n % 7 = 0 then 'urgent' else 'low' end, 'c' || n || '@example.com',
                 timestamptz '2026-01-01' + n * interval '1 minute', now(), case when n % 11 = 0 then ${organization.agent}::uuid end
          from generate_series(${first}::integer, ${first + 499}) n`.execute(tx);
      }
      await sql`
        insert into open_periods (organization_id, ticket_id, opened_at, resolved_at)
        select organization_id, id, created_at, case when status = 'closed' then created_at + interval '1 day' else 'infinity' end from tickets
        on conflict do nothing`.execute(tx);
      await tx.updateTable('ticket_counters').set({ last_number: 6_000 }).execute();
    });
    // As after an import, when autovacuum has analyzed one table and not yet the others.
    await asOwner((tx) => sql`analyze tickets, open_periods`.execute(tx));
  });

  const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
  const count = (is: (n: number) => boolean) => Array.from({ length: 6_000 }, (_, n) => n + 1).filter(is).length;
  const isPrinter = (n: number) => n % 3 === 0;
  const isClosed = (n: number) => n % 5 === 0;
  const wasOpen = (n: number, at: number) => n < at && (!isClosed(n) || n + 1_440 >= at);
  const wasResolved = (n: number, from: number, to: number) => isClosed(n) && n + 1_440 >= from && n + 1_440 < to;

  it.each([
    [{ open_at: minute(5_760) }, count((n) => wasOpen(n, 5_760))],
    [{ search: 'printer', open_at: minute(5_760) }, count((n) => isPrinter(n) && wasOpen(n, 5_760))],
    [{ search: 'printer', open_at: minute(5_760), status: 'closed' }, count((n) => isPrinter(n) && isClosed(n) && wasOpen(n, 5_760))],
    [{ search: 'printer', open_at: minute(60) }, count((n) => isPrinter(n) && wasOpen(n, 60))],
    [{ search: 'BIG-0042', open_at: minute(5_760) }, 1],
    [{ search: 'BIG-0042', open_at: minute(42) }, 0],
    [
      { search: 'printer', resolved_from: minute(3_000), resolved_to: minute(3_300) },
      count((n) => isPrinter(n) && wasResolved(n, 3_000, 3_300)),
    ],
    [
      { search: 'printer', resolved_from: minute(3_000), open_at: minute(3_200) },
      count((n) => isPrinter(n) && wasResolved(n, 3_000, 9_999) && wasOpen(n, 3_200)),
    ],
    [{ channel: 'none', created_from: minute(3_000), one_touch: 'false', status: 'closed' }, count((n) => n >= 3_000 && isClosed(n))],
    [{ has_resolution_time: 'false', priority: 'urgent', assignee: 'unassigned' }, 780],
    [{ channel: 'email' }, 0],
    // 2026-01-01 was a Thursday.
    [{ created_weekday: '4', created_hour: '10' }, 60],
    [{ created_weekday: '4', created_hour: '10', created_from: minute(605), created_to: minute(620) }, 15],
    [{ created_weekday: '5', created_hour: '0', status: 'closed', search: 'printer' }, 4],
    [{ search: 'printer' }, 2000],
    [{ search: 'printer', status: 'closed' }, 400],
    [{ search: 'BIG-0042' }, 1],
    [{ search: 'zzzz' }, 0],
    [{ search: 'ot' }, 4000],
    [{ status: 'closed', priority: 'urgent' }, 171],
    [{ assignee: 'unassigned', priority: 'urgent' }, 780],
    [{}, 6000],
  ])('paging through %j is complete and in order with any plan', async (filter, total) => {
    const met: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, pagination } = await list(organization, {
        ...(filter as Record<string, string>),
        limit: '100',
        ...(cursor ? { cursor } : {}),
      });
      // A search counts up to 1,000, but pagination continues to the end.
      expect(pagination.total).toBe('search' in filter ? Math.min(total, 1_000) : total);
      met.push(...data.map(({ created_at }) => created_at));
      cursor = pagination.next_cursor;
    }
    expect(met).toHaveLength(total);
    expect(met).toEqual([...new Set(met)].sort().reverse());
  });
  it('looks up each text once for a common word and a period, also without statistics of the texts', async () => {
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const period = {
        column: 'open_periods' as const,
        is: 'with' as const,
        where: [
          { column: 'opened_at' as const, is: 'below' as const, value: minute(5_760) },
          { column: 'resolved_at' as const, is: 'at_least' as const, value: minute(5_760) },
        ],
      };
      expect(await countByText(tx, { search: 'printer', conditions: [period] }, 10_001)).toBe(
        count((n) => isPrinter(n) && wasOpen(n, 5_760)),
      );
      const { rows } = await sql<{
        entries: string;
      }>`select pg_stat_get_xact_tuples_returned('ticket_texts_pkey'::regclass) as entries`.execute(tx);
      expect(Number(rows[0]?.entries)).toBeGreaterThan(0);
      expect(Number(rows[0]?.entries)).toBeLessThan(3 * 6_000);
    });
  });
  it('counts up to 10,000 and marks a capped count', async () => {
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('ticket_counters').set({ last_number: 10_001 }).execute(),
    );
    expect((await list(organization)).pagination).toMatchObject({ total: 10_000, total_is_capped: true });
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('ticket_counters').set({ last_number: 6_000 }).execute(),
    );
  });

  it.each([
    ['BIG-0042', 1, true],
    ['zzzz', 0, true],
    // A common word fills the page from the newest tickets; two letters are too short for a trigram.
    ['printer', 21, false],
    ['zz', 0, false],
  ])('searches %s in the trigram index only if that is faster', async (search, rows, isUsed) => {
    await analyze();
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const used = async () => {
        const { rows: counted } = await sql<{
          scans: number;
        }>`select pg_stat_get_xact_numscans('ticket_texts_search'::regclass) as scans`.execute(tx);
        return counted[0]?.scans ?? 0;
      };
      const before = await used();
      expect(
        await findTickets(tx, { search, conditions: [] }, { sort: 'newest', after: undefined, skip: 0, rows: 21, reader: null }),
      ).toHaveLength(rows);
      expect((await used()) > before).toBe(isUsed);
    });
  });

  it('looks up the read position of each row of the page by the primary key, and no others', async () => {
    const reader = organization.agent;
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      sql`insert into ticket_reads (organization_id, user_id, ticket_id, read_until)
        select organization_id, ${reader}::uuid, id, created_at from tickets`.execute(tx),
    );
    // Without `analyze`: a page must not become slow while there are no statistics.
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const request = { sort: 'newest' as const, after: undefined, skip: 0, rows: 31, reader };
      const query = selectTickets(tx, { search: undefined, conditions: [] }, request);
      const [explained] = await query.explain<{ 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[] }>(
        'json',
        sql`analyze, buffers`,
      );
      const { Plan: plan } = explained!['QUERY PLAN'][0]!;
      expect(JSON.stringify(plan)).toContain('ticket_reads_pkey');
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(200);
    });
  });

  it.each([
    ['all tickets', []],
    ['the tickets of a customer', [{ column: 'customer_email', is: 'equal', value: 'nobody@example.com' }]],
  ] as const)('lets PostgreSQL plan the first page of %s once, not at each request', async (_, conditions) => {
    const read = async (tx: TicketsTx) => {
      // PostgreSQL compares the costs of both kinds of plans at the sixth call.
      for (let call = 0; call < 7; call++) {
        await findFirstPage(tx, { search: undefined, conditions }, { rows: 21, reader: organization.agent });
      }
      return sql<{ generic_plans: number; custom_plans: number }>`select generic_plans, custom_plans from pg_prepared_statements
        where statement like 'select "t"%limit 101)%' and (statement like '%t.customer_email = %') = ${conditions.length > 0}`.execute(tx);
    };
    const { rows } = await tickets.db.readTenant({ organization_id: organization.id }, read, { isPrepared: true });
    expect(rows).toEqual([{ generic_plans: expect.any(Number), custom_plans: 5 }]);
  });

  let analyzed: Promise<void> | undefined;
  const analyze = () =>
    (analyzed ??= asOwner(async (tx) => {
      await sql`analyze tickets, ticket_texts`.execute(tx);
      // Autovacuum does this eventually: 6,000 tickets inserted at once are still in the index's pending list.
      await sql`select gin_clean_pending_list('ticket_texts_search')`.execute(tx);
    }));
});
