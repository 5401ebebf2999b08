import { Database, newId, unprotectedTables } from '@tandem/db';
import { freshDatabase, type FreshDatabase } from '@tandem/testing';
import { sql } from 'kysely';
import type { TicketsSchema } from './schema';
import { ticketNumber } from './ticket/ticket';

let database: FreshDatabase;
let db: Database<TicketsSchema>;
beforeAll(async () => {
  database = await freshDatabase('tickets');
  db = new Database<TicketsSchema>({ url: database.url });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

it('leaves no table outside tenancy', async () => expect(await unprotectedTables(database.ownerUrl)).toEqual([]));

it('agrees with the migrated database, column by column', async () => {
  // Complete by type: a column that is missing here or too many does not compile.
  const columns: { [Table in keyof TicketsSchema]: Record<keyof TicketsSchema[Table], true> } = {
    tickets: {
      ...{
        organization_id: true,
        id: true,
        ticket_number: true,
        subject: true,
        description: true,
        description_preview: true,
        status: true,
      },
      ...{ priority: true, category: true, tags: true, customer_name: true, customer_email: true, assigned_to: true, comment_count: true },
      ...{ clickup_task_id: true, created_at: true, updated_at: true, resolved_at: true, version: true, search_text: true },
    },
    comments: {
      ...{ organization_id: true, id: true, ticket_id: true, content: true, is_internal: true, is_from_customer: true },
      ...{ user_id: true, customer_email: true, created_at: true },
    },
    organizations: { organization_id: true, name: true, subdomain: true, ticket_prefix: true, sequence: true },
    members: { organization_id: true, user_id: true, email: true, first_name: true, last_name: true, is_active: true, sequence: true },
    ticket_counters: { organization_id: true, prefix: true, last_number: true },
  };
  const found = await db.asSystem('test', (tx) =>
    sql<{ table: string; columns: string[] }>`select table_name as "table", array_agg(column_name::text order by column_name) as columns
      from information_schema.columns where table_schema = 'public' group by table_name`.execute(tx),
  );
  const real = Object.fromEntries(found.rows.map((row) => [row.table, row.columns]));
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
});

const ticket = (organization_id: string, id = newId()) => sql`
  insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
  values (${organization_id}, ${id}, 'X-' || ${id}, 'Findable', 'c@example.com', now(), now())`;

it('lets the search function see one organization, and nothing without one', async () => {
  const [mine, theirs] = [newId(), newId()];
  for (const organization_id of [mine, theirs]) await db.forTenant({ organization_id }, (tx) => ticket(organization_id).execute(tx));
  const search = sql<{ id: string }>`select id from find_tickets_by_text('%findable%', null, null, null, false, null, null, 10, 0, true)`;
  expect((await db.forTenant({ organization_id: mine }, (tx) => search.execute(tx))).rows).toHaveLength(1);
  await expect(db.asSystem('test', (tx) => search.execute(tx))).rejects.toThrow();
  // Its way past row-level security is the owner's alone: the service's role sees nothing without an organization, in the table too.
  expect(await db.asSystem('test', (tx) => tx.selectFrom('tickets').select('id').execute())).toEqual([]);
});

it('does not let a comment hang on another organization’s ticket', async () => {
  const [mine, theirs, id] = [newId(), newId(), newId()];
  await db.forTenant({ organization_id: theirs }, (tx) => ticket(theirs, id).execute(tx));
  const intrusion = db.forTenant({ organization_id: mine }, (tx) =>
    tx
      .insertInto('comments')
      .values({
        organization_id: mine,
        id: newId(),
        ticket_id: id,
        content: 'x',
        is_internal: false,
        is_from_customer: false,
        user_id: null,
        customer_email: null,
        created_at: new Date().toISOString(),
      })
      .execute(),
  );
  await expect(intrusion).rejects.toThrow(/foreign key/);
});

it('writes a number in SQL as the rule does', async () => {
  for (const counter of [1, 999, 9_999, 10_000, 123_456]) {
    const { rows } = await db.asSystem('test', (tx) =>
      sql<{
        number: string;
      }>`select 'AB-' || lpad(${counter}::integer::text, greatest(4, length(${counter}::integer::text)), '0') as number`.execute(tx),
    );
    expect(rows[0]?.number).toBe(ticketNumber('AB', counter));
  }
});
