import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeTicket, systemContext, type Context } from '@tandem/contracts';
import { newId, type OrganizationDeletionsTable } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { Storage } from '../storage/storage-interface';
import { TicketsDeletion } from './tickets-deletion';

let tickets: TicketsUnderTest;
// Without jobs, so that only the test runs passes, and without a relay, so that events stay unpublished.
beforeAll(async () => (tickets = await TicketsUnderTest.start({ RUN: 'http' })));
afterAll(() => tickets?.close());

const filesOf = ({ id }: TestOrganization) => readdir(join(tickets.filesDirectory, id)).catch(() => []);
/** The number of rows of each table that the organization has. */
const rowsOf = ({ id }: TestOrganization) =>
  tickets.db.forTenant({ organization_id: id }, async (tx) => {
    const tables = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relrowsecurity order by 1`.execute(tx);
    const rows: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const found = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(tx);
      if (found.rows[0]!.count > 0) rows[name] = found.rows[0]!.count;
    }
    return rows;
  });

/** An organization with files, and tickets that were merged into each other in a chain. */
async function anOrganizationWithTickets(): Promise<TestOrganization> {
  const organization = await tickets.anOrganization();
  const ctx = asStaff(organization);
  const files = [await tickets.aFile(ctx), await tickets.aFile(ctx), await tickets.aFile(ctx)];
  const [first, second, third] = [
    await tickets.aTicket(organization, { tags: ['fire'] }),
    await tickets.aTicket(organization),
    await tickets.aTicket(organization),
  ];
  for (const [from, into] of [
    [first, second],
    [second, third],
  ]) {
    const { status } = await tickets.call(mergeTicket, ctx, { params: { id: from!.id }, body: { into_id: into!.id } });
    expect(status).toBe(200);
  }
  expect(files).toHaveLength(3);
  return organization;
}

/** Fails at the second file, like a process that is killed there. */
const dyingStorage = (storage: Storage): Storage => {
  let removed = 0;
  return Object.assign(Object.create(storage) as Storage, {
    remove: async (key: string) => {
      if (++removed > 1) throw new Error('killed');
      await storage.remove(key);
    },
  });
};

/** `run` is missing in the public type of the provider. */
type Runnable = { run(ctx: Context, data: object, attempt: { last: boolean }): Promise<void> };
const deletionOf = (storage?: Storage) =>
  (storage ? new TicketsDeletion(tickets.db, tickets.app.get(Jobs), storage) : tickets.app.get(TicketsDeletion)) as unknown as Runnable;
const sqlAsSystem = <Row>(statement: RawBuilder<Row>) => tickets.db.asSystem('test', async (tx) => (await statement.execute(tx)).rows);
const request = ({ id, agent }: TestOrganization) =>
  sqlAsSystem(sql`insert into organization_deletions (organization_id, member_ids) values (${id}, ${[agent]}::uuid[])`);
const rowOf = async ({ id }: TestOrganization) =>
  (await sqlAsSystem<Selectable<OrganizationDeletionsTable>>(sql`select * from organization_deletions where organization_id = ${id}`))[0]!;
const makeDue = ({ id }: TestOrganization) =>
  sqlAsSystem(sql`update organization_deletions set next_pass_at = now() - interval '1 second' where organization_id = ${id}`);
const publish = () => sqlAsSystem(sql`update outbox set published_at = now() where published_at is null`);
/** The organization's events, and the sequences of `subjects`. */
const eventsOf = async ({ id }: TestOrganization, subjects: string[]) => {
  const events = await sqlAsSystem<{ subject: string }>(sql`select subject from outbox where organization_id = ${id}`);
  const sequences = await sqlAsSystem(sql`select from event_sequences where subject = any(${subjects}::text[])`);
  return { subjects: events.map(({ subject }) => subject), sequences: sequences.length };
};

it('deletes all rows and files of an organization, even after an interruption, and none of another organization', async () => {
  const [gone, other] = [await anOrganizationWithTickets(), await anOrganizationWithTickets()];
  const before = await rowsOf(other);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['attachments', 'merges', 'ticket_tags', 'tickets']));
  const ctx = systemContext(gone.id, 'test');
  await request(gone);
  const storage = (tickets.app as unknown as { get(token: string): Storage }).get('STORAGE');
  await expect(deletionOf(dyingStorage(storage)).run(ctx, {}, { last: false })).rejects.toThrow('killed');
  expect(await filesOf(gone)).toHaveLength(2);
  expect(await rowsOf(gone)).toMatchObject({ tickets: 3, attachments: 3 });

  await deletionOf().run(ctx, {}, { last: false });
  expect(await rowsOf(gone)).toEqual({});
  expect(await filesOf(gone)).toEqual([]);
  expect(await rowsOf(other)).toEqual(before);
  expect(await filesOf(other)).toHaveLength(3);
});

it('deletes the published events of an organization and of its accounts, with their sequences, in pages that are not read again', async () => {
  const [gone, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  await publish();
  // More than one page of the outbox, between two events of the organization.
  const first = await tickets.aTicket(gone);
  await sqlAsSystem(sql`
    with added as (
      insert into outbox (id, organization_id, subject, type, sequence, envelope, published_at)
      select overlay(${newId()}::uuid::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, ${other.id}::uuid, 'other ' || n, 'x', 1, '{}', now()
      from generate_series(1, 12000) n returning subject
    )
    insert into event_sequences (subject, last) select subject, 1 from added`);
  const second = await tickets.aTicket(gone);
  // Account events belong to no organization.
  await sqlAsSystem(sql`
    insert into outbox (id, organization_id, subject, type, sequence, envelope)
    select id, null, subject, 'x', 1, '{}' from unnest(${[newId(), newId()]}::uuid[], ${[gone.agent, other.agent]}::text[]) a (id, subject)`);
  await sqlAsSystem(sql`insert into event_sequences (subject, last) values (${gone.agent}, 1), (${other.agent}, 1)`);
  await publish();
  const unpublished = await tickets.aTicket(gone);
  const subjects = [first.id, second.id, unpublished.id, gone.agent];
  const others = async () => [
    (await eventsOf(other, [])).subjects.length,
    await sqlAsSystem(sql`select subject from outbox where organization_id is null`),
    (await sqlAsSystem(sql`select from event_sequences where subject like 'other %' or subject = ${other.agent}`)).length,
  ];

  const ctx = systemContext(gone.id, 'test');
  await request(gone);
  await deletionOf().run(ctx, {}, { last: false });
  expect(await eventsOf(gone, subjects)).toEqual({ subjects: [unpublished.id], sequences: 0 });
  expect(await others()).toEqual([12_000, [{ subject: other.agent }], 12_001]);
  expect(await rowOf(gone)).toMatchObject({ passes: 1, events_after: null, failures: 0 });

  // A second job for the same pass does nothing.
  await publish();
  await deletionOf().run(ctx, {}, { last: false });
  expect(await rowOf(gone)).toMatchObject({ passes: 1 });
  await makeDue(gone);
  await deletionOf().run(ctx, {}, { last: false });
  expect(await eventsOf(gone, subjects)).toEqual({ subjects: [], sequences: 0 });
  expect(await rowOf(gone)).toMatchObject({ passes: 2, completed_at: null, member_ids: [gone.agent] });
  for (const _ of [3, 4]) {
    await makeDue(gone);
    await deletionOf().run(ctx, {}, { last: false });
  }
  expect(await rowOf(gone)).toMatchObject({ passes: 4, completed_at: expect.any(String) as string, member_ids: [] });
});

it('continues reading the outbox where a pass was interrupted', async () => {
  const gone = await tickets.anOrganization();
  const [before, after] = [await tickets.aTicket(gone), await tickets.aTicket(gone)];
  await publish();
  await request(gone);
  const [last] = await sqlAsSystem<{ id: string }>(sql`select id from outbox where subject = ${before.id} order by id desc limit 1`);
  await sqlAsSystem(sql`update organization_deletions set events_after = ${last!.id} where organization_id = ${gone.id}`);
  await deletionOf().run(systemContext(gone.id, 'test'), {}, { last: false });
  const { subjects } = await eventsOf(gone, []);
  expect(subjects).toContain(before.id);
  expect(subjects).not.toContain(after.id);
});

it('postpones a pass that has failed in all attempts, longer each time, until one succeeds', async () => {
  const gone = await anOrganizationWithTickets();
  await request(gone);
  const ctx = systemContext(gone.id, 'test');
  const unavailable = { remove: () => Promise.reject(new Error('no storage')) } as unknown as Storage;
  const minutesLeft = async () => Math.max(0, Math.round((Date.parse((await rowOf(gone)).next_pass_at) - Date.now()) / 60_000));
  const waits: number[] = [];
  for (let failures = 0; failures < 7; failures++) {
    await makeDue(gone);
    await expect(deletionOf(unavailable).run(ctx, {}, { last: false })).rejects.toThrow('no storage');
    expect(await minutesLeft()).toBe(0);
    await expect(deletionOf(unavailable).run(ctx, {}, { last: true })).rejects.toThrow('no storage');
    waits.push(await minutesLeft());
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60]);
  expect(await rowOf(gone)).toMatchObject({ passes: 0, failures: 7 });
  await makeDue(gone);
  await deletionOf().run(ctx, {}, { last: false });
  expect(await rowOf(gone)).toMatchObject({ passes: 1, failures: 0 });
});
