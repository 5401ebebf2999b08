import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeTicket, systemContext } from '@tandem/contracts';
import type { Jobs } from '@tandem/messaging';
import { sql } from 'kysely';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { Storage } from '../storage/storage-interface';
import { TicketsDeletion } from './tickets-deletion';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
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

/** Fails at the second file, as a process does that is killed there. */
const dyingStorage = (storage: Storage): Storage => {
  let removed = 0;
  return Object.assign(Object.create(storage) as Storage, {
    remove: async (key: string) => {
      if (++removed > 1) throw new Error('killed');
      await storage.remove(key);
    },
  });
};

it('deletes all rows and files of an organization, also after an interruption, and nothing of another', async () => {
  const [gone, other] = [await anOrganizationWithTickets(), await anOrganizationWithTickets()];
  const before = await rowsOf(other);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['attachments', 'merges', 'ticket_tags', 'tickets']));
  const ctx = systemContext(gone.id, 'test');
  const storage = (tickets.app as unknown as { get(token: string): Storage }).get('STORAGE');
  const jobs = undefined as unknown as Jobs; // needed by the consumer only
  const dying = new TicketsDeletion(tickets.db, jobs, dyingStorage(storage));
  await expect((dying as unknown as { run(context: typeof ctx): Promise<void> }).run(ctx)).rejects.toThrow('killed');
  expect(await filesOf(gone)).toHaveLength(2);
  expect(await rowsOf(gone)).toMatchObject({ tickets: 3, attachments: 3 });

  const deletion = tickets.app.get(TicketsDeletion) as unknown as { run(context: typeof ctx): Promise<void> };
  await deletion.run(ctx);
  await deletion.run(ctx);
  expect(await rowsOf(gone)).toEqual({});
  expect(await filesOf(gone)).toEqual([]);
  expect(await rowsOf(other)).toEqual(before);
  expect(await filesOf(other)).toHaveLength(3);
});
