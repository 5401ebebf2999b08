import { readdir } from 'node:fs/promises';
import {
  addComment,
  analyticsErasureAnswered,
  cancelErasure,
  createErasure,
  createTicket,
  identityErasureAnswered,
  integrationsErasureAnswered,
  listErasures,
  notificationsErasureAnswered,
  previewErasure,
  readErasure,
  serviceNames,
  systemContext,
  type Erasure,
  type ErasurePreview,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asStaff, asToken, asUserWithoutOrganization, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { ErasureWorker } from './erasure.worker';

let tickets: TicketsUnderTest;
let worker: ErasureWorker;
// Without jobs and consumers: only the test runs them.
beforeAll(async () => {
  tickets = await TicketsUnderTest.start({ RUN: 'http' });
  worker = tickets.app.get(ErasureWorker);
});
afterAll(() => tickets?.close());

const canary = 'canary-4711';
const address = `${canary}@example.com`;
const admin = (organization: TestOrganization) => asStaff(organization, 'admin');
const request = (organization: TestOrganization, body: object = { email: address, delay_hours: 0 }) =>
  tickets.call<Erasure>(createErasure, admin(organization), { body });
const run = (organization: TestOrganization, erasure_id: string) => worker.run(systemContext(organization.id, 'test'), { erasure_id });
const receipt = async (organization: TestOrganization, id: string) =>
  (await tickets.call<Erasure>(readErasure, admin(organization), { params: { id } })).data;

/** The tables, with their rows as text, in which the organization has the canary. */
const tracesOf = ({ id: organization_id }: TestOrganization) =>
  tickets.db.forTenant({ organization_id }, async (tx) => {
    const tables = await sql<{
      name: string;
    }>`select relname as name from pg_class where relkind = 'r' and relrowsecurity order by 1`.execute(tx);
    const found: string[] = [];
    for (const { name } of [...tables.rows, { name: 'outbox' }]) {
      // Bytes are shown as hexadecimal digits.
      const { rows } = await sql`
        select from ${sql.table(name)} x
        where (${name} <> 'outbox' or x.organization_id = ${organization_id}) and (x::text like ${`%${canary}%`} or x::text like ${`%${Buffer.from(canary).toString('hex')}%`}) limit 1`.execute(
        tx,
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  });

/** A customer with a ticket, a comment with a file, a comment on a ticket of another customer, and a stored response. */
async function aCustomer(organization: TestOrganization): Promise<{ own: string; other: string }> {
  const ctx = asStaff(organization);
  const created = await tickets.call<Ticket>(createTicket, ctx, {
    body: { subject: `Card of ${canary}`, description: canary, customer_email: address, customer_name: canary },
    headers: { 'idempotency-key': newId() },
  });
  const file = await tickets.aFile(ctx, canary, `${canary}.txt`);
  await tickets.call(addComment, ctx, { params: { id: created.data.id }, body: { content: canary, attachment_ids: [file.id] } });
  const other = await tickets.aTicket(organization, { cc: [address] });
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    sql`insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, customer_email, created_at)
      values (${organization.id}, ${newId()}, ${other.id}, ${canary}, false, true, ${address}, now())`.execute(tx),
  );
  await tickets.db.asSystem('test', (tx) => sql`update outbox set published_at = now()`.execute(tx));
  return { own: created.data.id, other: other.id };
}

it('leaves nothing of the customer, and nothing else is missing, even after an interruption', async () => {
  const [organization, neighbour] = [await tickets.anOrganization(), await tickets.anOrganization()];
  const { other } = await aCustomer(organization);
  await aCustomer(neighbour);
  const before = await tracesOf(neighbour);
  expect(before).toEqual(expect.arrayContaining(['attachments', 'comments', 'idempotency_keys', 'outbox', 'ticket_texts', 'tickets']));
  const preview = await tickets.call<ErasurePreview>(previewErasure, admin(organization), { body: { email: address.toUpperCase() } });
  expect(preview.data).toMatchObject({ counts: { tickets: 1, comments: 1, files: 1 }, other_tickets: 1, linked_tasks: 0 });

  const { data } = await request(organization);
  expect(data).toMatchObject({ state: 'scheduled', email: address });
  // A second run after the first has been killed finds nothing to do twice.
  await run(organization, data.id);
  await run(organization, data.id);
  expect((await receipt(organization, data.id)).answers.tickets).toMatchObject({ tickets: 1, comments: 2, files: 1, responses: 1 });
  const events = await tickets.events(data.id);
  expect(events.map(({ type }) => type)).toEqual(['erasure.changed', 'erasure.requested']);
  expect(events[1]!.data).toEqual({ erasure_id: data.id, email: address, ticket_count: 1 });

  const answers = [identityErasureAnswered, notificationsErasureAnswered, integrationsErasureAnswered, analyticsErasureAnswered];
  for (const { type } of answers) {
    expect((await receipt(organization, data.id)).state).toBe('running');
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      worker.onAnswer(systemContext(organization.id, 'test'), { erasure_id: data.id, erased: { sent_emails: 1 }, remains: [] }, tx, {
        type,
      }),
    );
  }
  const done = await receipt(organization, data.id);
  expect(done).toMatchObject({ state: 'done', email: null, finished_at: expect.any(String) });
  expect(Object.keys(done.answers).sort()).toEqual([...serviceNames].sort());
  expect(done.remains).toEqual(expect.arrayContaining(['backups', 'webhooks']));

  await publishAndPurge(organization);
  expect(await tracesOf(organization)).toEqual([]);
  expect(await readdir(`${tickets.filesDirectory}/${organization.id}`)).toEqual([]);
  expect(
    (await tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('tickets').select('id').execute())).map(
      ({ id }) => id,
    ),
  ).toEqual([other]);
  expect(await tracesOf(neighbour)).toEqual(before);
});

/** What the consumer of `tickets.deleted` and its later passes do. */
async function publishAndPurge(organization: TestOrganization): Promise<void> {
  await tickets.db.asSystem('test', (tx) => sql`update outbox set published_at = now()`.execute(tx));
  const deletion = tickets.app.get((await import('../ticket-deletion/ticket-deletion')).TicketEventsDeletion) as unknown as {
    onDeleted(ctx: object, data: object, tx: object): Promise<void>;
    run(ctx: object): Promise<void>;
  };
  const ctx = systemContext(organization.id, 'test');
  const deleted = (await tickets.eventsOf(organization)).filter(({ type }) => type === 'tickets.deleted');
  for (const { data } of deleted) await tickets.db.forTenant(ctx, (tx) => deletion.onDeleted(ctx, data, tx));
  await deletion.run(ctx);
}

it('can be cancelled until it starts, by any admin, and forgets the address', async () => {
  const organization = await tickets.anOrganization();
  await tickets.aTicket(organization, { customer_email: address });
  const { data } = await request(organization, { email: address });
  expect(Date.parse(data.starts_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await run(organization, data.id);
  expect((await request(organization)).data.code).toBe('erasure.exists');
  const cancelled = await tickets.call<Erasure>(cancelErasure, admin(organization), { params: { id: data.id } });
  expect(cancelled.data).toMatchObject({ state: 'cancelled', email: null });
  expect((await tickets.call(cancelErasure, admin(organization), { params: { id: data.id } })).status).toBe(200);
  const again = await request(organization);
  expect(again.status).toBe(201);
  await run(organization, again.data.id);
  expect((await tickets.call(cancelErasure, admin(organization), { params: { id: again.data.id } })).data.code).toBe('erasure.started');
  const list = await tickets.call<Erasure[]>(listErasures, admin(organization));
  expect(list.data.map(({ state }) => state)).toEqual(['running', 'cancelled']);
});

it('is for admins of the organization only, and not for addresses of the team', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  const { data } = await request(organization, { email: address });
  for (const op of [readErasure, cancelErasure])
    expect((await tickets.call(op, admin(other), { params: { id: data.id } })).data.code).toBe('erasure.not_found');
  for (const [ctx, status] of [
    [asStaff(organization, 'manager'), 403],
    [asToken(organization, 'tickets:write'), 403],
    [asUserWithoutOrganization(), 403],
    [undefined, 401],
  ] as const) {
    for (const op of [createErasure, previewErasure])
      expect((await tickets.call(op, ctx, { body: { email: address } })).status).toBe(status);
    for (const op of [listErasures, readErasure, cancelErasure])
      expect((await tickets.call(op, ctx, { params: { id: data.id } })).status).toBe(status);
  }
  for (const body of [
    {},
    { email: 'x' },
    { email: address, delay_hours: -1 },
    { email: address, delay_hours: 169 },
    { email: address, more: 1 },
  ])
    expect((await request(organization, body)).status).toBe(422);
  expect((await request(organization, { email: 'agent@acme.test' })).data.code).toBe('erasure.member');
});
