import { previewRetention, readRetention, saveRetention, systemContext, type RetentionPolicy } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { RetentionWorker } from './retention.worker';

let tickets: TicketsUnderTest;
// Without jobs and consumers: only the test runs them.
beforeAll(async () => (tickets = await TicketsUnderTest.start({ RUN: 'http' })));
afterAll(() => tickets?.close());

const admin = (organization: TestOrganization) => asStaff(organization, 'admin');
const policy = { is_active: true, months: 12, kept_categories: ['Billing'] };
const save = (organization: TestOrganization, body: object = policy) =>
  tickets.call<RetentionPolicy>(saveRetention, admin(organization), { body });
const inTenant = (organization: TestOrganization, statement: ReturnType<typeof sql>) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) => statement.execute(tx));
const makeDue = (organization: TestOrganization) =>
  inTenant(organization, sql`update retention_policies set next_run_at = now() - interval '1 second' where next_run_at is not null`);
const apply = (organization: TestOrganization) => tickets.app.get(RetentionWorker).apply(systemContext(organization.id, 'test'));
const left = async (organization: TestOrganization) =>
  (await tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('tickets').select('subject').execute()))
    .map(({ subject }) => subject)
    .sort();

async function withTickets(): Promise<TestOrganization> {
  const organization = await tickets.anOrganization();
  for (const [subject, status, months, category] of [
    ['old', 'closed', 13, null],
    ['old and resolved', 'resolved', 13, 'Technical'],
    ['kept', 'closed', 13, 'Billing'],
    ['open', 'open', 13, null],
    ['recent', 'closed', 11, null],
  ] as const) {
    const { id } = await tickets.aTicket(organization, { subject, category });
    await inTenant(
      organization,
      sql`update tickets set status = ${status}, updated_at = now() - make_interval(months => ${months}) where id = ${id}`,
    );
  }
  return organization;
}

it('deletes resolved and closed tickets at night, once they have not changed for the given months', async () => {
  const [organization, other] = [await withTickets(), await withTickets()];
  expect((await tickets.call(previewRetention, admin(organization), { body: policy })).data).toEqual({ tickets: 2, nights: 1 });
  expect((await save(organization)).data).toMatchObject(policy);
  // Not before the night.
  await apply(organization);
  expect(await left(organization)).toHaveLength(5);
  await makeDue(organization);
  await apply(organization);
  await apply(organization);
  expect(await left(organization)).toEqual(['kept', 'open', 'recent']);
  expect(await left(other)).toHaveLength(5);
  const events = (await tickets.eventsOf(organization)).filter(({ type }) => /^(retention|tickets)\./.test(type));
  expect(events.map(({ type, data }) => [type, data['what'] ?? data['keep_figures'], data['tickets'] ?? null])).toEqual([
    ['retention.changed', 'updated', 0],
    ['tickets.deleted', true, null],
    ['retention.changed', 'applied', 2],
  ]);
});

it('deletes at most 2,000 tickets per night, and none after it was turned off', async () => {
  const organization = await withTickets();
  const { id } = await tickets.aTicket(organization, { subject: 'many' });
  await inTenant(
    organization,
    sql`insert into tickets (organization_id, id, ticket_number, subject, status, customer_email, created_at, updated_at)
      select organization_id, gen_random_uuid(), 'X-' || n, 'many', 'closed', customer_email, created_at, now() - interval '3 years'
      from tickets, generate_series(1, 2100) n where id = ${id}`,
  );
  await save(organization);
  await makeDue(organization);
  await apply(organization);
  expect((await left(organization)).filter((subject) => subject === 'many')).toHaveLength(101);
  await save(organization, { ...policy, is_active: false });
  await makeDue(organization);
  await apply(organization);
  expect((await left(organization)).filter((subject) => subject === 'many')).toHaveLength(101);
});

it('leaves a ticket that is reopened while the tickets are chosen', async () => {
  const organization = await withTickets();
  await save(organization);
  await makeDue(organization);
  let commit = () => {};
  const held = new Promise<void>((resolve) => (commit = resolve));
  let isChanged = () => {};
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const reopening = tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await sql`update tickets set status = 'open', updated_at = now() where subject = 'old'`.execute(tx);
    isChanged();
    await held;
  });
  await changed;
  const applying = apply(organization);
  await eventually(async () => {
    const { rows } = await tickets.db.asSystem('test', (tx) =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
  });
  commit();
  await Promise.all([reopening, applying]);
  expect(await left(organization)).toEqual(['kept', 'old', 'open', 'recent']);
});

it('is for admins of the organization only', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  expect((await tickets.call(readRetention, admin(organization))).data).toEqual({
    is_active: false,
    months: 24,
    kept_categories: [],
    updated_at: null,
  });
  await save(organization);
  expect((await tickets.call(readRetention, admin(other))).data).toMatchObject({ is_active: false });
  for (const [ctx, status] of [
    [asStaff(organization, 'manager'), 403],
    [asToken(organization, 'tickets:write'), 403],
    [undefined, 401],
  ] as const) {
    for (const op of [saveRetention, previewRetention]) expect((await tickets.call(op, ctx, { body: policy })).status).toBe(status);
    expect((await tickets.call(readRetention, ctx)).status).toBe(status);
  }
  for (const body of [
    {},
    { ...policy, months: 0 },
    { ...policy, months: 121 },
    { ...policy, months: 1.5 },
    { ...policy, kept_categories: [''] },
    { ...policy, more: newId() },
  ])
    expect((await save(organization, body)).status).toBe(422);
});
