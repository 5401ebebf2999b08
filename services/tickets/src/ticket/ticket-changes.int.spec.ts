import { listTickets, updateTicket, type Ticket, type TicketSummary } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { changeTicket } from './ticket.service';
import { selectTickets } from './ticket-list.store';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
});
beforeEach(async () => {
  organization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const list = (query: Record<string, string> = {}) =>
  tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { sort: 'updated_oldest', ...query } });
const change = (id: string, subject: string) =>
  tickets.call<Ticket>(updateTicket, asStaff(organization), { params: { id }, body: { subject } });

/** A client that polls from the cursor of the last page that it read, and records the tickets that it read. */
class Poller {
  readonly read: string[] = [];
  #cursor: string | null = null;
  constructor(private readonly query: Record<string, string> = {}) {}

  async poll(): Promise<string[]> {
    const subjects: string[] = [];
    for (;;) {
      const { status, data, pagination } = await list({ ...this.query, ...(this.#cursor ? { cursor: this.#cursor } : {}) });
      expect(status).toBe(200);
      subjects.push(...data.map(({ subject }) => subject));
      this.#cursor = pagination.resume_cursor ?? null;
      if (pagination.next_cursor === null) break;
      expect(pagination.next_cursor).toBe(pagination.resume_cursor);
    }
    this.read.push(...subjects);
    return subjects;
  }
  /** Polls until it has read these and nothing else; other databases of the server may have open transactions that delay it. */
  async expect(...subjects: string[]): Promise<void> {
    const met: string[] = [];
    await eventually(async () => {
      met.push(...(await this.poll()));
      expect(met).toEqual(subjects);
    });
  }
}

/** Changes a ticket in a transaction that stays open until `commit`. */
async function openChange(id: string, subject: string, now = new Date().toISOString()) {
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  let written = () => {};
  const isWritten = new Promise<void>((resolve) => (written = resolve));
  const done = tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await changeTicket(tx, asStaff(organization), id, { subject }, { now });
    written();
    await mayCommit;
  });
  await isWritten;
  return async () => {
    commit();
    await done;
  };
}

describe('a poller that follows the cursor', () => {
  it('reads tickets in the order of their changes, and again only those that changed again', async () => {
    const [a, b] = [await tickets.aTicket(organization, { subject: 'a' }), await tickets.aTicket(organization, { subject: 'b' })];
    const poller = new Poller({ limit: '1' });
    await poller.expect('a', 'b');
    expect(await poller.poll()).toEqual([]);
    await change(a.id, 'a again');
    await poller.expect('a again');
    await change(b.id, 'b again');
    await tickets.aTicket(organization, { subject: 'c' });
    await poller.expect('b again', 'c');
    expect(await poller.poll()).toEqual([]);
  });
  it('does not skip a change that is not committed yet', async () => {
    const [slow, fast] = [await tickets.aTicket(organization, { subject: 's' }), await tickets.aTicket(organization, { subject: 'f' })];
    const poller = new Poller();
    await poller.expect('s', 'f');
    const commit = await openChange(slow.id, 'slow');
    await change(fast.id, 'fast');
    expect(await poller.poll()).toEqual([]);
    await commit();
    await poller.expect('slow', 'fast');
  });
  it('reads a change whose time is before that of a change that it has read already', async () => {
    const [late, early] = [await tickets.aTicket(organization, { subject: 'l' }), await tickets.aTicket(organization, { subject: 'e' })];
    const poller = new Poller({ updated_since: late.created_at });
    await poller.expect('l', 'e');
    // This transaction reads its time before the other one writes, and writes its change afterwards.
    const now = new Date().toISOString();
    await pause(5);
    const changed = (await change(early.id, 'early')).data;
    await poller.expect('early');
    await (
      await openChange(late.id, 'late', now)
    )();
    const [found] = (await list({ ids: late.id, sort: 'newest' })).data;
    expect(found!.updated_at < changed.updated_at).toBe(true);
    await poller.expect('late');
  });
  it('misses nothing and reads nothing twice while many transactions overlap', async () => {
    const ids = (await Promise.all(Array.from({ length: 8 }, () => tickets.aTicket(organization)))).map(({ id }) => id);
    const poller = new Poller({ limit: '3' });
    let writing = true;
    const last = new Map<string, string>();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 15; n += 1) {
        const id = ids[(writer * 7 + n * 3) % ids.length]!;
        await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
          await changeTicket(tx, asStaff(organization), id, { subject: `${writer}-${n}` });
          await pause((writer * 13 + n * 5) % 17);
          // The row is locked until the commit, so the changes are recorded in the order of their commits.
          last.set(id, `${writer}-${n}`);
        });
      }
    });
    const polling = (async () => {
      while (writing) await poller.poll();
    })();
    await Promise.all(writers);
    writing = false;
    await polling;
    await eventually(async () => {
      await poller.poll();
      expect([...last.values()].filter((subject) => !poller.read.includes(subject))).toEqual([]);
    });
    const changes = poller.read.filter((subject) => /^\d+-\d+$/.test(subject));
    expect(new Set(changes).size).toBe(changes.length);
  });
});

describe('updated_since', () => {
  it('leaves out earlier changes in every order, and combines with other filters and counts', async () => {
    const [old, kept] = [await tickets.aTicket(organization), await tickets.aTicket(organization, { priority: 'urgent' })];
    await pause(5);
    const since = (await change(kept.id, 'Changed')).data.updated_at;
    for (const sort of ['newest', 'oldest', 'updated', 'priority', 'due', 'updated_oldest']) {
      const found = await eventually(async () => {
        const answer = await list({ sort, updated_since: since });
        expect({ sort, ids: answer.data.map(({ id }) => id) }).toEqual({ sort, ids: [kept.id] });
        return answer;
      });
      expect([sort, found.pagination.total]).toEqual([sort, 1]);
    }
    expect((await list({ sort: 'newest', updated_since: since, priority: 'low' })).data).toEqual([]);
    expect((await list({ sort: 'newest', updated_since: old.created_at })).data).toHaveLength(2);
    const found = await list({ sort: 'newest', search: 'Changed', updated_since: since });
    expect(found.data.map(({ id }) => id)).toEqual([kept.id]);
  });
  it.each<Record<string, string>>([{ updated_since: 'yesterday' }, { search: 'x' }, { cursor: 'x' }, { cursor: Buffer.from('["updated_oldest",-1,"x"]').toString('base64url') }])(
    'rejects %j and names the field',
    async (query) => {
      const { status, data } = await list(query);
      expect([status, data.errors?.map(({ path }) => path)]).toEqual([422, Object.keys(query)]);
    },
  ); // prettier-ignore
  it('rejects a cursor of another database server, which would never return a change', async () => {
    const { id } = await tickets.aTicket(organization);
    const cursor = Buffer.from(JSON.stringify(['updated_oldest', 2 ** 52, id])).toString('base64url');
    const { status, data } = await list({ cursor });
    expect([status, data.errors?.map(({ path }) => path)]).toEqual([422, ['cursor']]);
  });
  it('returns nothing of another organization', async () => {
    await tickets.aTicket(organization);
    organization = await tickets.anOrganization();
    expect((await list({ updated_since: '2020-01-01' })).data).toEqual([]);
  });
});

describe('the plan', () => {
  interface Plan {
    Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  }
  it('reads few of many tickets, for the first page since a time and for the next page', async () => {
    const fill = (from: number) => sql`
      insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
      select ${organization.id}::uuid, gen_random_uuid(), 'P-' || n, 'Ticket ' || n, 'c@example.com', t.at, t.at
      from generate_series(${from}::integer, ${from + 99}::integer) n, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) t`;
    for (let from = 0; from < 20_000; from += 100)
      await tickets.db.forTenant({ organization_id: organization.id }, (tx) => fill(from).execute(tx));
    const owner = new pg.Client({ connectionString: tickets.database.ownerUrl });
    await owner.connect();
    await owner.query('vacuum analyze tickets');
    await owner.end();
    const since = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const last = await sql<{
        changed_in: number;
        id: string;
      }>`select changed_in, id from tickets order by 1 desc, 2 desc limit 1`.execute(tx);
      const { changed_in, id } = last.rows[0]!;
      for (const [value, after] of [
        [since(19_950), undefined],
        [since(19_950), [changed_in - 5, id]],
        [since(0), [changed_in - 5, id]],
      ] as const) {
        const conditions = [{ column: 'updated_at', is: 'at_least', value }] as const;
        const request = { sort: 'updated_oldest' as const, after: after && [...after], skip: 0, rows: 21, reader: null };
        const query = selectTickets(tx, { search: undefined, conditions }, request);
        const [explained] = await query.explain<{ 'QUERY PLAN': Plan[] }>('json', sql`analyze, buffers`);
        const { Plan: plan } = explained!['QUERY PLAN'][0]!;
        const scanned = [...JSON.stringify(plan).matchAll(/"Seq Scan"[^{}]*"Relation Name":"(\w+)"/g)].map(([, table]) => table);
        // The members of all organizations in a small installation fit into one block: PostgreSQL may scan them.
        expect(scanned.filter((table) => table !== 'members')).toEqual([]);
        expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(700);
      }
    });
  });
});
