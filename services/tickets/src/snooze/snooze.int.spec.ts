import {
  addComment,
  addPublicComment,
  listTickets,
  mergeTicket,
  readTimeline,
  snoozeTicket,
  systemContext,
  updateTicket,
  wakeTicketNow,
  type Activity,
  type Ticket,
  type TicketSummary,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually, startForTest, testEnv } from '@tandem/testing';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, asUserWithoutOrganization, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { ticketsService } from '../tickets.module';
import { SnoozeWorker } from './snooze.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let worker: SnoozeWorker;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  worker = new SnoozeWorker(tickets.db);
  organization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const ahead = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString();
const snooze = (id: string, until: unknown, ctx = asStaff(organization)) =>
  tickets.call<Ticket>(snoozeTicket, ctx, { params: { id }, body: { until } });
const wake = (id: string, ctx = asStaff(organization)) => tickets.call<Ticket>(wakeTicketNow, ctx, { params: { id } });
const list = async (query: Record<string, string>) =>
  (await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query })).data.map(({ id }) => id);
const reply = (id: string) =>
  tickets.call(addPublicComment, asCustomer(organization.id), { params: { id }, body: { email: 'carla@example.com', content: 'Text' } });
const eventsOf = async (id: string) =>
  (await tickets.eventTypes(id)).filter((type) => type === 'ticket.snoozed' || type === 'ticket.woken');
const timeline = async (id: string) =>
  (await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id } })).data
    .filter(({ kind }) => kind === 'snoozed' || kind === 'woken')
    .map(({ kind, actor_type, changes }) => [kind, actor_type, changes]);
const row = (id: string) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('tickets').select(['snoozed_at', 'snoozed_until', 'version']).where('id', '=', id).executeTakeFirstOrThrow(),
  );
/** A ticket whose snooze ended a minute ago. */
async function due(): Promise<Ticket> {
  const ticket = await tickets.aTicket(organization);
  await snooze(ticket.id, ahead());
  await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    const past = ahead(-1);
    await tx.updateTable('tickets').set({ snoozed_until: past }).where('id', '=', ticket.id).execute();
    await tx.updateTable('ticket_wake_times').set({ wake_at: past }).where('ticket_id', '=', ticket.id).execute();
  });
  return ticket;
}
const run = ({ id }: Ticket) => worker.wake(systemContext(organization.id, 'test'), { ticket_id: id });
const isDue = async ({ id }: Ticket) => (await worker.findDue()).some((job) => job.id === id);

it('is announced, recorded in the timeline, and filtered exactly', async () => {
  const { id } = await tickets.aTicket(organization, { customer_email: 'filtered@example.com' });
  const other = await tickets.aTicket(organization, { customer_email: 'filtered@example.com' });
  const until = ahead();
  const { status, data } = await snooze(id, until);
  expect([status, data]).toMatchObject([200, { snoozed_at: expect.any(String), snoozed_until: until, status: 'open', version: 2 }]);
  const types = (await tickets.eventTypes(id)).slice(1);
  expect(types).toEqual(['ticket.updated', 'ticket.snoozed']);
  expect(await timeline(id)).toEqual([['snoozed', 'user', { snoozed_until: { from: null, to: until } }]]);
  const of = { customer_email: 'filtered@example.com' };
  expect([await list({ ...of, snoozed: 'true' }), await list({ ...of, snoozed: 'false' })]).toEqual([[id], [other.id]]);
  expect((await list(of)).sort()).toEqual([id, other.id].sort());
  expect(await list({ snoozed: 'true', sort: 'priority' })).toContain(id);
  expect(await list({ snoozed: 'true', search: 'printer' })).toEqual([id]);
});
it('changes nothing when it is repeated, and can be moved', async () => {
  const { id } = await tickets.aTicket(organization);
  const [first, second] = [ahead(), ahead(120)];
  await snooze(id, first);
  const { version } = await row(id);
  await snooze(id, first);
  expect((await row(id)).version).toBe(version);
  await snooze(id, second);
  expect((await row(id)).snoozed_until).toBe(second);
  expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.snoozed']);
});
it.each([null, ahead()])('until %s ends when the customer replies, but not with a comment by staff', async (until) => {
  const { id } = await tickets.aTicket(organization);
  await snooze(id, until);
  for (const is_internal of [true, false])
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Text', is_internal } });
  expect((await row(id)).snoozed_at).not.toBeNull();
  await reply(id);
  expect(await row(id)).toMatchObject({ snoozed_at: null, snoozed_until: null });
  expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.woken']);
  expect((await timeline(id))[0]).toEqual(['woken', 'customer', {}]);
  await reply(id);
  expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.woken']);
});
it('can be ended manually, once', async () => {
  const { id } = await tickets.aTicket(organization);
  await snooze(id, null);
  expect((await wake(id)).data).toMatchObject({ snoozed_at: null });
  expect((await wake(id)).status).toBe(200);
  expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.woken']);
});
it.each(['resolved', 'closed'])('ends silently when the ticket is %s, and is refused then', async (status) => {
  const { id } = await tickets.aTicket(organization);
  await snooze(id, ahead());
  await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { status } });
  expect([await row(id), await eventsOf(id)]).toMatchObject([{ snoozed_at: null, snoozed_until: null }, ['ticket.snoozed']]);
  expect((await snooze(id, null)).data.code).toBe('ticket.locked');
});
it('ends for a ticket that is merged into another', async () => {
  const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  await snooze(source.id, null);
  await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
  expect(await row(source.id)).toMatchObject({ snoozed_at: null });
});
it('keeps the timers running', async () => {
  const { id } = await tickets.aTicket(organization);
  const { data } = await snooze(id, ahead());
  expect(data.sla_paused_since).toBeNull();
});

describe('the job', () => {
  it('wakes a due ticket with a timeline entry and an event of the system', async () => {
    const ticket = await due();
    expect(await isDue(ticket)).toBe(true);
    await run(ticket);
    expect(await row(ticket.id)).toMatchObject({ snoozed_at: null, snoozed_until: null });
    expect((await timeline(ticket.id))[0]).toEqual(['woken', 'system', {}]);
    const woken = (await tickets.events(ticket.id)).at(-1);
    expect(woken).toMatchObject({ type: 'ticket.woken', actor: { type: 'system' } });
    expect(await isDue(ticket)).toBe(false);
  });
  it('wakes each ticket once for repeated and concurrent jobs', async () => {
    const [again, together] = [await due(), await due()];
    await run(again);
    await run(again);
    await Promise.all(Array.from({ length: 10 }, () => run(together)));
    for (const { id } of [again, together]) expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.woken']);
  });
  it('wakes a ticket once if a worker is killed halfway', async () => {
    const ticket = await due();
    await tickets.db.forTenant({ organization_id: organization.id }, async (other) => {
      // The worker writes the ticket, and then waits for the lock on the timeline.
      await sql`lock table activities in exclusive mode`.execute(other);
      const killed = run(ticket).then(
        () => 'finished',
        () => 'killed',
      );
      await eventually(async () => {
        const { rows } = await tickets.db.asSystem('test', (tx) =>
          sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'insert into "activities"%'`.execute(tx),
        );
        return rows.length > 0;
      });
      expect(await killed).toBe('killed');
    });
    expect([await eventsOf(ticket.id), await isDue(ticket)]).toEqual([['ticket.snoozed'], true]);
    await run(ticket);
    expect(await eventsOf(ticket.id)).toEqual(['ticket.snoozed', 'ticket.woken']);
  });
  it('does nothing for a job that comes before its time, or after the ticket was woken, moved, or snoozed until a reply', async () => {
    const [early, woken, moved, untilReply] = [await tickets.aTicket(organization), await due(), await due(), await due()];
    await snooze(early.id, ahead());
    await reply(woken.id);
    await snooze(moved.id, ahead(30));
    await snooze(untilReply.id, null);
    for (const ticket of [early, woken, moved, untilReply]) {
      const before = await eventsOf(ticket.id);
      await run(ticket);
      expect([await eventsOf(ticket.id), await isDue(ticket)]).toEqual([before, false]);
    }
    expect([(await row(moved.id)).snoozed_at, (await row(untilReply.id)).snoozed_at]).not.toContain(null);
    await worker.wake(systemContext(organization.id, 'test'), { ticket_id: newId() });
  });
  it('runs automatically, and once for two processes that sweep concurrently', async () => {
    const waiting = await Promise.all([due(), due(), due()]);
    const env = await testEnv({ TICKETS_DATABASE_URL: tickets.database.url, SWEEP_MS: '100' });
    const processes = await Promise.all([startForTest(ticketsService, env), startForTest(ticketsService, env)]);
    try {
      await eventually(async () => (await Promise.all(waiting.map(isDue))).every((each) => !each));
    } finally {
      await Promise.all(processes.map((service) => service.close()));
    }
    for (const { id } of waiting) expect(await eventsOf(id)).toEqual(['ticket.snoozed', 'ticket.woken']);
  });
});

it('rejects times that are in the past, too far ahead or malformed', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const until of [undefined, 'tomorrow', ahead(-1), ahead(367 * 24 * 60)]) expect((await snooze(id, until)).status).toBe(422);
  expect(await row(id)).toMatchObject({ snoozed_at: null, version: 1 });
});
it('needs the permission to write', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const [ctx, status] of [
    [asToken(organization, 'tickets:read'), 403],
    [asUserWithoutOrganization(), 403],
    [asCustomer(organization.id), 401],
  ] as const)
    expect([(await snooze(id, null, ctx)).status, (await wake(id, ctx)).status]).toEqual([status, status]);
  expect((await snooze(id, null, asToken(organization, 'tickets:write'))).status).toBe(200);
});
it('does not find a ticket of another organization', async () => {
  const other = await tickets.anOrganization();
  for (const id of [(await tickets.aTicket(other)).id, newId()])
    expect([(await snooze(id, null)).data.code, (await wake(id)).data.code]).toEqual(['ticket.not_found', 'ticket.not_found']);
});
