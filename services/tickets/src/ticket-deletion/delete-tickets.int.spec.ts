import { readdir } from 'node:fs/promises';
import { addComment, listTickets, mergeTicket, readTicket, saveDraft, systemContext, updateTicket, type Ticket } from '@tandem/contracts';
import { sql } from 'kysely';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { Storage } from '../storage/storage-interface';
import { deleteTickets } from './delete-tickets';

let tickets: TicketsUnderTest;
let storage: Storage;
// Without jobs and consumers: only the test deletes.
beforeAll(async () => {
  tickets = await TicketsUnderTest.start({ RUN: 'http' });
  storage = (tickets.app as unknown as { get(token: string): Storage }).get('STORAGE');
});
afterAll(() => tickets?.close());

const deleteThem = (organization: TestOrganization, ids: string[], from = storage) =>
  deleteTickets({ db: tickets.db, storage: from }, systemContext(organization.id, 'test'), ids, { keep_figures: true });

/** The tables in which a ticket has rows, apart from its articles. */
const tablesOf = ({ id: organization_id }: TestOrganization, ticket_id: string) =>
  tickets.db.forTenant({ organization_id }, async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relrowsecurity and a.attname = case c.relname when 'tickets' then 'id' else 'ticket_id' end
        and c.relname not in ('articles', 'ticket_deletions') order by 1`.execute(tx);
    const found: string[] = [];
    for (const { name } of rows) {
      const column = name === 'tickets' ? 'id' : 'ticket_id';
      if ((await sql`select from ${sql.table(name)} where ${sql.ref(column)} = ${ticket_id} limit 1`.execute(tx)).rows.length > 0)
        found.push(name);
    }
    return found;
  });
const loadOf = ({ id: organization_id, agent }: TestOrganization) =>
  tickets.db.forTenant({ organization_id }, async (tx) => {
    const row = await tx.selectFrom('member_loads').select('open_tickets').where('user_id', '=', agent).executeTakeFirst();
    return row?.open_tickets ?? 0;
  });

async function aFullTicket(organization: TestOrganization): Promise<Ticket> {
  const ctx = asStaff(organization);
  const [described, commented] = [await tickets.aFile(ctx), await tickets.aFile(ctx)];
  const ticket = await tickets.aTicket(organization, { tags: ['fire'] });
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('attachments').set({ ticket_id: ticket.id }).where('id', '=', described.id).execute(),
  );
  const params = { id: ticket.id };
  await tickets.call(addComment, ctx, { params, body: { content: 'On my way', attachment_ids: [commented.id] } });
  await tickets.call(saveDraft, ctx, { params, body: { content: 'Later', is_internal: false } });
  await tickets.call(updateTicket, ctx, { params, body: { assigned_to: organization.agent } });
  return ticket;
}

it('deletes tickets with their rows and files, even after an interruption, and nothing of other tickets', async () => {
  const organization = await tickets.anOrganization();
  const [gone, kept] = [await aFullTicket(organization), await aFullTicket(organization)];
  const before = await tablesOf(organization, kept.id);
  expect(before).toEqual(expect.arrayContaining(['attachments', 'comments', 'drafts', 'ticket_tags', 'ticket_texts', 'tickets']));
  expect(await loadOf(organization)).toBe(2);
  let removed = 0;
  const dying = Object.assign(Object.create(storage) as Storage, {
    remove: async (key: string) => {
      if (++removed > 1) throw new Error('killed');
      await storage.remove(key);
    },
  });
  await expect(deleteThem(organization, [gone.id], dying)).rejects.toThrow('killed');
  expect(await tablesOf(organization, gone.id)).toEqual(before);
  const deleted = await deleteThem(organization, [gone.id]);
  expect(deleted).toEqual({ ticket_ids: [gone.id], comments: 1, files: 2, surveys: 0, drafts: 1, received_emails: 0 });
  expect(await tablesOf(organization, gone.id)).toEqual([]);
  expect(await tablesOf(organization, kept.id)).toEqual(before);
  expect(await readdir(`${tickets.filesDirectory}/${organization.id}`)).toHaveLength(2);
  expect(await loadOf(organization)).toBe(1);
  const events = (await tickets.eventsOf(organization)).filter(({ type }) => type === 'tickets.deleted');
  expect(events.map(({ data }) => data)).toEqual([{ ticket_ids: [gone.id], keep_figures: true, is_anonymized: false, erasure_id: null }]);
  expect((await deleteThem(organization, [gone.id])).ticket_ids).toEqual([]);
  const list = await tickets.call(listTickets, asStaff(organization));
  expect(list.pagination.total).toBe(1);
});

it('separates tickets that were merged into a deleted one, and deletes no ticket of another organization', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  const [source, target, foreign] = [
    await tickets.aTicket(organization),
    await tickets.aTicket(organization),
    await tickets.aTicket(other),
  ];
  const ctx = asStaff(organization);
  await tickets.call(mergeTicket, ctx, { params: { id: source.id }, body: { into_id: target.id } });
  const { ticket_ids } = await deleteThem(organization, [target.id, foreign.id]);
  expect(ticket_ids).toEqual([target.id]);
  expect((await tickets.call<Ticket>(readTicket, ctx, { params: { id: source.id } })).data).toMatchObject({
    status: 'closed',
    merged_into_id: null,
  });
  expect((await tickets.call(readTicket, ctx, { params: { id: target.id } })).status).toBe(404);
  expect((await tickets.call(readTicket, asStaff(other), { params: { id: foreign.id } })).status).toBe(200);
});
