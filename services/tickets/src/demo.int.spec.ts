import { listSlaPolicies, listTickets, type TicketSummary } from '@tandem/contracts';
import { asStaff, TicketsUnderTest, type Place } from '../test/tickets';
import { demoTickets } from './demo-conversations';
import { demoSurveys } from './demo-customers';
import { seedDemoTickets } from './demo';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const seed = (place: Place) =>
  seedDemoTickets(tickets.db, { organization_id: place.id, member_ids: [place.admin, place.manager, place.agent] });

it('writes the demo’s tickets once, with numbers in the order of their creation', async () => {
  const place = await tickets.aPlace();
  expect(await Promise.all([seed(place), seed(place)])).toEqual(expect.arrayContaining([demoTickets.length, 0]));
  expect(await seed(place)).toBe(0);
  const { data, pagination } = await tickets.call<TicketSummary[]>(listTickets, asStaff(place), { query: { limit: '100' } });
  expect(pagination.total).toBe(demoTickets.length);
  expect(data.map(({ ticket_number }) => Number(ticket_number.slice(4)))).toEqual(demoTickets.map((_, i) => demoTickets.length - i));
  for (const ticket of data) {
    expect(Date.parse(ticket.created_at)).toBeGreaterThan(Date.now() - 30 * 86_400_000);
    expect(Date.parse(ticket.updated_at)).toBeLessThanOrEqual(Date.now());
    expect(ticket.resolved_at !== null).toBe(ticket.status === 'resolved');
  }
  expect(data.map(({ subject, status }) => [subject, status]).reverse()).toEqual(
    demoTickets.map(({ subject, status }) => [subject, status]),
  );
});
it('lets its clocks show something: policies for every priority, tickets that are due, and some that wait', async () => {
  const place = await tickets.aPlace();
  await seed(place);
  expect(((await tickets.call<unknown[]>(listSlaPolicies, asStaff(place))).data as unknown[]).length).toBe(4);
  const { data } = await tickets.call<TicketSummary[]>(listTickets, asStaff(place), { query: { limit: '100' } });
  expect(data.filter(({ next_due_at }) => next_due_at !== null).length).toBeGreaterThan(3);
  expect(data.filter(({ sla_paused_since }) => sla_paused_since !== null).length).toBeGreaterThan(0);
  expect(data.filter(({ first_response_at }) => first_response_at !== null).length).toBeGreaterThan(3);
});
it('comes through every door a customer has, with what some of them thought of it, and one that goes on with another', async () => {
  const place = await tickets.aPlace();
  await seed(place);
  const { rows, surveys } = await tickets.db.forTenant({ organization_id: place.id }, async (tx) => ({
    rows: await tx.selectFrom('tickets').select(['id', 'subject', 'status', 'channel', 'customer_email', 'follow_up_of_id']).execute(),
    surveys: await tx.selectFrom('surveys').selectAll().execute(),
  }));
  expect(new Set(rows.map(({ channel }) => channel))).toEqual(new Set(['email', 'portal', 'widget', 'staff']));
  const asked = surveys.map(({ ticket_id }) => rows.find(({ id }) => id === ticket_id)!);
  expect(asked.map(({ subject }) => subject).sort()).toEqual(Object.keys(demoSurveys).sort());
  expect(asked.filter(({ status }) => status !== 'resolved' && status !== 'closed')).toEqual([]);
  for (const { created_at } of surveys) expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
  const [follow, ...more] = rows.filter(({ follow_up_of_id }) => follow_up_of_id !== null);
  const before = rows.find(({ id }) => id === follow?.follow_up_of_id);
  expect(more).toEqual([]);
  expect([before?.status, before?.customer_email]).toEqual(['closed', follow?.customer_email]);
});
it('announces everything as the system, which nobody is mailed about', async () => {
  const place = await tickets.aPlace();
  await seed(place);
  const events = (await tickets.events()).filter(({ organization_id }) => organization_id === place.id);
  expect(events.filter(({ type }) => type === 'ticket.created')).toHaveLength(demoTickets.length);
  expect(new Set(events.map(({ actor }) => actor.type))).toEqual(new Set(['system']));
});
it('writes nothing, and announces nothing, when it cannot write all of it', async () => {
  const place = await tickets.aPlace();
  const setCounter = (last_number: number) =>
    tickets.db.forTenant({ organization_id: place.id }, (tx) => tx.updateTable('ticket_counters').set({ last_number }).execute());
  await setCounter(9);
  const { id, ticket_number } = await tickets.aTicket(place);
  expect(ticket_number).toBe('ACM-0010');
  await setCounter(0);
  // The demo ticket with this number conflicts with the existing one.
  await expect(seed(place)).rejects.toThrow(/unique/);
  const { data } = await tickets.call<TicketSummary[]>(listTickets, asStaff(place));
  expect(data.map((ticket) => ticket.id)).toEqual([id]);
  expect((await tickets.events()).filter(({ organization_id }) => organization_id === place.id)).toHaveLength(1);
});
