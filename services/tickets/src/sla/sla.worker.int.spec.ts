import { createSlaPolicy, systemContext, updateTicket, type Ticket } from '@tandem/contracts';
import { eventually, startForTest, testEnv } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { ticketsService } from '../tickets.module';
import { SlaWorker } from './sla.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let worker: SlaWorker;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  worker = new SlaWorker(tickets.db);
  organization = await tickets.anOrganization();
  const body = { name: 'Standard', priority_level: 'medium', response_time_hours: 4, resolution_time_hours: 24 };
  await tickets.call(createSlaPolicy, asStaff(organization, 'admin'), { body });
});
afterAll(() => tickets?.close());

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const aged = (hours: number, overrides = {}) => tickets.aTicket(organization, { created_at: ago(hours), ...overrides });
const check = ({ id }: Ticket) => worker.check(systemContext(organization.id, 'test'), { ticket_id: id });
const eventsOf = async ({ id }: Ticket) => (await tickets.eventTypes(id)).filter((type) => type !== 'ticket.created');
const stored = ({ id }: Ticket) =>
  tickets.db.forTenant({ organization_id: organization.id }, async (tx) => ({
    ticket: await tx.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    clocks: await tx.selectFrom('sla_clocks').selectAll().where('ticket_id', '=', id).executeTakeFirstOrThrow(),
    activities: await tx
      .selectFrom('activities')
      .select(['kind', 'actor_type', 'changes'])
      .where('ticket_id', '=', id)
      .where('kind', '!=', 'created')
      .orderBy('id')
      .execute(),
  }));

it('warns at 80 % with a timeline entry and an event, without changing the ticket', async () => {
  const ticket = await aged(3.5);
  await check(ticket);
  expect(await eventsOf(ticket)).toEqual(['ticket.sla.warning']);
  const [event] = (await tickets.events(ticket.id)).slice(-1);
  expect(event).toMatchObject({
    actor: { type: 'system' },
    data: { clock: 'response', due_at: ticket.response_due_at, time_zone: 'UTC', counts_working_time: false, ticket: { id: ticket.id } },
  });
  expect(await stored(ticket)).toMatchObject({
    ticket: { version: ticket.version, sla_breached_at: null },
    clocks: { check_at: ticket.response_due_at, response_warned_at: expect.any(String) },
    activities: [{ kind: 'sla_warning', actor_type: 'system', changes: { clock: { from: null, to: 'response' } } }],
  });
});

it('emits breaches and the escalation with their times', async () => {
  const ticket = await aged(50);
  await check(ticket);
  expect(await eventsOf(ticket)).toEqual(['ticket.sla.breached', 'ticket.sla.breached', 'ticket.escalated']);
  const after = await stored(ticket);
  expect(after.ticket).toMatchObject({ sla_breached_at: ticket.response_due_at, version: ticket.version + 1 });
  expect(Date.parse(after.ticket.escalated_at!)).toBe(Date.parse(ticket.created_at) + 48 * 3_600_000);
  expect(after.clocks.check_at).toBeNull();
  expect(after.activities.map(({ kind }) => kind)).toEqual(['sla_breached', 'sla_breached', 'escalated']);
});

it('emits each event once for repeated and concurrent jobs', async () => {
  const [again, atOnce] = [await aged(5), await aged(5)];
  await check(again);
  await check(again);
  await Promise.all(Array.from({ length: 10 }, () => check(atOnce)));
  for (const ticket of [again, atOnce]) {
    expect(await eventsOf(ticket)).toEqual(['ticket.sla.breached']);
    expect((await stored(ticket)).activities).toHaveLength(1);
  }
});

it('emits each event once if a worker is killed halfway', async () => {
  const ticket = await aged(50);
  await tickets.db.forTenant({ organization_id: organization.id }, async (other) => {
    // The worker writes the timers and the ticket, and then waits for the lock on the timeline.
    await sql`lock table activities in exclusive mode`.execute(other);
    const killed = check(ticket).then(
      () => 'finished',
      () => 'killed',
    );
    await eventually(async () => {
      // A separate transaction per attempt: within one, pg_stat_activity keeps returning the rows of its first read.
      const { rows } = await tickets.db.asSystem('test', (tx) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like 'insert into "activities"%'`.execute(tx),
      );
      return rows.length > 0;
    });
    expect(await killed).toBe('killed');
  });
  expect(await eventsOf(ticket)).toEqual([]);
  expect((await stored(ticket)).ticket).toMatchObject({ sla_breached_at: null, escalated_at: null });
  await check(ticket);
  expect(await eventsOf(ticket)).toEqual(['ticket.sla.breached', 'ticket.sla.breached', 'ticket.escalated']);
});

it('emits nothing for a ticket that has been resolved in the meantime', async () => {
  const ticket = await aged(3.5);
  await tickets.call(updateTicket, asStaff(organization), { params: { id: ticket.id }, body: { status: 'resolved' } });
  await check(ticket);
  expect((await eventsOf(ticket)).filter((type) => type.startsWith('ticket.sla'))).toEqual([]);
});

it('does nothing for a ticket without timers or an unknown ticket', async () => {
  const ticket = await aged(500, { priority: 'low' });
  await check(ticket);
  expect(await eventsOf(ticket)).toEqual([]);
  await check({ ...ticket, id: organization.id });
});

it('lists due tickets, the longest waiting first, up to its maximum', async () => {
  const [late, later, young] = [await aged(20), await aged(30), await aged(1)];
  const found = await worker.findDue();
  const ids = found.map(({ id }) => id);
  expect(ids.indexOf(later.id)).toBeLessThan(ids.indexOf(late.id));
  expect(ids).toContain(late.id);
  expect(ids).not.toContain(young.id);
  expect(found.find(({ id }) => id === late.id)).toMatchObject({ ctx: { organization_id: organization.id, actor: { type: 'system' } } });
  const many = await tickets.anOrganization();
  await tickets.db.forTenant({ organization_id: many.id }, async (tx) => {
    await sql`insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
      select ${many.id}::uuid, gen_random_uuid(), 'X-' || n, 'Many', 'a@example.com', now(), now() from generate_series(1, 2500) n`.execute(
      tx,
    );
    await sql`insert into sla_clocks (organization_id, ticket_id, policy_id, policy_name, response_time_hours, resolution_time_hours, check_at)
      select organization_id, id, gen_random_uuid(), 'Many', 1, 1, now() - interval '1 minute' from tickets where organization_id = ${many.id}`.execute(
      tx,
    );
  });
  expect(await worker.findDue()).toHaveLength(2_000);
  await tickets.db.forTenant({ organization_id: many.id }, (tx) => tx.updateTable('sla_clocks').set({ check_at: null }).execute());
});

it('runs automatically, and once for two processes that sweep concurrently', async () => {
  const due = await Promise.all([aged(5), aged(50), aged(3.5), aged(20)]);
  const env = await testEnv({ TICKETS_DATABASE_URL: tickets.database.url, SWEEP_MS: '100' });
  const processes = await Promise.all([startForTest(ticketsService, env), startForTest(ticketsService, env)]);
  await eventually(async () => expect((await worker.findDue()).map(({ id }) => id)).toEqual([]));
  await Promise.all(processes.map((process) => process.close()));
  expect(await Promise.all(due.map(eventsOf))).toEqual([
    ['ticket.sla.breached'],
    ['ticket.sla.breached', 'ticket.sla.breached', 'ticket.escalated'],
    ['ticket.sla.warning'],
    ['ticket.sla.breached', 'ticket.sla.warning'],
  ]);
});
